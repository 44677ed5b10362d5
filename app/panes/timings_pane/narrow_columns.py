"""Tables that keep what is looked for most where there is little room."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHeaderView, QTreeWidget

_AIR = 26
"""Pixels that a column is wider than its widest text."""


def fix_widths(tree: QTreeWidget, stretched: int, widest: dict[int, str]) -> None:
    """Give columns the width of the widest text to expect, and one the room that is left: measuring every row whenever a
    number changes would be too slow.
    """
    header = tree.header()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
    for column, sample in widest.items():
        header.resizeSection(column, tree.fontMetrics().horizontalAdvance(sample) + _AIR)


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
