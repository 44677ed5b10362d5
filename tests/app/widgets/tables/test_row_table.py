"""What a person selected, unfolded and scrolled to stays with its rows."""

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleOptionViewItem, QToolTip

from app.theme.plain_text import use_plain_text
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width, nested
from compiler.analysis.text_format.visible_text import visible
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import current_row, every_row, menu_texts, row_of, seen_rows

COLUMNS = (Column("Name", width=Width.STRETCH), Column("Time", width="999 µs", right=True, needs=300))


def row(key: int, time: float = 0.0, children: tuple[Row, ...] = (), **more) -> Row:
    return Row(key, (Cell(f"row {key}"), Cell(f"{time} µs", time)), children, **more)


@pytest.fixture
def table(qtbot) -> RowTable:
    made = on_screen(qtbot, RowTable(COLUMNS, "Filter rows"), 400, 200)
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


def test_what_is_selected_while_nobody_looks_is_brought_into_view_when_somebody_does(qtbot):
    table = RowTable(COLUMNS)
    qtbot.addWidget(table)
    table.resize(400, 40)
    table.set_rows([row(key) for key in range(100)])
    table.select({5})
    table.resize(400, 300)
    table.show()
    qtbot.wait(10)
    assert table.tree.verticalScrollBar().value() == 0, "it is seen without"
    table.hide()
    table.select({90})
    assert table.tree.verticalScrollBar().value() == 0
    table.show()
    qtbot.waitUntil(lambda: table.tree.viewport().rect().contains(row_of(table, 90).seen_at().center()))


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


def test_keys_walk_through_the_rows_as_the_mouse_does(table, qtbot):
    table.set_rows([row(key) for key in range(4)])
    gone_to, picked = [], []
    table.current_changed.connect(lambda found: gone_to.append(found.key))
    table.row_picked.connect(lambda found, column: picked.append((found.key, column)))
    qtbot.mouseClick(table.tree.viewport(), Qt.MouseButton.LeftButton, pos=seen_rows(table)[1].center())
    qtbot.keyClick(table.tree, Qt.Key.Key_Down)
    qtbot.keyClick(table.tree, Qt.Key.Key_Return)
    assert gone_to == [1, 2]
    assert picked == [(1, 0), (2, 0)]


@pytest.mark.parametrize("mode", ["SingleSelection", "ExtendedSelection"])
def test_the_current_row_stays_so_and_no_neighbour_takes_its_place(table, qtbot, mode):
    table.tree.setSelectionMode(getattr(table.tree.SelectionMode, mode))
    table.set_rows([row(key) for key in range(6)])
    with qtbot.waitSignal(table.current_changed):
        table.make_current(4)
    with qtbot.assertNotEmitted(table.current_changed), qtbot.assertNotEmitted(table.selection_changed):
        table.field.setText("row 2")
        assert (table.current().key, keys(table)) == (4, [4])
        assert not table.tree.currentIndex().isValid()
        table.field.clear()
        table.set_rows([row(key, 9) for key in (9, 4, 8)])
        table.select({4})
    assert current_row(table).text(0) == "row 4"
    assert keys(table) == [4]
    with qtbot.waitSignal(table.current_changed) as reported:
        table.set_rows([row(9)])
    assert reported.args == [None]
    assert (table.current(), keys(table)) == (None, [])


def test_a_click_may_give_other_rows(table, qtbot):
    """Qt's filter then frees what the click's index points to: it was asked for the row once more, and the window crashed."""
    table.sort_by(1)
    table.set_rows([row(key, key, (row(key + 100),)) for key in range(30)])
    others = [row(key, -key) for key in range(0, 30, 2)]
    picked = []
    table.clicked.connect(lambda _: table.set_rows(others))
    table.row_picked.connect(lambda found, column: picked.append((found.key, column)))
    qtbot.mouseClick(table.tree.viewport(), Qt.MouseButton.LeftButton, pos=seen_rows(table)[1].center())
    assert picked == [(1, 0)]


