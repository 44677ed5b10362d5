"""Tables that keep what is looked for most where there is little room."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTreeWidget


class NarrowColumns(QObject):
    """Hides columns of a table while it is narrower than they need."""

    def __init__(self, tree: QTreeWidget, needed: dict[int, int]) -> None:
        super().__init__(tree)
        self._tree = tree
        self._needed = needed
        """Column → pixels of width that the table needs before it is shown."""
        tree.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            for column, needed in self._needed.items():
                self._tree.setColumnHidden(column, self._tree.width() < needed)
        return super().eventFilter(watched, event)
