"""The model of rows under random changes, with Qt's own tester watching the model and the filter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.theme import current
from app.theme.colors import DARK, LIGHT
from app.widgets.bar_delegate import FRACTION_ROLE
from app.widgets.tables import row_model
from app.widgets.tables.row_filter import RowFilter
from app.widgets.tables.row_model import RowModel
from app.widgets.tables.rows import Cell, Column, Row
from tests.helpers.thoroughness import examples

COLUMNS = (Column("Name"), Column("Time", tip="of a call", right=True))
FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
DESCENDING = Qt.SortOrder.DescendingOrder

cells = st.tuples(
    st.builds(Cell, st.sampled_from(("relu", "gelu", "add"))),
    st.builds(Cell, st.just("?"), st.one_of(st.none(), st.integers(0, 9))),
)
KEYS = st.integers(0, 12)
leaves = st.builds(Row, KEYS, cells)


def levels(inside: st.SearchStrategy[Row]) -> st.SearchStrategy[Row]:
    children = st.lists(inside, max_size=5, unique_by=lambda row: row.key).map(tuple)
    return st.builds(Row, KEYS, cells, children)


trees = st.lists(st.recursive(leaves, levels, max_leaves=12), max_size=8, unique_by=lambda row: row.key)
changes = st.lists(
    st.one_of(trees, st.sampled_from(("", "relu", "e")), st.tuples(st.integers(-1, 1), st.booleans())),
    min_size=2,
    max_size=8,
)


def texts(model: RowModel | RowFilter, parent: QModelIndex | None = None) -> list[tuple[str, list]]:
    parent = parent or QModelIndex()
    rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return [(index.data(), texts(model, index)) for index in rows]


def expected(rows: list[Row], sorted_by: tuple[int, bool], wanted: str, inside: bool = False) -> list:
    """The same by the plainest means."""
    column, descending = sorted_by
    if column >= 0:
        rows = sorted(
            rows,
            key=lambda row: (
                row.cells[column].sort is not None,
                row.cells[column].sort or 0,
                row.cells[column].text,
            ),
            reverse=descending,
        )
    found = []
    for row in rows:
        matches = inside or any(wanted in cell.text for cell in row.cells)
        below = expected(list(row.children), sorted_by, wanted, matches)
        if matches or below:
            found.append((row.cells[0].text, below))
    return found


@pytest.mark.thorough
@settings(max_examples=examples(150), deadline=None)
@given(changes)
def test_any_changes_leave_a_sound_model_that_shows_what_was_given(qapp, steps):
    model = RowModel(COLUMNS)
    shown = RowFilter(model)
    testers = [QAbstractItemModelTester(each, FATAL) for each in (model, shown)]
    rows: list[Row] = []
    sorted_by, wanted = (-1, False), ""
    for step in steps:
        if isinstance(step, str):
            shown.set_text(wanted := step)
        elif isinstance(step, tuple):
            sorted_by = step
            shown.sort(step[0], DESCENDING if step[1] else Qt.SortOrder.AscendingOrder)
        else:
            model.set_rows(rows := step)
        assert texts(model) == expected(rows, sorted_by, "")
        assert texts(shown) == expected(rows, sorted_by, wanted)
    del testers


def put_off(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The same, every second row making its children only when it is asked."""
    made = []
    for row in rows:
        inside = put_off(row.children)
        later = isinstance(row.key, int) and row.key % 2 == 0 and inside
        made.append(
            Row(row.key, row.cells, later=lambda inside=inside: inside)
            if later
            else Row(row.key, row.cells, inside)
        )
    return tuple(made)


