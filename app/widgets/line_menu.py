"""A context menu on rows that belong to a line of a file: open it in the person's editor."""

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.translation.texts import tr
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Row

FileLine = tuple[str, int]
"""(path, line from 1)."""


def offer_lines(
    table: RowTable, line_of: Callable[[Row], FileLine | None], open_line: Callable[[str, int], None]
) -> None:
    """Give a table the menu; rows without a line have none."""

    def fill(menu: QMenu, row: Row) -> None:
        line = line_of(row)
        if line is not None:
            menu.addAction(line_action(menu, line, open_line))

    table.offer_menu(fill)


def line_action(parent: QWidget, line: FileLine, open_line: Callable[[str, int], None]) -> QAction:
    """``Open model.py:12 in the editor``."""
    path, number = line
    action = QAction(
        tr("Open {name}:{number} in the editor").format(name=path.rpartition("/")[2], number=number), parent
    )
    action.setObjectName("open_line")
    action.triggered.connect(lambda: open_line(path, number))
    return action
