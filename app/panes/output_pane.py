"""The output pane: what the program and the engine printed."""

from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QWidget

from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.layouts.boxes import Room, row_of, set_column
from compiler.analysis.text_format.visible_text import visible

MOST_LINES = 5000


class OutputPane(QWidget):
    """Appends what arrives; stays at the end unless one has scrolled up."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("output_pane")
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setFont(fonts.monospace())
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setMaximumBlockCount(MOST_LINES)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setPlaceholderText(tr("What your program and the engine print appears here."))
        self.note = QLabel(tr("The last {most_lines:,} lines are kept.").format(most_lines=MOST_LINES), self)
        self.note.setForegroundRole(self.note.palette().ColorRole.PlaceholderText)
        self.note.hide()
        self.copy = tool_button(self, tr("Copy"), tr("Copy everything"), self._copy, name=tr("Copy"))
        self.clear = tool_button(self, tr("Clear"), "", self._clear, name=tr("Clear"))
        bar = row_of((self.note, 1), Room(0), self.copy, self.clear)
        set_column(self, bar, (self.text, 1), margins=(6, 2, 4, 0), spacing=2)
        session.output_arrived.connect(self.append)
        for button in (self.copy, self.clear):
            button.setEnabled(False)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def append(self, text: str) -> None:
        """Add text as it came, without adding line ends of its own."""
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(visible(text.replace("\r\n", "\n").replace("\r", "\n")))
        self.note.setVisible(self.text.blockCount() >= MOST_LINES)
        for button in (self.copy, self.clear):
            button.setEnabled(not self.text.document().isEmpty())
        if at_end:
            bar.setValue(bar.maximum())

    def _clear(self) -> None:
        self.text.clear()
        self.note.hide()
        for button in (self.copy, self.clear):
            button.setEnabled(False)
