"""Matches, to be ticked, and near misses with what failed; a click selects the nodes."""

from collections.abc import Callable, Hashable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.edits.patterns import NearMiss, PatternMatch, PatternMatches
from compiler.model.ir.ids import place

_COLUMNS = (Column(tr_noop("Where")), Column(tr_noop("What"), width=Width.STRETCH))


class MatchTree(RowTable):
    """Two groups: matches first."""

    place_clicked = Signal(object)
    """A Place."""
    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, parent=parent)
        self.tree.setAccessibleName(tr("Matches of the pattern"))
        self.tree.setIndentation(12)
        self._found = PatternMatches((), (), "")
        self._total = 0
        self._title: Callable[[str], str] = str
        self._unticked: set[Hashable] = set()
        self.row_picked.connect(self._emit_row)
        self.ticked.connect(self._tick)

    def show_matches(self, found: PatternMatches, total: int, title: Callable[[str], str]) -> None:
        """Everything found; `total` is how many calls the pattern has, `title` names a stage."""
        self._found, self._total, self._title = found, total, title
        self._unticked.clear()
        self._fill()

    def chosen(self) -> tuple[PatternMatch, ...]:
        """The matches that are ticked."""
        matches = enumerate(self._found.matches)
        return tuple(match for at, match in matches if at not in self._unticked)

    def _fill(self) -> None:
        found = self._found
        matches = tuple(self._match(at, match) for at, match in enumerate(found.matches))
        near = tuple(self._near(at, miss) for at, miss in enumerate(found.near))
        groups = [_titled("matches", tr("%n match(es)", None, len(matches)), found.matcher, matches)]
        if near:
            groups.append(_titled("near", tr("%n near miss(es)", None, len(near)), "", near))
        self.set_rows(groups)
        self.chosen_changed.emit()

    def _match(self, at: int, match: PatternMatch) -> Row:
        where = Cell(self._title(match.stage), ticked=at not in self._unticked)
        return Row(
            at, (where, Cell(", ".join(match.nodes), monospace=True)), value=place(match.stage, *match.nodes)
        )

    def _near(self, at: int, miss: NearMiss) -> Row:
        where = tr("{title}  {count} of {total}").format(
            title=self._title(miss.stage), count=len(miss.pairs), total=self._total
        )
        tip = tr("{why}\nIn the pattern: {pattern_node}").format(why=miss.why, pattern_node=miss.pattern_node)
        location = place(miss.stage, *{miss.node, *(node for _, node in miss.pairs)})
        return Row(at, (Cell(where), Cell(miss.why, tooltip=tip)), value=location)

    def _tick(self, row: Row, on: bool) -> None:
        (self._unticked.discard if on else self._unticked.add)(row.key)
        self._fill()

    def _emit_row(self, row: Row) -> None:
        if row.value is not None:
            self.place_clicked.emit(row.value)


def _titled(key: str, text: str, detail: str, rows: tuple[Row, ...]) -> Row:
    return Row(key, (Cell(text, bold=True), Cell(detail, color="dim_text")), rows, open=True)
