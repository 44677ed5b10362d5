"""What a person selected, unfolded and scrolled to stays with its rows."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt

from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from tests.helpers.table_reader import every_row, seen_rows

COLUMNS = (Column("Name", width=Width.STRETCH), Column("Time", width="999 µs", right=True, needs=300))


def row(key: int, time: float = 0.0, children: tuple[Row, ...] = (), **more) -> Row:
    return Row(key, (Cell(f"row {key}"), Cell(f"{time} µs", time)), children, **more)


@pytest.fixture
def table(qtbot) -> RowTable:
    made = RowTable(COLUMNS, "Filter rows")
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    made.tree.setSelectionMode(made.tree.SelectionMode.ExtendedSelection)
    return made


def keys(table: RowTable) -> list[object]:
    return [found.key for found in table.selected()]


def names(table: RowTable) -> list[str]:
    return [found.text(0) for found in every_row(table)]


def test_the_selection_goes_with_its_rows(table, qtbot):
    table.sort_by(1)
    table.set_rows([row(key, key) for key in range(6)])
    table.select({2, 4})
    with qtbot.assertNotEmitted(table.selection_changed):
        table.set_rows([row(key, -key) for key in (7, 2, 9, 4, 1)])
    assert sorted(keys(table)) == [2, 4]
    with qtbot.waitSignal(table.selection_changed):
        table.set_rows([row(2)])
    assert keys(table) == [2]


def test_the_selection_outlives_a_filter(table, qtbot):
    table.set_rows([row(key) for key in range(6)])
    table.select({2, 4})
    with qtbot.assertNotEmitted(table.selection_changed):
        table.field.setText("row 4")
        assert sorted(keys(table)) == [2, 4]
        table.field.clear()
    selected = table.tree.selectionModel().selectedRows()
    assert sorted(index.row() for index in selected) == [2, 4]


def test_a_click_while_filtered_selects_that_row_alone(table, qtbot):
    table.set_rows([row(key) for key in range(6)])
    table.select({2, 4})
    table.field.setText("row 4")
    first = seen_rows(table)[0]
    with qtbot.waitSignal(table.clicked) as clicked:
        qtbot.mouseClick(
            table.tree.viewport(), Qt.MouseButton.LeftButton, pos=table.tree.visualRect(first.index).center()
        )
    assert clicked.args[0].key == 4
    table.field.setText("row 3")
    table.tree.selectionModel().select(
        seen_rows(table)[0].index,
        QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
    )
    assert keys(table) == [3]


def test_what_is_unfolded_stays_so_over_changes_and_filters(table):
    def tree(shift: int) -> list[Row]:
        return [row(key, 0, (row(key + 10, shift, (row(key + 20),)),)) for key in range(4)]

    table.set_rows(tree(0))
    assert not any(found.is_open() for found in every_row(table))
    second = seen_rows(table)[1]
    table.tree.expand(second.index)
    table.tree.expand(second.children()[0].index)
    table.set_rows([*reversed(tree(5)), row(9)])
    assert [found.text(0) for found in every_row(table) if found.is_open()] == ["row 1", "row 11"]
    table.field.setText("row 9")
    table.field.clear()
    assert [found.text(0) for found in every_row(table) if found.is_open()] == ["row 1", "row 11"]
    table.tree.collapse(seen_rows(table)[2].index)
    table.field.setText("row 9")
    table.set_rows(tree(6))
    table.field.clear()
    assert [found.text(0) for found in every_row(table) if found.is_open()] == ["row 11"]


def test_a_row_comes_unfolded_only_where_it_is_asked_for(table):
    tree = [row(0, 0, (row(1, 0, (row(2),), open=True),), open=True), row(3, 0, (row(4),))]
    table.set_rows(tree)
    assert [found.is_open() for found in every_row(table)] == [True, True, False, False, False]
    table.tree.collapse(seen_rows(table)[0].index)
    table.set_rows([*tree, row(5)])
    assert not seen_rows(table)[0].is_open(), "the person folded it"


def test_the_row_on_top_stays_on_top_when_rows_come_above_it(table, qtbot):
    table.set_rows([row(key) for key in range(100, 200)])
    qtbot.waitUntil(lambda: table.tree.verticalScrollBar().maximum() > 0)
    table.tree.verticalScrollBar().setValue(table.tree.verticalScrollBar().maximum() // 2)
    before = table.tree.indexAt(table.tree.viewport().rect().topLeft()).data()
    table.set_rows([row(key) for key in range(50, 200)])
    qtbot.wait(0)
    assert table.tree.indexAt(table.tree.viewport().rect().topLeft()).data() == before
    assert before != "row 100"


def test_at_the_top_one_stays_at_the_top(table):
    table.set_rows([row(key) for key in range(100, 200)])
    table.set_rows([row(key) for key in range(50, 200)])
    assert table.tree.verticalScrollBar().value() == 0


def test_the_order_stays_when_other_rows_come(table):
    table.sort_by(1, descending=True)
    table.set_rows([row(key, time) for key, time in ((1, 9), (2, 10), (3, 2))])
    assert names(table) == ["row 2", "row 1", "row 3"]
    table.set_rows([row(key, time) for key, time in ((1, 9), (2, 1), (3, 2), (4, 100))])
    assert names(table) == ["row 4", "row 1", "row 3", "row 2"]
    assert table.tree.header().sortIndicatorSection() == 1


def test_a_filter_keeps_parents_of_what_matches_and_children_of_what_matches(table, qtbot):
    inside = (row(11), row(12))
    table.set_rows([row(1, 0, inside), row(3, found_by="cpp_fused"), row(4)])
    qtbot.keyClicks(table.field, "row 12")
    assert names(table) == ["row 1", "row 12"]
    table.field.setText("ROW 1")
    assert names(table) == ["row 1", "row 11", "row 12"]
    table.field.setText("CPP_")
    assert names(table) == ["row 3"]
    table.set_rows([row(1, found_by="cpp_1"), row(3)])
    assert names(table) == ["row 1"], "rows that changed are filtered again"
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    assert names(table) == ["row 1", "row 3"]
    qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert table.field.hasFocus() or not table.isActiveWindow()


def test_a_narrow_table_leaves_columns_out(table):
    assert not table.tree.isColumnHidden(1)
    table.resize(250, 200)
    assert table.tree.isColumnHidden(1)
    table.resize(400, 200)
    table.leave_out({1})
    table.resize(500, 200)
    assert table.tree.isColumnHidden(1)


def test_a_table_has_a_name_and_a_spanned_row_takes_the_line(table):
    assert table.tree.accessibleName() == "Name, Time"
    table.set_rows([row(1), row(2, spanned=True)])
    assert table.tree.isFirstColumnSpanned(1, seen_rows(table)[0].index.parent())
