"""Compiles as rows, ranks as columns: of many ranks one column for all that did the same."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.bar_delegate import RoomyDelegate
from compiler.analysis.ranks.compare_ranks import CompileRow, RanksCompared, RespectRow
from compiler.analysis.ranks.compile_facts import COMPILED
from compiler.analysis.ranks.rank_names import ranks_text, who
from compiler.analysis.text_format.times import time_text

MOST_COLUMNS = 8
"""Ranks that get a column each; of more, those that did the same share one."""
_COMPILE_ROLE = int(Qt.ItemDataRole.UserRole)
_RESPECT_ROLE = _COMPILE_ROLE + 1
_LEADING = 1
_NOTHING = "–"


@dataclass(frozen=True)
class Picked:
    """A cell: a compile, one of its respects (or none), and the ranks of the column."""

    compile_id: str
    respect: str
    ranks: tuple[str, ...]


class RankTable(QTreeWidget):
    """Rows that differ are open; a click on a cell tells which."""

    picked = Signal(object)
    """A Picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[tuple[str, ...], ...] = ()
        self._compared: RanksCompared | None = None
        self.setAccessibleName(tr("Compiles by rank"))
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setExpandsOnDoubleClick(True)
        self.setItemDelegate(RoomyDelegate(self))
        self.itemClicked.connect(self._on_item)
        self.itemActivated.connect(self._on_item)
        current.signals().changed.connect(self._refill)

    def show_ranks(self, compared: RanksCompared | None, shown: str) -> None:
        """Show these; `shown` is the rank whose capture the other panes show. What was opened stays open."""
        fresh = compared is None or self._compared is None or compared.ranks != self._compared.ranks
        closed = set() if fresh else self._closed()
        opened = set() if fresh else self._opened()
        self._compared = compared
        self.clear()
        if compared is None:
            return
        self.columns = columns_of(compared)
        self.setColumnCount(_LEADING + len(self.columns))
        self.setHeaderLabels([tr("Compile"), *(self._title(ranks, shown) for ranks in self.columns)])
        for index, ranks in enumerate(self.columns):
            self.headerItem().setToolTip(_LEADING + index, who(ranks))
        for row in compared.rows:
            item = self._compile(row)
            self.addTopLevelItem(item)
            item.setExpanded(
                row.compile_id in opened or (bool(row.differing) and row.compile_id not in closed)
            )
        if compared.steps:
            self.addTopLevelItem(self._steps(compared))
        self._fit()

    def _title(self, ranks: tuple[str, ...], shown: str) -> str:
        name = (
            tr("Rank {first}").format(first=ranks[0])
            if len(ranks) == 1
            else tr("Ranks {ranks}").format(ranks=ranks_text(ranks))
        )
        return tr("{name} · shown").format(name=name) if shown in ranks else name

    def _compile(self, row: CompileRow) -> QTreeWidgetItem:
        colors = current.colors()
        item = QTreeWidgetItem([f"{row.compile_id}  {row.title}"])
        item.setToolTip(0, row.title)
        item.setData(0, _COMPILE_ROLE, row.compile_id)
        for index, ranks in enumerate(self.columns):
            text, differs = self._cell(row, ranks[0])
            is_same = not row.differing and text != _NOTHING
            color = colors.warning if differs else colors.good if is_same else colors.dim_text
            self._tell(item, _LEADING + index, text, color)
        for respect in row.respects:
            item.addChild(self._respect(row, respect))
        return item

    def _cell(self, row: CompileRow, rank: str) -> tuple[str, bool]:
        """What is said of a rank, and whether it differs. Of two ranks neither is the other's measure."""
        own = [respect for respect in row.respects if respect.group_of(rank) is not None]
        if not own:
            return _NOTHING, False
        two = self._compared is not None and len(self._compared.ranks) == 2
        apart = [respect for respect in row.differing if two or respect.group_of(rank) not in (None, 0)]
        if not apart:
            return (tr("as most") if row.differing else tr("same")), False
        first, more = apart[0], len(apart) - 1
        if first.what == COMPILED:
            return first.groups[first.group_of(rank) or 0].words, True
        verb = tr("{what} differs") if first.what in _SINGULAR else tr("{what} differ")
        return verb.format(what=first.what) + (f", +{more}" if more else ""), True

    def _respect(self, row: CompileRow, respect: RespectRow) -> QTreeWidgetItem:
        colors = current.colors()
        item = QTreeWidgetItem([respect.what])
        item.setData(0, _COMPILE_ROLE, row.compile_id)
        item.setData(0, _RESPECT_ROLE, respect.what)
        item.setForeground(0, QBrush(QColor(colors.dim_text if respect.same else colors.text)))
        for index, ranks in enumerate(self.columns):
            group = respect.group_of(ranks[0])
            words = respect.groups[group].words if group is not None else "–"
            color = colors.dim_text if respect.same or group is None else colors.warning if group else ""
            self._tell(item, _LEADING + index, words, color)
        return item

    def _steps(self, compared: RanksCompared) -> QTreeWidgetItem:
        colors = current.colors()
        item = QTreeWidgetItem([tr("time of a step, measured")])
        item.setToolTip(0, tr("Wall time of a step where nothing was compiled; ranks wait for each other in collectives, so a "
                           "slow rank makes all slow"))  # fmt: skip
        by_rank = {row.rank: row.step for row in compared.steps}
        slow = {row.rank for row in compared.slow_ranks()}
        for index, ranks in enumerate(self.columns):
            steps = [by_rank[rank] for rank in ranks if rank in by_rank]
            if not steps:
                self._tell(item, _LEADING + index, "–", colors.dim_text)
                continue
            low, high = min(step.low for step in steps), max(step.high for step in steps)
            middle = sorted(step.median for step in steps)[len(steps) // 2]
            spread = (
                tr(" [{time} to {time2}]").format(time=time_text(low), time2=time_text(high))
                if high > low
                else ""
            )
            mine = [rank for rank in ranks if rank in slow]
            self._tell(item, _LEADING + index, f"{time_text(middle)}{spread}", colors.warning if mine else "")
            if mine:
                item.setToolTip(
                    _LEADING + index,
                    tr("{who}: slower than the fastest, beyond both spreads").format(who=who(tuple(mine))),
                )
        return item

    @staticmethod
    def _tell(item: QTreeWidgetItem, column: int, text: str, color: str) -> None:
        item.setText(column, " ".join(text.split()))
        item.setToolTip(column, text)
        if color:
            item.setForeground(column, QBrush(QColor(color)))

    def _fit(self) -> None:
        header = self.header()
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(60)
        for column in range(self.columnCount()):
            self.resizeColumnToContents(column)
            most = 210 if column < _LEADING else 190
            header.resizeSection(column, min(header.sectionSize(column) + 18, most))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def _opened(self) -> set[str]:
        return {str(item.data(0, _COMPILE_ROLE)) for item in self._tops() if item.isExpanded()}

    def _closed(self) -> set[str]:
        return {
            str(item.data(0, _COMPILE_ROLE))
            for item in self._tops()
            if not item.isExpanded() and item.childCount()
        }

    def _tops(self) -> list[QTreeWidgetItem]:
        found = (self.topLevelItem(index) for index in range(self.topLevelItemCount()))
        return [item for item in found if item is not None]

    def _refill(self) -> None:
        compared, self._compared = self._compared, None
        self.show_ranks(compared, "")

    def _on_item(self, item: QTreeWidgetItem, column: int) -> None:
        compile_id = item.data(0, _COMPILE_ROLE)
        if compile_id is None:
            return
        index = column - _LEADING
        ranks = self.columns[index] if 0 <= index < len(self.columns) else ()
        self.picked.emit(Picked(compile_id, item.data(0, _RESPECT_ROLE) or "", ranks))


_SINGULAR = ("function", "cache", "graph")


def columns_of(compared: RanksCompared) -> tuple[tuple[str, ...], ...]:
    """The ranks of each column."""
    if len(compared.ranks) <= MOST_COLUMNS:
        return tuple((rank,) for rank in compared.ranks)
    return tuple(group.ranks for group in compared.groups)