@pytest.mark.thorough
@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(trees, st.sets(st.integers(0, 30)), st.integers(-1, 1)), min_size=2, max_size=6))
def test_children_that_are_made_late_are_those_that_were_given(qapp, steps):
    """Qt's tester asks for them in the middle of changes, as a view may."""
    model = RowModel(COLUMNS)
    shown = RowFilter(model)
    testers = [QAbstractItemModelTester(each, FATAL) for each in (model, shown)]
    for rows, unfolded, column in steps:
        model.sort(column)
        model.set_rows(put_off(tuple(rows)))
        for at, node in enumerate(list(model.nodes())):
            if at in unfolded and model.canFetchMore(model.index_of(node)):
                model.fetchMore(model.index_of(node))
    assert model.rowCount() == len(steps[-1][0])
    shown.set_text("nothing that is there")
    shown.set_text("")
    wanted = expected(list(steps[-1][0]), (steps[-1][2], False), "")
    assert texts(model) == texts(shown) == wanted
    del testers


@pytest.mark.thorough
@settings(max_examples=examples(100), deadline=None)
@given(trees, trees)
def test_an_index_that_qt_keeps_goes_with_its_row(qapp, before, after):
    model = RowModel(COLUMNS)
    model.set_rows(before)
    kept = {
        node.row.key: QPersistentModelIndex(model.index_of(node, 1))
        for node in model.nodes()
        if node.above is model.node_at(QModelIndex())
    }
    model.sort(1, DESCENDING)
    model.set_rows(after)
    there = {row.key: row for row in after}
    for key, index in kept.items():
        assert index.isValid() == (key in there)
        if index.isValid():
            assert model.node_at(index).row is there[key]
            assert index.column() == 1


def timed(*times: float | None) -> list[Row]:
    return [Row(at, (Cell(f"k{at}"), Cell(f"{time}", time))) for at, time in enumerate(times)]


def test_numbers_sort_by_value_and_equal_ones_stay_as_given(qapp):
    model = RowModel(COLUMNS)
    model.set_rows(timed(9, 10, 2, None, 10))
    model.sort(1)
    assert [name for name, _ in texts(model)] == ["k3", "k2", "k0", "k1", "k4"]
    model.sort(1, DESCENDING)
    assert [name for name, _ in texts(model)] == ["k1", "k4", "k0", "k2", "k3"]
    model.set_rows(timed(9, 10, 200, None, 10))
    assert next(name for name, _ in texts(model)) == "k2", "what changed is sorted again"
    model.sort(-1)
    assert [name for name, _ in texts(model)] == ["k0", "k1", "k2", "k3", "k4"]


def test_rows_are_sorted_once_an_update(qapp, monkeypatch):
    model, keyed = RowModel(COLUMNS), []
    counted = row_model._sort_key
    monkeypatch.setattr(row_model, "_sort_key", lambda *row: (keyed.append(row), counted(*row))[1])
    model.set_rows(timed(*range(50)))
    assert keyed == []
    model.sort(1, DESCENDING)
    keyed.clear()
    model.set_rows(timed(*range(40, 0, -1)))
    assert len(keyed) == 40


def test_only_rows_that_differ_are_reported(qapp, qtbot):
    model = RowModel(COLUMNS)
    model.set_rows(timed(1, 2, 3, 4, 5))
    reported = []
    model.dataChanged.connect(lambda first, last: reported.append((first.row(), last.row())))
    model.set_rows(timed(1, 7, 8, 4, 9))
    assert reported == [(1, 2), (4, 4)]
    model.set_rows(timed(1, 7, 8, 4, 9))
    assert len(reported) == 2


def test_cells_say_how_they_look_and_hide_nothing(qapp):
    model = RowModel(COLUMNS)
    model.set_rows(
        [Row(0, (Cell("a\u202eb", tooltip="\u200b"), Cell("<b>1</b>", color="good", fraction=0.5)))]
    )
    first, second = model.index(0, 0), model.index(0, 1)
    assert first.data() == "a⟨U+202E⟩b"
    assert first.data(Qt.ItemDataRole.ToolTipRole) == "⟨U+200B⟩"
    assert second.data() == "<b>1</b>"
    assert second.data(FRACTION_ROLE) == 0.5
    assert second.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert first.data(Qt.ItemDataRole.TextAlignmentRole) is None
    header = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert header == "of a call"


