"""A slim bar over the window while what is open is restricted, and the question whether it may be run."""

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.session.facade.session import Session
from app.theme import current, fonts
from app.translation.texts import tr, tr_noop
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column, set_row
from compiler.analysis.session_file.what_runs import Part

_OWN = "QFrame#trust_bar {{ background: {panel}; border: none; border-bottom: 1px solid {line}; border-left: 3px solid {mark}; }}"
_WORDS = tr_noop("Restricted: not written on this computer. It is shown; nothing of it is run.")
_LEAST_LINES, _MOST_LINES = 1, 14


class TrustBar(QFrame):
    """There while nobody has agreed to run what is open."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trust_bar")
        self._session = session
        self.text = ElidedLabel(tr(_WORDS), self)
        self.trust = QPushButton(tr("Trust…"), self)
        self.trust.setToolTip(tr("Show all that would be run of this file, and decide"))
        set_row(self, (self.text, 1), self.trust, margins=(10, 2, 6, 2), spacing=8)
        self.hide()
        self.trust.clicked.connect(lambda: session.trust.allow())
        session.trust.changed.connect(self._fill)
        current.signals().changed.connect(self._style)
        self._style()

    def _fill(self) -> None:
        self.setVisible(self._session.trust.restricted)

    def _style(self) -> None:
        colors = current.colors()
        self.setStyleSheet(_OWN.format(panel=colors.panel, line=colors.line, mark=colors.error))


class TrustDialog(QDialog):
    """All that would be run, each part in a frame of its own, so that no text of the file can pass itself off as ours."""

    def __init__(self, parts: tuple[Part, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trust_dialog")
        self.setWindowTitle(tr("Run the program?"))
        page = QWidget(self)
        rows = QVBoxLayout(page)
        self.texts: list[QPlainTextEdit] = []
        for part in parts:
            title = _label(part.title, page)
            font = title.font()
            font.setBold(True)
            title.setFont(font)
            rows.addWidget(title)
            rows.addWidget(self._text(part.text, page))
        rows.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        self.buttons = QDialogButtonBox(self)
        self.run = self.buttons.addButton(tr("Trust and run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.refuse = self.buttons.addButton(tr("Do not run"), QDialogButtonBox.ButtonRole.RejectRole)
        self.run.setAutoDefault(False)
        self.refuse.setDefault(True)
        set_column(
            self,
            _label(tr("This session file was not written on this computer. All of this would be run:"), self),
            (scroll, 1),
            _label(tr("Only agree if you trust where the file and this program come from."), self),
            self.buttons,
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.resize(820, 680)

    def _text(self, text: str, parent: QWidget) -> QPlainTextEdit:
        shown = QPlainTextEdit(text, parent)
        shown.setFont(fonts.monospace())
        shown.setReadOnly(True)
        shown.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        shown.setTabChangesFocus(True)
        lines = min(max(text.count("\n") + 1 + len(text) // 90, _LEAST_LINES), _MOST_LINES)
        shown.setFixedHeight(shown.fontMetrics().lineSpacing() * lines + 18)
        self.texts.append(shown)
        return shown


def _label(text: str, parent: QWidget) -> QLabel:
    label = WrappedLabel("", parent)
    label.setText(text)
    return label


def may_run(parts: tuple[Part, ...], parent: QWidget) -> bool:
    """Whether the person agrees to all of it."""
    dialog = TrustDialog(parts, parent)
    agreed = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return agreed
