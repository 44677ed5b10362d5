"""A list one narrows by typing: for the palette of actions and the choice of operations."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.widgets.layouts.boxes import set_column


@dataclass(frozen=True)
class FilterRow:
    """One line of the list."""

    text: str
    detail: str = ""
    """Shown behind the text and searched as well."""
    enabled: bool = True


class FilterList(QWidget):
    """A line to type in and the rows that match every word of it: those of that very name, then those that begin with it,
    then the rest, each in their given order.
    """

    chosen = Signal(int)
    """Index of the row, by Enter or double click."""
    current_changed = Signal(int)

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[FilterRow, ...] = ()
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(hint)
        self.line.setClearButtonEnabled(True)
        self.line.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        set_column(self, self.line, self.list, margins=0)
        self.line.textChanged.connect(self._narrow)
        self.list.itemDoubleClicked.connect(self._choose)
        self.list.currentItemChanged.connect(lambda: self.current_changed.emit(self.current))
        self.setFocusProxy(self.line)

    def set_rows(self, rows: Sequence[FilterRow]) -> None:
        """Show other rows."""
        self._rows = tuple(rows)
        self._narrow()

    @property
    def current(self) -> int:
        """Index of the current row, or -1."""
        row = self.list.currentRow()
        return int(self.list.item(row).data(Qt.ItemDataRole.UserRole)) if row >= 0 else -1

    @property
    def shown(self) -> tuple[int, ...]:
        """Indices of the rows that match."""
        items = (self.list.item(number) for number in range(self.list.count()))
        return tuple(int(item.data(Qt.ItemDataRole.UserRole)) for item in items)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = max(0, min(self.list.count() - 1, self.list.currentRow() + step))
                self.list.setCurrentRow(row)
                return True
        return super().eventFilter(watched, event)

    def _narrow(self) -> None:
        words = self.line.text().lower().split()
        self.list.clear()
        typed = self.line.text().strip().lower()
        matching = [
            index for index, row in enumerate(self._rows) if all(word in _searched(row) for word in words)
        ]
        for index in sorted(matching, key=lambda index: _nearness(self._rows[index], typed)):
            row = self._rows[index]
            item = QListWidgetItem(f"{row.text}    {row.detail}" if row.detail else row.text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, index)
            if not row.enabled:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        self.list.setCurrentRow(0)

    def _choose(self) -> None:
        if self.current >= 0 and self._rows[self.current].enabled:
            self.chosen.emit(self.current)


def _searched(row: FilterRow) -> str:
    return f"{row.text} {row.detail}".lower()


def _nearness(row: FilterRow, typed: str) -> int:
    name = row.text.lower()
    return 0 if name == typed else 1 if name.startswith(typed) else 2