def test_heads_of_numbers_stand_above_them_unless_an_arrow_needs_the_room(qapp):
    model = RowModel(COLUMNS)
    horizontal, alignment = Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
    assert model.headerData(0, horizontal, alignment) is None
    assert model.headerData(1, horizontal, alignment) & Qt.AlignmentFlag.AlignRight
    model.sort(-1)
    assert model.headerData(1, horizontal, alignment) is None


def test_colours_follow_the_theme(qapp):
    model = RowModel(COLUMNS)
    model.set_rows([Row(0, (Cell("a", color="good"), Cell("b", color="#010203")))])
    try:
        current.set_colors(DARK)
        first, second = (model.index(0, at).data(Qt.ItemDataRole.ForegroundRole).name() for at in (0, 1))
    finally:
        current.set_colors(LIGHT)
    assert (first, second) == (DARK.good, "#010203")
    assert DARK.good != LIGHT.good


def test_a_cell_nobody_may_overlook_and_a_mark_follow_the_theme_too(qapp):
    model = RowModel(COLUMNS)
    model.set_rows([Row(0, (Cell("a", alarm=True), Cell("b", mark="cross", mark_color="error")))])
    roles = Qt.ItemDataRole
    alarm, mark = model.index(0, 0), model.index(0, 1)
    seen = []
    try:
        for look in (LIGHT, DARK):
            current.set_colors(look)
            icon = mark.data(roles.DecorationRole).pixmap(16, 16).toImage()
            seen.append((alarm.data(roles.BackgroundRole).name(), icon.pixelColor(8, 8).name()))
    finally:
        current.set_colors(LIGHT)
    assert alarm.data(roles.FontRole).bold()
    assert alarm.data(roles.ForegroundRole).name() == "#ffffff"
    assert mark.data(roles.BackgroundRole) is None
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] != seen[1][1]


def test_rows_of_one_key_are_distinguished_by_their_order(qapp):
    model = RowModel(COLUMNS)
    model.set_rows([Row(1, (Cell("a"),), (Row(2, (Cell("b"),)), Row(2, (Cell("c"),)))), Row(1, (Cell("d"),))])
    second = QPersistentModelIndex(model.index(1, 0))
    model.set_rows([Row(0, (Cell("z"),)), Row(1, (Cell("x"),)), Row(1, (Cell("y"),))])
    assert texts(model) == [("z", []), ("x", []), ("y", [])]
    assert second.row() == 2


class Counting(RowModel):
    asked = 0
    signals = 0

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        self.asked += 1
        return super().data(index, role)


@pytest.fixture
def many() -> tuple[Counting, RowFilter]:
    model = Counting(COLUMNS)
    shown = RowFilter(model)
    for signal in (model.rowsInserted, model.rowsRemoved, model.layoutChanged):
        signal.connect(lambda *_: setattr(model, "signals", model.signals + 1))
    return model, shown


def test_ten_thousand_rows_are_set_sorted_and_filtered_in_few_steps(qapp, many):
    model, shown = many
    looked = 0

    def count(row, parent, accepts=shown.filterAcceptsRow):
        nonlocal looked
        looked += 1
        return accepts(row, parent)

    shown.filterAcceptsRow = count
    model.set_rows(timed(*range(10_000)))
    assert shown.rowCount() == 10_000
    shown.sort(1, DESCENDING)
    shown.set_text("k77")
    assert shown.rowCount() == 111
    others = [Row(at, row.cells) for at, row in zip(range(0, 20_000, 2), timed(*range(10_000)), strict=True)]
    model.signals = 0
    model.set_rows(others)
    assert model.signals <= 4, "half of the rows went and as many came between the others"
    assert model.asked == 0, "no cell is asked for before it is painted"
    assert looked <= 60_000
