"""The code view: lines, marks, clicks, find, zoom, speed."""

import time

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QWheelEvent
from PySide6.QtTest import QTest

from app.theme import current
from app.theme.colors import DARK, LIGHT
from app.widgets.code_editor import CodeEditor
from app.widgets.gutter_marks import GutterMark
from app.widgets.syntax_highlighter import SyntaxHighlighter, syntax_colors

TEXT = "\n".join(f"value_{number} = call({number})  # note" for number in range(1, 101))


@pytest.fixture
def editor(qtbot):
    made = CodeEditor()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.set_code(TEXT, "python")
    with qtbot.waitExposed(made):
        made.show()
    return made


def middle_of(editor, line):
    return next(QPoint(60, round(top + height / 2)) for n, top, height in editor.visible_lines() if n == line)


def colour_at(editor, line, column):
    layout = editor.document().findBlockByNumber(line - 1).layout()
    for part in layout.formats():
        if part.start <= column < part.start + part.length:
            return part.format.foreground().color().name()
    return ""


def test_a_click_says_the_line_and_the_keys(editor, qtbot):
    with qtbot.waitSignal(editor.line_clicked) as clicked:
        qtbot.mouseClick(
            editor.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.ControlModifier,
            middle_of(editor, 4),
        )
    assert clicked.args == [4, Qt.KeyboardModifier.ControlModifier]


def test_a_click_in_the_gutter_counts_too(editor, qtbot):
    with qtbot.waitSignal(editor.line_clicked) as clicked:
        qtbot.mouseClick(editor._gutter, Qt.MouseButton.LeftButton, pos=QPoint(5, middle_of(editor, 3).y()))
    assert clicked.args[0] == 3


def test_enter_counts_as_a_click_on_the_current_line(editor, qtbot):
    editor.go_to_line(7)
    with qtbot.waitSignal(editor.line_clicked) as clicked:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert clicked.args[0] == 7


def test_selecting_text_with_the_mouse_is_no_click(editor, qtbot):
    heard = []
    editor.line_clicked.connect(lambda line, keys: heard.append(line))
    qtbot.mousePress(editor.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(editor, 2))
    QTest.mouseMove(editor.viewport(), middle_of(editor, 5) + QPoint(60, 0))
    qtbot.mouseRelease(editor.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(editor, 5) + QPoint(60, 0))
    if editor.textCursor().hasSelection():
        assert heard == []


def test_hovering_says_each_line_once(editor, qtbot):
    heard = []
    editor.line_hovered.connect(heard.append)
    for line in (2, 2, 3):
        editor.hover_at(middle_of(editor, line).y())
    editor.leaveEvent(QEvent(QEvent.Type.Leave))
    assert heard == [2, 3, 0]


def test_showing_a_line_scrolls_only_when_it_must(editor):
    before = editor.verticalScrollBar().value()
    editor.show_line(3)
    assert editor.verticalScrollBar().value() == before
    editor.show_line(80)
    assert editor.is_line_visible(80)
    assert not editor.is_line_visible(3)


def test_tints_marks_and_stripes_are_drawn(editor):
    editor.set_tints({2: "#ff0000"})
    editor.set_stripes({3: ("#00ff00", "#0000ff")})
    editor.set_marks([GutterMark(4, "stop", "#ff00ff", "why")])
    picture = editor.grab().toImage()
    right = editor.width() - 30
    top = editor.viewport().y()
    assert picture.pixelColor(right, top + middle_of(editor, 2).y()) == QColor("#ff0000")
    colours = {
        picture.pixelColor(x, top + middle_of(editor, line).y()).name()
        for x in range(editor._gutter.width())
        for line in (3, 4)
    }
    assert {"#00ff00", "#0000ff", "#ff00ff"} <= colours
    assert editor.marks_on(4)[0].tooltip == "why"


def test_pinned_lines_are_outlined(editor):
    editor.set_outlined({5, 6}, {8})
    picture = editor.grab().toImage()
    x = editor.viewport().x() + 200
    top = editor.viewport().y()
    wanted = QColor(current.colors().pinned)
    rows = [y for y in range(top, editor.height()) if picture.pixelColor(x, y).name() == wanted.name()]
    assert rows


def test_words_are_coloured_and_follow_the_theme(editor):
    assert colour_at(editor, 1, TEXT.index("call")) == syntax_colors(LIGHT)["call"]
    assert colour_at(editor, 1, TEXT.index("#")) == syntax_colors(LIGHT)["comment"]
    try:
        current.set_colors(DARK)
        assert colour_at(editor, 1, TEXT.index("call")) == syntax_colors(DARK)["call"]
    finally:
        current.set_colors(LIGHT)


def test_text_in_triple_quotes_goes_on_over_lines(editor):
    editor.set_code('x = """one\ntwo\nthree"""\ny = 1', "python")
    wanted = syntax_colors(current.colors())
    assert colour_at(editor, 2, 0) == wanted["string"]
    assert colour_at(editor, 3, 3) == wanted["string"]
    assert colour_at(editor, 4, 4) == wanted["number"]


