"""``python -m tests.app.widgets.many_changes SEED``: a table is given other rows, columns, orders and filters at random, as panes do
it. A process of its own: what Qt does of a row that is gone ends the whole process.
"""

import os
import random
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView

from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from app.window.application import application

STEPS = 500


def columns(count: int) -> list[Column]:
    return [Column("name", width=Width.STRETCH), *(Column(f"c{n}", right=n == 1) for n in range(count - 1))]


def row(key: str, count: int, draw: random.Random, depth: int) -> Row:
    cells = tuple(Cell(f"{key} {n}", sort=draw.random() if n else None) for n in range(count))
    inside = [f"{key}.{n}" for n in draw.sample(range(4), draw.randint(0, 3))] if depth else []
    children = tuple(row(name, count, draw, depth - 1) for name in inside)
    return Row(key, cells, children, open=draw.random() < 0.5)


def main(seed: int) -> None:
    """Print how many rows are left at the end."""
    draw, app = random.Random(seed), application()
    table = RowTable(columns(3), "Filter")
    table.resize(500, 300)
    table.show()
    count, given = 3, 0
    for _ in range(STEPS):
        act = draw.random()
        if act < 0.3:
            count = draw.choice([2, 3, 4])
            table.set_columns(columns(count))
        elif act < 0.4:
            table.sort_by(draw.randint(-1, count - 1), descending=draw.random() < 0.5)
        elif act < 0.5:
            table.field.setText(draw.choice(["", "1", "2 1", "nothing"]))
        elif act < 0.55:
            table.leave_out(draw.sample(range(1, count), draw.randint(0, 1)))
        elif act < 0.6:
            table.tree.header().resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        elif act < 0.65:
            table.setVisible(not table.isVisible())
        keys = [f"r{n}" for n in draw.sample(range(12), draw.randint(0, 12))]
        table.set_rows([row(key, count, draw, 2) for key in keys])
        given = len(keys)
        if keys and draw.random() < 0.7:
            table.make_current(draw.choice(keys))
        if draw.random() < 0.3:
            table.tree.scrollToBottom()
        if draw.random() < 0.3:
            app.processEvents()
    table.field.setText("")
    assert table.tree.model().rowCount() == given
    assert table.tree.model().data(table.tree.model().index(0, 0), Qt.ItemDataRole.DisplayRole) or not given
    print(given)


if __name__ == "__main__":
    main(int(sys.argv[1]))
