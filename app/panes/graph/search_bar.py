"""The search row: type, see how many nodes match, go from one to the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.panes.graph.query_help import query_help
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.layouts.boxes import set_row
from compiler.model.ir.ids import NodeId


class SearchBar(QWidget):
    """Holds what was typed and where in the matches one is."""

    changed = Signal(str)
    moved = Signal(object)
    """Go to this node."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[NodeId, ...] = ()
        self._index = -1
        self.field = QLineEdit(self)
        self.field.setObjectName("search")
        self.field.setPlaceholderText(
            tr("Search: words, op:gelu shape:[*,768] dtype:bf16 line:42 kernel:3, /regular expression/")
        )
        self.field.setToolTip(query_help())
        self.field.setAccessibleName(tr("Search the graph"))
        self.field.setClearButtonEnabled(True)
        self.count = QLabel(self)
        previous = tool_button(self, "↑", tr("Previous match (Shift+Enter)"), self.go_back)
        following = tool_button(self, "↓", tr("Next match (Enter, F3)"), self.go_on)
        close = tool_button(self, "✕", tr("Close (Esc)"), self.close_bar)
        set_row(self, (self.field, 1), self.count, previous, following, close, margins=(8, 3, 8, 3))
        self.field.textChanged.connect(self.changed)
        self.hide()

    def open(self) -> None:
        """Show the row and take the keyboard."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def close_bar(self) -> None:
        """Hide the row; what was typed is kept for the next time, the matches are not shown any more."""
        self.hide()
        self.closed.emit()

    def set_matches(self, found: tuple[NodeId, ...]) -> None:
        """These nodes match what was typed."""
        current = self._found[self._index] if 0 <= self._index < len(self._found) else None
        self._found = found
        self._index = found.index(current) if current in found else -1
        self._show_count()

    def report_error(self, text: str) -> None:
        """What was typed is no query."""
        self._found, self._index = (), -1
        self.count.setText(text)

    def go_on(self) -> None:
        """The next match, around the end."""
        self._step(1)

    def go_back(self) -> None:
        """The match before."""
        self._step(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self._step(-1 if backwards else 1)
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        if not self._found:
            return
        start = self._index if self._index >= 0 or by > 0 else 0
        self._index = (start + by) % len(self._found)
        self._show_count()
        self.moved.emit(self._found[self._index])

    def _show_count(self) -> None:
        if not self.field.text().strip():
            self.count.setText("")
        elif not self._found:
            self.count.setText(tr("no match"))
        elif self._index < 0:
            self.count.setText(tr("%n match(es)", None, len(self._found)))
        else:
            self.count.setText(tr("{value} of {count}").format(value=self._index + 1, count=len(self._found)))
