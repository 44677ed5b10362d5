"""The graph breaks as a ranked list: what, where, how much it cuts off, what it costs."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.bar_delegate import WrappingDelegate
from app.widgets.filter_tree import FilterTree
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.model.capture.frames import BreakCategory
from compiler.model.graph_breaks.ranked_breaks import RankedBreak
from compiler.model.timing.graph_break_cost import BreakCosts
from compiler.model.timing.timings import TimingSummary

_NUMBER, _KIND, _WHERE, _MET, _OPS, _COMPILE, _LOST = range(7)
_NARROW = 520
_TIPS = {
    _NUMBER: tr_noop("The costliest first: by the time measured, else by the operations cut off"),
    _MET: tr_noop("How often Dynamo met it while it captured"),
    _OPS: tr_noop("Operations cut off: they went into later graphs of the same function because of it"),
    _COMPILE: tr_noop("Wall time of compiling those later graphs"),
    _LOST: tr_noop(
        "Time of one forward spent outside compiled graphs at this break: measured, with quartiles"
    ),
}


class RankedList(QWidget):
    """Rows in the order of their cost; a button measures what they cost when the program runs."""

    current_changed = Signal()
    picked = Signal()
    """A row was clicked, or Enter pressed on it."""
    measure_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RankedBreak, ...] = ()
        titles = ("", tr("Graph break"), tr("Line"), tr("Met"), tr("Ops"), tr("Compile"), tr("Outside"))
        self._filtered = FilterTree(titles, tr("Filter breaks"), self)
        self.tree = self._filtered.tree
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(False)  # a name that is longer than its column takes lines
        self.tree.setWordWrap(True)
        self.tree.setItemDelegateForColumn(_KIND, WrappingDelegate(self.tree))
        self._filtered.stretch_column(_KIND)
        self.tree.header().sectionResized.connect(lambda *_: self.tree.scheduleDelayedItemsLayout())
        for column, tip in _TIPS.items():
            self.tree.headerItem().setToolTip(column, tr(tip))
        self.summary = QLabel("", self)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.button = QPushButton(tr("Measure cost"), self)
        self.button.setToolTip(
            tr("Run the program for a second or two and time what happens outside compiled graphs.")
        )
        self._filtered.put_next_to_filter(self.button)
        column_box = QVBoxLayout(self)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.setSpacing(2)
        column_box.addWidget(self.summary)
        column_box.addWidget(self._filtered, 1)
        self.tree.currentItemChanged.connect(lambda *_: self.current_changed.emit())
        self.tree.itemClicked.connect(lambda *_: self.picked.emit())
        self.tree.itemActivated.connect(lambda *_: self.picked.emit())
        self.button.clicked.connect(self.measure_wanted)

    def show_breaks(self, rows: tuple[RankedBreak, ...], new: frozenset[str] = frozenset()) -> None:
        """Show these, the one that was current before current again. `new`: breaks that the capture before had not."""
        before = self.current.first.id if self.current is not None else ""
        self.rows = rows
        colors = current.colors()
        self.tree.blockSignals(True)
        self.tree.clear()
        one_file = len({row.location.path for row in rows if row.location is not None}) < 2
        self.tree.addTopLevelItems(
            [_item(number, row, one_file, colors.dim_text) for number, row in enumerate(rows, 1)]
        )
        for index, row in enumerate(rows):
            item = self.tree.topLevelItem(index)
            if item is not None and row.first.id in new:
                item.setText(_NUMBER, f"{index + 1} •")
                item.setForeground(_NUMBER, QBrush(QColor(colors.accent)))
                item.setToolTip(_NUMBER, tr("New since the capture before"))
        self.tree.blockSignals(False)
        self._choose_columns()
        self._filtered.apply_filter()
        if rows:
            self.make_current(next((i for i, row in enumerate(rows) if row.first.id == before), 0))
            self.current_changed.emit()

    def show_costs(self, costs: BreakCosts | None, measuring: bool) -> None:
        """Say what a forward takes, and how much of it in graphs."""
        self.button.setEnabled(not measuring)
        self.button.setText(
            tr("Measuring…") if measuring else tr("Measure again") if costs else tr("Measure cost")
        )
        self.summary.setVisible(costs is not None)
        if costs is None:
            return
        inside = costs.inside.median / costs.step.median if costs.step.median else 0.0
        eager = tr("; eager {time}").format(time=_time(costs.eager)) if costs.eager is not None else ""
        self.summary.setText(
            tr("One forward {time}, {inside:.0%} of it in compiled graphs{eager}").format(
                time=_time(costs.step), inside=inside, eager=eager
            )
        )

    @property
    def current(self) -> RankedBreak | None:
        """The break that is current."""
        item: QTreeWidgetItem | None = self.tree.currentItem()
        index = self.tree.indexOfTopLevelItem(item) if item is not None else -1
        return self.rows[index] if 0 <= index < len(self.rows) else None

    def make_current(self, index: int) -> None:
        """Make a row current."""
        self._filtered.make_current(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow dock shows what and where; the rest is in the tooltip."""
        super().resizeEvent(event)
        self._choose_columns()

    def _choose_columns(self) -> None:
        measured = any(row.lost is not None for row in self.rows)
        narrow = self.width() < _NARROW
        hidden = {_MET: narrow, _COMPILE: narrow, _OPS: narrow and measured, _LOST: not measured}
        for column, hide in hidden.items():
            self.tree.setColumnHidden(column, hide)


def _item(number: int, row: RankedBreak, one_file: bool, dim: str) -> QTreeWidgetItem:
    """A row; where all breaks are in one file its name goes without saying."""
    item = row.first
    kind = item.kind if item.sort is BreakCategory.BREAK else f"{item.sort.value}: {item.kind}"
    lost = "" if row.lost is None else time_text(row.lost)
    texts = (
        str(number),
        kind,
        str(row.location.line) if one_file and row.location is not None else row.where,
        f"{row.times}×",
        str(row.ops_cut_off or ""),
        f"{row.compile_seconds:.2f} s" if row.compile_seconds else "",
        lost,
    )
    made = QTreeWidgetItem(list(texts))
    code = row.location.text.strip() if row.location is not None else ""
    eager = (
        tr("\n{eager_ops} operations run eagerly there").format(eager_ops=row.eager_ops)
        if row.eager_ops
        else ""
    )
    spread = (
        tr("\n{time} to {time2} outside graphs").format(
            time=time_text(row.spread[0]), time2=time_text(row.spread[1])
        )
        if lost
        else ""
    )
    made.setToolTip(_KIND, f"{item.registry_id}  {kind}\n{code}{spread}{eager}".strip())
    made.setToolTip(_WHERE, row.where)
    made.setForeground(_NUMBER, QBrush(QColor(dim)))
    for column in (_MET, _OPS, _COMPILE, _LOST):
        made.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def _time(summary: TimingSummary | None) -> str:
    return summary_text(summary) if summary is not None else "–"
