"""Cells that look the same are measured once."""

import pytest
from PySide6.QtWidgets import QApplication

from app.theme import text_size
from app.theme.plain_text import VisibleDelegate
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Qt measures, by its texts."""
    texts: list[str] = []
    measure = VisibleDelegate.sizeHint

    def noted(self, option, index):
        texts.append(index.data())
        return measure(self, option, index)

    monkeypatch.setattr(VisibleDelegate, "sizeHint", noted, raising=False)
    return texts


@pytest.fixture
def table(qtbot, qapp: QApplication) -> RowTable:
    made = RowTable((Column("Name", width=Width.STRETCH), Column("State", width=Width.CONTENTS)), "", None)
    qtbot.addWidget(made)
    made.set_rows([Row(number, (Cell(f"row {number}"), Cell("captured"))) for number in range(50)])
    made.resize(400, 300)
    made.show()
    yield made
    text_size.set_scale(qapp, 1.0)


def test_laying_out_again_measures_nothing(asked: list[str], table: RowTable) -> None:
    assert asked.count("captured") == 1
    del asked[:]
    table.tree.resizeColumnToContents(1)
    table.hide()
    table.resize(500, 300)
    table.show()
    assert asked == []


@pytest.mark.parametrize(
    "cell",
    [
        Cell("captured", bold=True),
        Cell("captured", mark="dot"),
        Cell("longer"),
        Cell("captured", ticked=True),
    ],
)
def test_what_looks_otherwise_is_measured(table: RowTable, cell: Cell) -> None:
    table.set_rows([Row(0, (Cell("a"), cell))])
    table.tree.resizeColumnToContents(1)
    alone = RowTable((Column("Name"), Column("State", width=Width.CONTENTS)), "", table)
    alone.set_rows([Row(0, (Cell("a"), cell))])
    # the head is the wider one where a test before has given the application its look
    wanted = max(alone.tree.sizeHintForColumn(1), table.tree.header().sectionSizeHint(1))
    assert table.tree.columnWidth(1) == wanted


def test_larger_text_is_measured_again(table: RowTable, qapp: QApplication) -> None:
    before = table.tree.sizeHintForColumn(1), table.tree.sizeHintForRow(0)
    text_size.set_scale(qapp, 2.0)
    now = table.tree.sizeHintForColumn(1), table.tree.sizeHintForRow(0)
    assert now[0] > before[0] * 1.5
    assert now[1] > before[1]