def test_what_holds_what_is_looked_for_is_unfolded_meanwhile(table):
    table.set_rows([row(1, 0, (row(11, 0, (row(111),)),)), row(2, 0, (row(21),), open=True)])
    table.field.setText("111 row")
    assert [found.text(0) for found in every_row(table) if found.is_open()] == ["row 1", "row 11"]
    table.set_rows([row(1, 1, (row(11, 0, (row(111),)),)), row(3, 0, (row(31, 0, (row(111),)),))])
    assert [found.text(0) for found in every_row(table) if found.is_open()] == [
        "row 1", "row 11", "row 3", "row 31",
    ]  # fmt: skip
    table.field.clear()
    assert not any(found.is_open() for found in every_row(table))


def test_a_pane_folds_and_unfolds_by_what_it_gives(table):
    table.set_rows([row(1, 0, (row(11),)), row(2, 0, (row(21),), open=True)])
    table.set_rows([row(1, 0, (row(11),), open=True), row(2, 0, (row(21),))])
    assert [found.is_open() for found in seen_rows(table)] == [True, False]
    table.tree.collapse(seen_rows(table)[0].index)
    table.set_rows([row(1, 1, (row(11),), open=True), row(2, 0, (row(21),))])
    assert not seen_rows(table)[0].is_open()


def test_children_are_made_when_they_are_looked_for(table):
    asked = []

    def later(*found: int):
        return lambda: (asked.append(found), tuple(row(key) for key in found))[1]

    table.set_rows([row(1, later=later(11, 12)), row(2, later=later(21, 22)), row(3)])
    assert asked == []
    assert [table.tree.model().hasChildren(found.index) for found in seen_rows(table)] == [True, True, False]
    table.tree.expand(seen_rows(table)[0].index)
    table.tree.doItemsLayout()
    assert asked == [(11, 12)]
    table.make_current(12)
    table.set_rows([row(1, 5, later=later(13, 12)), row(2, later=later(21, 22)), row(3)])
    assert asked == [(11, 12), (13, 12)]
    assert names(table) == ["row 1", "row 13", "row 12", "row 2", "row 3"]
    assert keys(table) == [12]
    table.field.setText("22")
    assert asked[2:] == [(21, 22)]
    assert names(table) == ["row 2", "row 22"]
    table.set_rows([row(4, later=later(41, 22)), row(5, later=later(51))])
    assert names(table) == ["row 4", "row 22"]
    table.field.clear()
    table.set_rows([row(4), row(5, 0, (row(6),))])
    assert names(table) == ["row 4", "row 5", "row 6"]


@pytest.mark.thorough
def test_rows_stand_as_deep_as_programs_go(table):
    rows = nested((depth, row(depth, open=True)) for depth in range(600))
    table.set_rows(rows)
    table.field.setText("599")
    table.field.clear()
    table.set_rows(nested((depth, row(depth, 1)) for depth in range(590)))
    assert sum(1 for _ in every_row(table)) == 590


def test_rows_of_depths_stand_in_one_another():
    (first, second) = nested([(0, row(1)), (1, row(2)), (5, row(3)), (1, row(4)), (-1, row(5))])
    assert [child.key for child in first.children] == [2, 4]
    assert [child.key for child in first.children[0].children] == [3]
    assert (second.key, second.children) == (5, ())


def test_a_row_has_the_menu_that_is_filled_for_it(table):
    table.set_rows([row(1), row(2)])
    table.offer_menu(lambda menu, found: menu.addAction(f"Open {found.key}") if found.key == 2 else None)
    assert menu_texts(table, seen_rows(table)[0]) == []
    assert menu_texts(table, seen_rows(table)[1]) == ["Open 2"]


def test_the_menu_key_opens_the_menu_of_the_current_row(table, qtbot):
    table.set_rows([row(key) for key in range(5)])
    table.make_current(2)
    filled = []
    table.offer_menu(lambda menu, found: filled.append(found.key))
    at = table.tree.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()  # where Qt sends it
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, table.tree.mapToGlobal(at))
    QApplication.sendEvent(table.tree, event)
    assert filled == [2]


