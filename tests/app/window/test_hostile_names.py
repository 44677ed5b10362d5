"""Names out of a file are shown as they are: no markup, no text turned round, no line that passes itself off as ours."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.theme import palette
from app.theme.colors import LIGHT
from app.theme.drawn_text import draw_text, draw_text_at, elided
from app.theme.plain_text import VisibleDelegate
from app.widgets.code_editor import CodeEditor
from app.window.main_window import MainWindow
from app.window.start import recent_files
from app.window.theme_choice import ThemeChoice
from app.window.trust_bar import TrustDialog, may_run
from compiler.analysis.session_file.session_file import Journal, SessionData, write_session
from compiler.analysis.session_file.what_runs import what_runs
from compiler.analysis.text_format.visible_text import visible, visible_line
from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import ReplaceSource, SetConfig, fingerprint
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.diagnostics import Problem
from tests.helpers import sample_capture
from tests.helpers.shown_widget import on_screen

HOSTILE = "model.py:<b>Net</b>&amp;\u202egnp.exe\u200b\nInputs: example_inputs() of the file"
HIDDEN = "\u202e"


@pytest.fixture(autouse=True)
def plain_style(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    palette.apply(qapp, LIGHT)


def hostile_capture(folder: Path) -> Capture:
    """The sample with a hostile name wherever a person reads one, a source replaced and a switch set."""
    (folder / "other.py").write_text("x = 1\ny = 2\n")
    made = sample_capture.capture()
    changes = (
        ReplaceSource(
            str(folder / "other.py"), "x = 1\nimport evil\n", HOSTILE, fingerprint("x = 1\ny = 2\n")
        ),
        SetConfig("torch._dynamo.config.verbose", True),
    )
    target = msgspec.structs.replace(made.spec.target, name=HOSTILE, inputs=f"evil('{HIDDEN}')")
    options = msgspec.structs.replace(made.spec.compile, backend="their_backend")
    spec = msgspec.structs.replace(made.spec, target=target, changes=changes, compile=options)
    reported = Problem(HOSTILE, HOSTILE, path=f"/tmp/{HOSTILE}", line=3, detail=HOSTILE)
    return msgspec.structs.replace(made, spec=spec, problems=(reported,))


def hostile_data(folder: Path) -> SessionData:
    edit = ReplaceKernel("0/0:kernels", "cpp_fused_0", "int evil_kernel;")
    return SessionData((hostile_capture(folder),), (Journal("capture-1", (edit,)),))


@pytest.mark.parametrize(
    ("text", "shown", "line"),
    [
        ("plain, größer, 漢字 ✓", "plain, größer, 漢字 ✓", "plain, größer, 漢字 ✓"),
        ("a\u202eb\u2066c\u200bd", "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d", "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d"),
        (
            "a\u3164b\ufe0fc\u2800 ✓\ufe0f",
            "a⟨U+3164⟩b⟨U+FE0F⟩c⟨U+2800⟩ ✓\ufe0f",
            "a⟨U+3164⟩b⟨U+FE0F⟩c⟨U+2800⟩ ✓\ufe0f",
        ),
        ("a\n\tb\r\x1b[31m\u2028", "a\n\tb⟨U+000D⟩⟨U+001B⟩[31m⟨U+2028⟩", "a⏎ b⟨U+000D⟩⟨U+001B⟩[31m⟨U+2028⟩"),
    ],
)
def test_what_a_screen_hides_is_written_out(text: str, shown: str, line: str) -> None:
    assert visible(text) == shown
    assert visible_line(text) == line


def test_the_question_names_all_that_runs(tmp_path: Path, qtbot: QtBot) -> None:
    parts = what_runs(hostile_data(tmp_path))
    dialog = on_screen(qtbot, TrustDialog(parts))
    texts = [shown.toPlainText() for shown in dialog.texts]
    whole = "\n".join(texts)
    wanted = ("<b>Net</b>&amp;⟨U+202E⟩gnp.exe", "evil('⟨U+202E⟩')", "their_backend", "-y = 2", "+import evil")
    for words in (
        *wanted,
        "config.verbose = True",
        "int evil_kernel;",
        sample_capture.capture().spec.target.folder,
    ):
        assert words in whole, words
    assert HIDDEN not in whole
    labels = dialog.findChildren(QLabel)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    titles = {label.text() for label in labels}
    assert {part.title for part in parts} <= titles
    assert not any(
        "example_inputs() of the file" in title for title in titles
    )  # a forged line stays in its frame
    assert dialog.refuse.isDefault()


@pytest.mark.parametrize("agree", [True, False])
def test_the_question_is_answered_by_its_buttons(agree: bool, tmp_path: Path, qtbot: QtBot) -> None:
    from PySide6.QtCore import QTimer

    parent = QWidget()
    qtbot.addWidget(parent)

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, TrustDialog)
        (dialog.run if agree else dialog.refuse).click()

    QTimer.singleShot(0, answer)
    assert may_run(what_runs(hostile_data(tmp_path)), parent) is agree


def _shown_text(label: QLabel) -> str:
    """What a label will paint; markup of ours is taken away."""
    if label.textFormat() is Qt.TextFormat.PlainText:
        return ""
    return label.text()


def test_a_hostile_file_is_shown_as_it_is(
    session: Session, qapp: QApplication, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "<b>x&y<b>\u202e.loupe"
    write_session(path, hostile_data(tmp_path))
    recent_files.remember(str(path))
    window = MainWindow(session, ThemeChoice(qapp))
    window.show()
    links = [button for button in window.welcome.findChildren(QPushButton) if "loupe" in button.text()]
    assert [link.accessibleName() for link in links] == [f"{tmp_path}/<b>x&y<b>⟨U+202E⟩.loupe"]
    assert links[0].text().endswith("<b>x&&y<b>⟨U+202E⟩.loupe")

    session.open_file(path)
    session.wait_for_files()
    assert window.row.trust.isVisible()
    area = window.show_panes()
    cells: list[str] = []
    for pane in area.panes:
        area.show_pane(pane)
        qapp.processEvents()
        window.grab()
        for label in window.findChildren(QLabel):
            if label.isVisible():
                assert HIDDEN not in label.text()
                assert "<b>Net" not in _shown_text(label)
        cells += (text for view in window.findChildren(QAbstractItemView) for text in _cells(view))
    assert HIDDEN not in window.windowTitle()
    assert any("<b>Net</b>&amp;⟨U+202E⟩" in text for text in cells)  # the problem, at least
    assert not any(HIDDEN in text for text in cells)

    asked = []
    session.trust.confirm = lambda parts: bool(asked.append(parts))
    window.row.trust.trust.click()
    assert len(asked) == 1
    assert window.row.trust.isVisible()
    session.trust.confirm = lambda parts: True
    window.row.trust.trust.click()
    assert not window.row.trust.isVisible()
    session.undo_stack.setClean()
    window.close()
    window.deleteLater()


def _cells(view: QAbstractItemView) -> list[str]:
    """What a list's delegate draws, of its first rows and the first rows below these."""
    delegate, model = view.itemDelegate(), view.model()
    if model is None or not isinstance(delegate, QStyledItemDelegate) or not view.isVisible():
        return []
    found = []
    for row in range(min(model.rowCount(), 20)):
        top = model.index(row, 0)
        for index in (top, *(model.index(below, 0, top) for below in range(min(model.rowCount(top), 5)))):
            if isinstance(delegate, VisibleDelegate):
                option = QStyleOptionViewItem()
                delegate.initStyleOption(option, index)
                found.append(option.text)
            elif delegate.metaObject().className() == "QStyledItemDelegate":
                found.append(str(index.data() or ""))
    return found