def test_another_look_colours_only_what_is_seen(editor, monkeypatch):
    asked = []
    monkeypatch.setattr(
        SyntaxHighlighter, "rehighlightBlock", lambda self, block: asked.append(block.blockNumber())
    )
    monkeypatch.setattr(SyntaxHighlighter, "rehighlight", lambda self: asked.extend(range(10_000)))
    editor.set_code("x = 1\n" * 10_000, "python")
    editor.go_to_line(5000)
    asked.clear()
    current.set_colors(DARK)
    try:
        assert 0 < len(asked) < 1000
    finally:
        current.set_colors(LIGHT)


def test_a_long_text_is_coloured_where_one_looks(editor, qtbot):
    """From the spans that are open there, and again where lines came in above."""
    editor.set_code('x = """one\n' + "two 2\n" * 3000 + 'three"""\n' + "y = 1\n" * 3000, "python")
    wanted = syntax_colors(current.colors())
    assert colour_at(editor, 2500, 4) == colour_at(editor, 5500, 4) == ""
    editor.show_line(2500)
    assert colour_at(editor, 2500, 4) == wanted["string"]
    editor.verticalScrollBar().setValue(5490)
    assert colour_at(editor, 5500, 4) == wanted["number"]
    assert colour_at(editor, 4500, 4) == ""
    editor.set_editable(True)
    editor.textCursor().insertText("z = 2\n" * 1000)
    qtbot.waitUntil(lambda: colour_at(editor, 5500, 4) == wanted["number"], timeout=2000)


def test_nobody_is_asked_about_lines_that_stand_for_themselves(qtbot, monkeypatch):
    asked = []
    of_line = SyntaxHighlighter.highlightBlock

    def count(self, text):
        asked.append(text)
        of_line(self, text)

    monkeypatch.setattr(
        SyntaxHighlighter, "highlightBlock", count
    )  # Qt looks it up once for each highlighter
    editor = CodeEditor()
    qtbot.addWidget(editor)
    editor.resize(500, 300)
    editor.set_code("x = 1", "python")
    narrow = editor.viewportMargins().left()
    with qtbot.waitSignals([editor.textChanged, editor.blockCountChanged, editor.document().contentsChanged]):
        editor.set_code("y = call(1)\n" * 5000, "python")
    assert 0 < len(asked) < 300
    assert editor.viewportMargins().left() > narrow
    assert editor.verticalScrollBar().maximum() > 4000
    assert colour_at(editor, 1, 4) == syntax_colors(current.colors())["call"]
    assert colour_at(editor, 2500, 4) == ""
    editor.show_line(2500)
    assert colour_at(editor, 2500, 4) == syntax_colors(current.colors())["call"]
    asked.clear()
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    editor.set_code("z = call(1)\n" * 5000, "python")
    assert len(asked) > 5000  # a screen reader hears of it too


@pytest.mark.parametrize(
    ("language", "text", "word", "kind"),
    [
        ("cpp", "auto tmp0 = loadu(ptr);", "auto", "keyword"),
        ("cpp", "/* a\nb */ int x;", "/*", "comment"),
        ("triton", "tl.load(ptr)", "tl", "builtin"),
        ("bytecode", "   13    2 LOAD_FAST    x", "LOAD_FAST", "call"),
        ("loops", "op0: SchedulerNode(Pointwise)", "op0", "definition"),
    ],
)
def test_each_language_has_its_words(editor, language, text, word, kind):
    editor.set_code(text, language)
    assert colour_at(editor, 1, text.index(word)) == syntax_colors(current.colors())[kind]


def test_dim_lines_are_plain_grey(editor):
    editor.set_dim_lines({2})
    assert colour_at(editor, 2, 0) == current.colors().dim_text


def test_find_goes_from_match_to_match(editor, qtbot):
    qtbot.keyClick(editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = editor.find_bar
    assert bar.isVisible()
    qtbot.keyClicks(bar.field, "value_9")
    assert bar.count.text() == "1 of 11"
    assert editor.current_line == 9
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert editor.current_line == 90
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert editor.current_line == 9
    qtbot.keyClicks(bar.field, "zzz")
    assert bar.count.text() == "no match"
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_control_and_wheel_change_the_size_of_letters(editor):
    before = editor.font().pointSize()

    def turn(steps):
        wheel = QWheelEvent(
            QPointF(10, 10),
            QPointF(10, 10),
            QPoint(),
            QPoint(0, 120 * steps),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        editor.wheelEvent(wheel)

    turn(1)
    assert editor.font().pointSize() == before + 1
    turn(-1)
    assert editor.font().pointSize() == before


def test_twenty_thousand_lines_are_quick(editor, qtbot):
    text = "\n".join(f"    buf{n} = torch.add(buf{n}, {n})  # line" for n in range(20_000))
    start = time.process_time()
    editor.set_code(text, "python")
    editor.set_tints(dict.fromkeys(range(1, 20_001), "#dbe9ff"))
    editor.set_outlined(range(1, 20_001, 2), ())
    editor.grab()
    shown = time.process_time() - start
    start = time.process_time()
    editor.hover_at(50)
    editor.set_outlined({5}, {6})
    editor.grab()
    assert shown < 1.0
    assert time.process_time() - start < 0.2
    editor.set_code("", "python")
    qtbot.wait(1)
