"""A table with room for two rows gives the filter's line to them."""

from PySide6.QtCore import Qt

from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Column
from tests.helpers.shown_widget import on_screen


def test_the_filter_gives_way_and_comes_when_it_is_wanted(qtbot) -> None:
    table = on_screen(qtbot, RowTable((Column("Edit"),), "Filter edits"))
    table.setFixedHeight(400)
    assert table.field.isVisible()
    table.setFixedHeight(60)
    assert not table.field.isVisible()
    qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert table.field.isVisible()
    table.field.setText("relu")
    table.setFixedHeight(400)
    table.setFixedHeight(60)
    assert table.field.isVisible()  # what is filtered out must be seen to be


def test_one_that_its_pane_hid_stays_hidden(qtbot) -> None:
    table = on_screen(qtbot, RowTable((Column("Edit"),), "Filter edits"))
    table.field.hide()
    for height in (400, 60, 400):
        table.setFixedHeight(height)
        assert not table.field.isVisible()