def test_a_button_draws_what_it_would_hide(qtbot: QtBot) -> None:
    pictures = []
    for text in (HIDDEN + "abc", visible(HIDDEN + "abc"), "abc"):
        box = QCheckBox(text)
        qtbot.addWidget(box)
        box.setFixedSize(300, 30)
        pictures.append(box.grab().toImage())
    assert pictures[0] == pictures[1] != pictures[2]


@pytest.mark.parametrize("wanted", [Qt.TextFormat.AutoText, Qt.TextFormat.PlainText])
def test_a_label_shows_its_text_as_it_is(wanted: Qt.TextFormat, qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    label.setTextFormat(wanted)
    label.setText(f"<b>Net</b>{HIDDEN}")
    label.grab()
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.text() == "<b>Net</b>⟨U+202E⟩"


def test_tooltips_boxes_and_lists_guess_no_markup(qapp: QApplication, qtbot: QtBot) -> None:
    box = QMessageBox()
    box.setText(HOSTILE)
    box.setInformativeText(HOSTILE)
    tree = QTreeWidget()
    buttons = QDialogButtonBox()
    for widget in (box, tree, buttons):
        on_screen(qtbot, widget)
    qapp.processEvents()
    QToolTip.showText(QPoint(5, 5), HOSTILE, tree)
    (tip,) = [
        w for w in qapp.topLevelWidgets() if w.metaObject().className() == "QTipLabel" and w.isVisible()
    ]
    texts = [
        label for label in (*box.findChildren(QLabel), tip) if isinstance(label, QLabel) and label.text()
    ]
    assert len(texts) == 3
    for label in texts:
        label.grab()
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert "<b>Net</b>&amp;⟨U+202E⟩gnp.exe⟨U+200B⟩\n" in label.text()
    assert isinstance(tree.itemDelegate(), VisibleDelegate)
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def _picture(widget: QWidget) -> QImage:
    widget.ensurePolished()
    return widget.grab().toImage()


def _combo(text: str) -> QWidget:
    box = QComboBox()
    box.setFixedWidth(300)
    box.addItem(text)
    return box


def _combo_list(text: str) -> QWidget:
    """One row of the list that it opens."""
    box = _KEPT.setdefault(text, QComboBox())
    assert isinstance(box, QComboBox)
    box.clear()
    box.addItem(text)
    box.show()
    box.showPopup()
    view = box.view()
    view.setFixedSize(400, 60)
    return view


def _editable_list(text: str) -> QWidget:
    box = _KEPT.setdefault("e" + text, QComboBox())
    assert isinstance(box, QComboBox)
    box.setEditable(True)
    box.clear()
    box.addItems([text, "other"])
    box.setCurrentIndex(1)
    box.show()
    box.showPopup()
    view = box.view()
    view.setFixedSize(400, 60)
    return view


def _menu(text: str) -> QWidget:
    menu = QMenu()
    menu.addAction(text)
    menu.addMenu(QMenu(text, menu))
    menu.setMinimumWidth(400)
    menu.adjustSize()
    return menu


def _field(text: str) -> QWidget:
    return QLineEdit(text)


class _Painted(QWidget):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        left = Qt.AlignmentFlag.AlignLeft
        draw_text(painter, QRectF(0, 0, 300, 20), left, self.text)
        draw_text_at(
            painter,
            QPointF(0, 40),
            elided(painter.fontMetrics(), self.text, Qt.TextElideMode.ElideRight, 300),
        )
        painter.end()


_KEPT: dict[str, QWidget] = {}


@pytest.mark.parametrize("make", [_combo, _combo_list, _editable_list, _menu, _field, _Painted])
def test_whatever_draws_text_draws_what_it_would_hide(
    make: Callable[[str], QWidget], qapp: QApplication, qtbot: QtBot
) -> None:
    """The picture is that of the text with its hidden characters written out, and not that of the text without them."""
    hostile = "a\u202ebc\u200b"
    pictures = []
    for text in (hostile, visible(hostile), "acb"):
        widget = make(text)
        pictures.append(_picture(widget))
        widget.hide()
    for box in _KEPT.values():
        box.hide()
        box.deleteLater()
    _KEPT.clear()
    assert pictures[0] == pictures[1]
    assert pictures[0] != pictures[2]


def test_an_editor_paints_what_a_line_hides_and_keeps_the_text(qapp: QApplication, qtbot: QtBot) -> None:
    hostile = "x = 1\nif a != '\u202euser\u2066':  # \u200b\n\ty = 2"
    drawn: list[str] = []
    pictures = []
    for text in (hostile, visible(hostile), hostile.translate(dict.fromkeys(map(ord, "\u202e\u2066\u200b")))):
        editor = CodeEditor()
        qtbot.addWidget(editor)
        editor.resize(500, 120)
        editor.set_code(text, "python")
        editor.show()
        pictures.append(editor.grab().toImage())
        assert editor.toPlainText() == text
        cursor = editor.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        editor.setTextCursor(cursor)
        assert cursor.selectedText().replace("\u2029", "\n") == text
        editor.copy()
        drawn.append(qapp.clipboard().text())
    assert drawn[0] == hostile
    # where letters are drawn, whatever their colour: those of the line with all written out
    shapes = [_columns_with_ink(picture, 2) for picture in pictures]
    assert shapes[0] == shapes[1] != shapes[2]


def _columns_with_ink(picture: QImage, line: int) -> list[int]:
    """The columns of the picture that are not empty, in the second line of the text."""
    editor = CodeEditor()
    high = editor.fontMetrics().lineSpacing()
    top, left = 4 + high * (line - 1), 60
    rows = range(top + 2, top + high - 2)
    empty = picture.pixel(picture.width() - 4, top + 4)
    return [x for x in range(left, picture.width() - 20) if any(picture.pixel(x, y) != empty for y in rows)]


def test_what_does_not_fit_is_shortened_after_it_is_written_out(qapp: QApplication) -> None:
    shown = [
        elided(QFontMetricsF(QFont()), HOSTILE, Qt.TextElideMode.ElideRight, room) for room in (50, 5000)
    ]
    assert not any(HIDDEN in text for text in shown)
    assert "⟨U+202E⟩" in shown[1]


def test_the_title_of_every_window_is_shown_as_it_is(qtbot: QtBot) -> None:
    """A kernel's name in it, whether it was there before the window was shown or came later."""
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.setWindowTitle(f"Knobs of {HIDDEN}evil\nlines")
    dialog.show()
    assert dialog.windowTitle() == "Knobs of ⟨U+202E⟩evil⏎lines"
    dialog.setWindowTitle(f"Edit {HIDDEN}")
    assert dialog.windowTitle() == "Edit ⟨U+202E⟩"
