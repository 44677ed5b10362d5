"""A context menu on rows that belong to a line of a file: open it in the person's editor."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from app.translation.texts import tr

FileLine = tuple[str, int]
"""(path, line from 1)."""


def offer_lines(
    tree: QTreeWidget,
    line_of: Callable[[QTreeWidgetItem], FileLine | None],
    open_line: Callable[[str, int], None],
) -> None:
    """Give a tree the menu; rows without a line have none."""

    def show(location: QPoint) -> None:
        item = tree.itemAt(location)
        line = line_of(item) if item is not None else None
        if line is not None:
            menu = QMenu(tree)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(line_action(menu, line, open_line))
            menu.popup(tree.viewport().mapToGlobal(location))

    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    tree.customContextMenuRequested.connect(show)


def line_action(parent: QWidget, line: FileLine, open_line: Callable[[str, int], None]) -> QAction:
    """``Open model.py:12 in the editor``."""
    path, number = line
    action = QAction(
        tr("Open {name}:{number} in the editor").format(name=path.rpartition("/")[2], number=number), parent
    )
    action.setObjectName("open_line")
    action.triggered.connect(lambda: open_line(path, number))
    return action
