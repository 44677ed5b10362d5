"""Compiles as rows, ranks as columns: of many ranks one column for all that did the same."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row
from compiler.analysis.ranks.compare_ranks import CompileRow, RanksCompared, RespectRow
from compiler.analysis.ranks.compile_facts import COMPILED
from compiler.analysis.ranks.rank_names import ranks_text, who
from compiler.analysis.text_format.times import time_text

MOST_COLUMNS = 8
"""Ranks that get a column each; of more, those that did the same share one."""
_COMPILE = Column(tr_noop("Compile"), most=210)
_MOST = 190
_LEADING = 1
_NOTHING = "–"


@dataclass(frozen=True)
class Picked:
    """A cell: a compile, one of its respects (or none), and the ranks of the column."""

    compile_id: str
    respect: str
    ranks: tuple[str, ...]


class RankTable(RowTable):
    """Rows that differ are open; a click on a cell says which."""

    picked = Signal(object)
    """A Picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__((_COMPILE,), parent=parent)
        self.columns: tuple[tuple[str, ...], ...] = ()
        self._compared: RanksCompared | None = None
        self.tree.setAccessibleName(tr("Compiles by rank"))
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.tree.header().setStretchLastSection(True)
        self.tree.header().setMinimumSectionSize(60)
        self.row_picked.connect(self._emit_row)

    def show_ranks(self, compared: RanksCompared | None, shown: str) -> None:
        """Show these; `shown` is the rank whose capture the other panes show. What was opened stays open."""
        self._compared = compared
        if compared is None:
            self.set_rows(())
            return
        self.columns = columns_of(compared)
        titled = [Column(self._title(ranks, shown), who(ranks), most=_MOST) for ranks in self.columns]
        self.set_columns((_COMPILE, *titled))
        rows = [self._compile(row, compared.ranks) for row in compared.rows]
        self.set_rows([*rows, self._steps(compared)] if compared.steps else rows)

    def _title(self, ranks: tuple[str, ...], shown: str) -> str:
        name = (
            tr("Rank {first}").format(first=ranks[0])
            if len(ranks) == 1
            else tr("Ranks {ranks}").format(ranks=ranks_text(ranks))
        )
        return tr("{name} · shown").format(name=name) if shown in ranks else name

    def _compile(self, row: CompileRow, ranks: tuple[str, ...]) -> Row:
        cells = [Cell(f"{row.compile_id}  {row.title}", tooltip=row.title)]
        for column in self.columns:
            text, differs = self._cell(row, column[0])
            is_same = not row.differing and text != _NOTHING
            cells.append(_line(text, "warning" if differs else "good" if is_same else "dim_text"))
        inside = tuple(self._respect(row, respect) for respect in row.respects)
        return Row(
            (ranks, row.compile_id),
            tuple(cells),
            inside,
            value=(row.compile_id, ""),
            open=bool(row.differing),
        )

    def _cell(self, row: CompileRow, rank: str) -> tuple[str, bool]:
        """What is said of a rank, and whether it differs. Of two ranks neither is the other's measure."""
        own = [respect for respect in row.respects if respect.group_of(rank) is not None]
        if not own:
            return _NOTHING, False
        two = self._compared is not None and len(self._compared.ranks) == 2
        differing = [respect for respect in row.differing if two or respect.group_of(rank) not in (None, 0)]
        if not differing:
            return (tr("as most") if row.differing else tr("same")), False
        first, more = differing[0], len(differing) - 1
        if first.what == COMPILED:
            return first.groups[first.group_of(rank) or 0].words, True
        verb = tr("{what} differs") if first.what in _SINGULAR else tr("{what} differ")
        return verb.format(what=first.what) + (f", +{more}" if more else ""), True

    def _respect(self, row: CompileRow, respect: RespectRow) -> Row:
        cells = [Cell(respect.what, color="dim_text" if respect.same else "")]
        for ranks in self.columns:
            group = respect.group_of(ranks[0])
            words = respect.groups[group].words if group is not None else _NOTHING
            color = "dim_text" if respect.same or group is None else "warning" if group else ""
            cells.append(_line(words, color))
        return Row(respect.what, tuple(cells), value=(row.compile_id, respect.what))

    def _steps(self, compared: RanksCompared) -> Row:
        tip = tr("Wall time of a step where nothing was compiled; ranks wait for each other in collectives, so a "
                 "slow rank makes all slow")  # fmt: skip
        cells = [Cell(tr("time of a step, measured"), tooltip=tip)]
        by_rank = {row.rank: row.step for row in compared.steps}
        slow = {row.rank for row in compared.slow_ranks()}
        for ranks in self.columns:
            steps = [by_rank[rank] for rank in ranks if rank in by_rank]
            if not steps:
                cells.append(_line(_NOTHING, "dim_text"))
                continue
            low, high = min(step.low for step in steps), max(step.high for step in steps)
            middle = sorted(step.median for step in steps)[len(steps) // 2]
            spread = (
                tr(" [{time} to {time2}]").format(time=time_text(low), time2=time_text(high))
                if high > low
                else ""
            )
            mine = tuple(rank for rank in ranks if rank in slow)
            slower = tr("{who}: slower than the fastest, beyond both spreads").format(who=who(mine))
            text = f"{time_text(middle)}{spread}"
            cells.append(Cell(text, tooltip=slower if mine else text, color="warning" if mine else ""))
        return Row("steps", tuple(cells))

    def _emit_row(self, row: Row, column: int) -> None:
        if not isinstance(row.value, tuple):
            return
        index = column - _LEADING
        ranks = self.columns[index] if 0 <= index < len(self.columns) else ()
        compile_id, respect = row.value
        self.picked.emit(Picked(compile_id, respect, ranks))


def _line(text: str, color: str) -> Cell:
    return Cell(" ".join(text.split()), tooltip=text, color=color)


_SINGULAR = ("function", "cache", "graph")


def columns_of(compared: RanksCompared) -> tuple[tuple[str, ...], ...]:
    """The ranks of each column."""
    if len(compared.ranks) <= MOST_COLUMNS:
        return tuple((rank,) for rank in compared.ranks)
    return tuple(group.ranks for group in compared.groups)