def test_boxes_and_typing_are_reported_and_change_nothing_by_themselves(table, qtbot):
    cells = (Cell("tick", ticked=True), Cell("shown", edit="typed over"))
    table.set_rows([Row("a", cells)])
    reported = []
    table.ticked.connect(lambda found, on: reported.append((found.key, on)))
    table.edited.connect(lambda found, text: reported.append((found.key, text)))
    table.tree.setFocus()
    table.make_current("a")
    qtbot.keyClick(table.tree, Qt.Key.Key_Space)
    table.begin_edit("a")
    editor = table.tree.findChild(QLineEdit)
    assert editor.text() == "typed over"
    editor.setText("new")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: reported == [("a", False), ("a", "new")])
    assert seen_rows(table)[0].texts() == ["tick", "shown"]
    assert seen_rows(table)[0].index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked


def test_keys_go_past_a_row_that_is_grey(table, qtbot):
    table.set_rows([row(1), row(2, enabled=False), row(3)])
    qtbot.mouseClick(table.tree.viewport(), Qt.MouseButton.LeftButton, pos=seen_rows(table)[1].center())
    assert keys(table) == []
    table.make_current(1)
    qtbot.keyClick(table.tree, Qt.Key.Key_Down)
    assert table.current().key == 3


def test_other_columns_leave_the_rows_as_they_were(table):
    table.set_rows([row(1, 0, (row(11),)), row(2)])
    table.tree.expand(seen_rows(table)[0].index)
    table.make_current(11)
    table.set_columns((Column("Other"), COLUMNS[1]))
    assert table.tree.model().headerData(0, Qt.Orientation.Horizontal) == "Other"
    table.set_columns((*COLUMNS, Column("Third")))
    assert seen_rows(table)[0].is_open()
    assert (table.current().key, current_row(table).text(0), keys(table)) == (11, "row 11", [11])
    assert table.tree.header().count() == 3


def test_a_column_of_its_contents_has_a_limit_until_it_is_dragged(table):
    table.set_columns((Column("Name", most=90), COLUMNS[1]))
    table.set_rows([row(1)])
    header = table.tree.header()
    narrow = header.sectionSize(0)
    table.set_rows([Row(1, (Cell("long " * 40),))])
    assert narrow < header.sectionSize(0) == 90
    header.resizeSection(0, 200)
    table.set_rows([row(2)])
    assert header.sectionSize(0) == 200


def test_texts_that_wrap_take_the_lines_they_need(table, qtbot):
    table.set_columns((Column("Name", width=Width.STRETCH, wraps=True),))
    table.set_rows([Row(1, (Cell("short"),)), Row(2, (Cell("words " * 30),)), Row(3, (Cell("a\nb"),))])
    qtbot.wait(0)
    heights = [table.tree.visualRect(found.index).height() for found in seen_rows(table)]
    assert heights[1] > 2 * heights[0]
    assert heights[0] < heights[2] < heights[1]


