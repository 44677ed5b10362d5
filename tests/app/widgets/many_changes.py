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


class Table:
    """What is done to it, and what it has to show."""

    def __init__(self, seed: int) -> None:
        self.draw, self.count, self.given = random.Random(seed), 3, 0
        self.table = RowTable(columns(3), "Filter")
        self.table.resize(500, 300)
        self.table.show()
        self.acts = (self.columns, self.columns, self.sort, self.filter, self.leave_out, self.fit, self.hide)

    def columns(self) -> None:
        self.count = self.draw.choice([2, 3, 4])
        self.table.set_columns(columns(self.count))

    def sort(self) -> None:
        self.table.sort_by(self.draw.randint(-1, self.count - 1), descending=self.draw.random() < 0.5)

    def filter(self) -> None:
        self.table.field.setText(self.draw.choice(["", "1", "2 1", "nothing"]))

    def leave_out(self) -> None:
        self.table.leave_out(self.draw.sample(range(1, self.count), self.draw.randint(0, 1)))

    def fit(self) -> None:
        self.table.tree.header().resizeSections(QHeaderView.ResizeMode.ResizeToContents)

    def hide(self) -> None:
        self.table.setVisible(not self.table.isVisible())

    def give(self) -> None:
        keys = [f"r{n}" for n in self.draw.sample(range(12), self.draw.randint(0, 12))]
        self.table.set_rows([row(key, self.count, self.draw, 2) for key in keys])
        self.given = len(keys)
        if keys and self.draw.random() < 0.7:
            self.table.make_current(self.draw.choice(keys))


def main(seed: int) -> None:
    """Print how many rows are left at the end."""
    app, made = application(), Table(seed)
    for _ in range(STEPS):
        if made.draw.random() < 0.65:
            made.draw.choice(made.acts)()
        made.give()
        if made.draw.random() < 0.3:
            made.table.tree.scrollToBottom()
        if made.draw.random() < 0.3:
            app.processEvents()
    made.table.field.setText("")
    model = made.table.tree.model()
    assert model.rowCount() == made.given
    assert model.data(model.index(0, 0), Qt.ItemDataRole.DisplayRole) or not made.given
    print(made.given)


if __name__ == "__main__":
    main(int(sys.argv[1]))