def test_a_name_of_several_parts_goes_on_in_the_next_line(table, qtbot):
    """Its end says most: *torch.nn.functional.gelu* was cut before it."""
    name = "torch.nn.functional.scaled_dot_product_attention"
    table.set_columns((Column("Name", width=Width.STRETCH, wraps=True),))
    table.resize(table.tree.fontMetrics().horizontalAdvance(name) // 2, 300)
    table.set_rows([Row(1, (Cell("short"),)), Row(2, (Cell(name),))])
    qtbot.wait(0)
    short, long = (table.tree.visualRect(found.index).height() for found in seen_rows(table))
    assert long > short + table.tree.fontMetrics().height()
    option = QStyleOptionViewItem()
    option.rect = table.tree.visualRect(seen_rows(table)[1].index)
    option.widget = table.tree
    table.tree.itemDelegateForColumn(0).initStyleOption(option, seen_rows(table)[1].index)
    shown = option.text.split("\u2028")
    assert "".join(shown) == name == visible("".join(shown)), "nothing is added to it"
    assert len(shown) > 1
    assert all(option.fontMetrics.horizontalAdvance(line) <= option.rect.width() for line in shown)
    assert seen_rows(table)[1].text(0) == name, "what is found and copied is the name"


def test_a_line_that_ends_begins_another_and_no_sign_stands_for_it(table, qtbot, qapp):
    use_plain_text(qapp)
    table.set_columns((Column("Name", width=Width.STRETCH, wraps=True),))
    reach = []
    for text in ("wwww", "wwww\nww", "wwwwww"):
        table.set_rows([Row(1, (Cell(text),))])
        qtbot.wait(0)
        picture = table.tree.viewport().grab(table.tree.visualRect(row_of(table, 1).index)).toImage()
        ground = picture.pixelColor(picture.width() - 2, 1)
        across = range(picture.width())
        reach.append(
            max(x for x in across for y in range(picture.height()) if picture.pixelColor(x, y) != ground)
        )
    assert reach[0] == reach[1] < reach[2]


def test_a_cell_nobody_may_overlook_stays_so_when_its_row_is_selected(table):
    table.set_rows([Row(1, (Cell("wrong", alarm=True), Cell("other")))])
    alarm, other = (row_of(table, 1).index.siblingAtColumn(at) for at in (0, 1))

    def corners() -> list[str]:
        picture = table.tree.viewport().grab().toImage()
        spots = (table.tree.visualRect(index).bottomRight() for index in (alarm, other))
        return [picture.pixelColor(spot.x() - 2, spot.y() - 2).name() for spot in spots]

    before = corners()
    table.select({1})
    after = corners()
    assert after[0] == before[0] == alarm.data(Qt.ItemDataRole.BackgroundRole).name()
    assert after[1] != before[1]


HOSTILE = "<b>x</b>\n\u202egnp.exe\u200b\t&amp;"


def test_a_row_shows_its_text_and_its_tooltip_as_they_are(table, qtbot, qapp):
    use_plain_text(qapp)
    hostile = [Row(1, (Cell(HOSTILE, tooltip=HOSTILE), Cell("plain", tooltip="<i>tip</i>")))]
    table.set_rows(hostile)
    shown = row_of(table, 1)
    assert shown.text(0) == "<b>x</b>⏎⟨U+202E⟩gnp.exe⟨U+200B⟩ &amp;"
    assert shown.tooltip(0) == "<b>x</b>\n⟨U+202E⟩gnp.exe⟨U+200B⟩\t&amp;"
    assert shown.tooltip(1) == "<i>tip</i>"
    heights = {table.tree.visualRect(shown.index).height()}
    table.set_rows([row(1)])
    heights.add(table.tree.visualRect(row_of(table, 1).index).height())
    assert len(heights) == 1, "a line's end makes no row higher"
    table.set_rows(hostile)
    at = table.tree.visualRect(shown.index.siblingAtColumn(1)).center()
    over = QHelpEvent(QEvent.Type.ToolTip, at, table.tree.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.tree.viewport(), over)
    tips = [w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel"]
    assert [(tip.text(), tip.textFormat()) for tip in tips] == [("<i>tip</i>", Qt.TextFormat.PlainText)]
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_without_a_placeholder_there_is_no_field(qtbot):
    table = on_screen(qtbot, RowTable(COLUMNS))
    assert not table.field.isVisible()
    qtbot.keyClick(table.tree, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not table.field.hasFocus()


def test_rows_that_are_made_when_they_are_seen_come_sorted(table, qtbot):
    """A view asks for them while it lays its rows out: sorted after that, Qt's filter freed what indices point to, and the window crashed."""
    table.sort_by(1)
    table.set_rows([row(key, later=lambda: (row(8, 2), row(9, 1)), open=key == 1) for key in range(3)])
    with qtbot.assertNotEmitted(table._model.layoutChanged):
        table.tree.setExpanded(table._filter.index(0, 0), True)
        qtbot.wait(5)
    assert names(table) == ["row 0", "row 9", "row 8", "row 1", "row 9", "row 8", "row 2"]
