"""The page of the roofline: kernels against what this machine reaches, as points, as numbers and in words."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.panes.timings_pane.narrow_columns import NarrowColumns, fix_widths
from app.panes.timings_pane.page_split import PageSplit
from app.panes.timings_pane.timeline_lanes import color_of
from app.session.facade.session import Session
from app.theme import current, fonts
from app.widgets.bar_delegate import BAR_COLOR_ROLE, FRACTION_ROLE, BarDelegate
from app.widgets.empty_state import EmptyState
from app.widgets.filter_tree import FILTER_ROLE, SORT_ROLE, FilterTree, SortableItem
from compiler.analysis.text_format.times import time_text
from compiler.analysis.timing.kernel_work import KernelWork, kernel_work
from compiler.analysis.timing.roofline import RoofPoint, count_text, format_roof, rate_text, roof_point
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import Place
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.machine_peaks import MachineCeilings, Rate
from compiler.model.timing.step_trace import SpanKind
from compiler.model.timing.timings import TimedKernel

if TYPE_CHECKING:
    from app.panes.timings_pane.roof_plot import RoofPlot

_COLUMNS = ("Kernel", "Median", "Moves", "at", "Operations", "at", "Of the roof", "Held by")
_NAME, _TIME, _BYTES, _BYTE_RATE, _FLOPS, _FLOP_RATE, _SHARE, _BOUND = range(len(_COLUMNS))
_WIDEST = (
    "",
    "999.9 µs",
    "999.9 MiB",
    "999.9 GB/s",
    "999.9 thousand",
    "999.9 GFLOP/s",
    "Of the roof",
    "arithmetic",
)
_WIDE = 760
"""Pixels from which on spreads are shown and not only in the tooltip."""
_INDEX_ROLE = int(Qt.ItemDataRole.UserRole)


class RoofPage(QWidget):
    """Filled by `refresh`; asks for the ceilings only when it is told to."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._plot: RoofPlot | None = None
        self._work: tuple[Capture, dict[Place, KernelWork]] | None = None
        self._rows: dict[int, SortableItem] = {}
        self.points: dict[int, RoofPoint] = {}
        """Kernel → its place under the roof."""
        self.measure = QPushButton("Measure this machine", self)
        self.measure.setToolTip(
            "Copies of several sizes and matrix products, about three seconds; kept for the next time"
        )
        self.machine = QLabel(self)
        self.machine.setWordWrap(True)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = FilterTree(_COLUMNS, "Filter kernels", self)
        self._dress_table()
        self.empty = EmptyState("No roof yet", "", self)
        self._plot_box = QWidget(self)
        self._stack = QStackedLayout(self._plot_box)
        self._stack.addWidget(self.empty)
        bar = QHBoxLayout()
        bar.addWidget(self.measure)
        bar.addWidget(self.machine, 1)
        split = PageSplit(self._plot_box, self.table, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(split, 1)
        column.addWidget(self.words)
        self.measure.clicked.connect(self._measure)
        self.table.tree.itemClicked.connect(lambda item: self._select(item.data(_NAME, _INDEX_ROLE)))
        session.measured.changed.connect(self.refresh)

    def _dress_table(self) -> None:
        tree = self.table.tree
        tree.setRootIsDecorated(False)
        tree.setSortingEnabled(True)
        tree.sortByColumn(_TIME, Qt.SortOrder.DescendingOrder)
        tree.setItemDelegateForColumn(_SHARE, BarDelegate(tree))
        NarrowColumns(tree, {_FLOP_RATE: 900, _FLOPS: 800, _BOUND: 640, _BYTE_RATE: 560})
        fix_widths(tree, _NAME, dict(enumerate(_WIDEST[1:], 1)))

    def refresh(self) -> None:
        """Draw what is known."""
        measured, recorder = self._session.measured, self._session.timings
        ceilings = measured.ceilings
        asking = measured.asking == "machine"
        self.measure.setEnabled(not asking)
        self.measure.setText(
            "Measuring…" if asking else "Measure again" if ceilings is not None else "Measure this machine"
        )
        self.machine.setText(_machine_text(ceilings, self.width() > _WIDE))
        self.machine.setToolTip(_machine_text(ceilings, True))
        times = recorder.kernel_medians()
        kernels = recorder.timed_kernels
        if ceilings is None or not times:
            what = "Start times the kernels." if not times else ""
            self.empty.tell(
                "No roof yet",
                f"{what} Measure this machine finds what copying and matrix products reach here; every kernel is then a "
                "point under that roof.".strip(),
            )
            self._stack.setCurrentWidget(self.empty)
            self.points = {}
            self._fill(())
            return
        work = self._work_of_shown()
        found = {
            index: roof_point(work[kernels[index].place], median, ceilings)
            for index, median in times.items()
            if kernels[index].place in work
        }
        self.points = {index: point for index, point in found.items() if point is not None}
        self._fill(tuple(self.points))
        self._draw(ceilings)

    def mark_selected(self) -> None:
        """Show the kernels that the pinned selection became."""
        if self._session.measured.ceilings is not None and self.points:
            self._draw(self._session.measured.ceilings)

    def _marked(self) -> set[int]:
        broker = self._session.selection
        kernels = self._session.timings.timed_kernels
        return {
            index
            for index in self.points
            if not broker.pinned_in(kernels[index].place.stage).isdisjoint(kernels[index].place.nodes)
        }

    def _draw(self, ceilings: MachineCeilings) -> None:
        if self._plot is None:
            from app.panes.timings_pane.roof_plot import RoofPlot

            self._plot = RoofPlot(self)
            self._plot.kernel_clicked.connect(self._select)
            self._stack.addWidget(self._plot)
        self._stack.setCurrentWidget(self._plot)
        marked = self._marked()
        self._plot.show_points(self.points, self._colors(), marked, ceilings)
        with QSignalBlocker(self.table.tree):
            for index, item in self._rows.items():
                item.setSelected(index in marked)
        self.words.setText(self._words(marked, ceilings))

    def _words(self, marked: set[int], ceilings: MachineCeilings) -> str:
        kernels = self._session.timings.timed_kernels
        if marked:
            return "\n".join(
                f"{self._name(kernels[index])} {format_roof(self.points[index], ceilings)}."
                for index in sorted(marked)[:3]
            )
        idle = sum(1 for point in self.points.values() if not point.work.flops)
        lost = len(kernels) - len(self.points)
        parts = ["Click a point to see how far it is from the roof."]
        if idle:
            parts.append(f"{idle} kernel{'s do' if idle > 1 else ' does'} no arithmetic: in the table only.")
        if lost:
            parts.append(f"Of {lost} nothing is known.")
        return " ".join(parts)

    def _colors(self) -> dict[int, str]:
        colors, kernels = current.colors(), self._session.timings.timed_kernels
        kinds = {"extern": SpanKind.EXTERN}
        return {
            index: color_of(kinds.get(kernels[index].language, SpanKind.GENERATED), colors)
            for index in self.points
        }

    def _work_of_shown(self) -> dict[Place, KernelWork]:
        capture = self._session.capture
        if capture is None:
            return {}
        if self._work is None or self._work[0] is not capture:
            self._work = capture, kernel_work(capture)
        return self._work[1]

    def _name(self, kernel: TimedKernel) -> str:
        return self._session.measured.lines.names().get(kernel.place, kernel.name)

    def _fill(self, indices: tuple[int, ...]) -> None:
        tree, kernels = self.table.tree, self._session.timings.timed_kernels
        if tuple(self._rows) != indices or any(
            self._rows[index].text(_NAME) != self._name(kernels[index]) for index in indices
        ):
            tree.clear()
            self._rows = {}
            for index in indices:
                item = SortableItem([self._name(kernels[index]), *[""] * (len(_COLUMNS) - 1)])
                item.setData(_NAME, _INDEX_ROLE, index)
                item.setData(_NAME, FILTER_ROLE, kernels[index].name)
                item.setToolTip(_NAME, f"{item.text(_NAME)}\n{kernels[index].name}")
                item.setFont(_NAME, fonts.monospace())
                for column in range(_TIME, _SHARE + 1):
                    item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._rows[index] = item
            tree.addTopLevelItems(list(self._rows.values()))
            self.table.apply_filter()
        tree.setSortingEnabled(False)
        colors = self._colors()
        for index, item in self._rows.items():
            self._write(item, self.points[index], colors[index])
        tree.setSortingEnabled(True)

    def _write(self, item: SortableItem, point: RoofPoint, color: str) -> None:
        work = point.work
        flops = "unknown" if work.flops is None else count_text(work.flops)
        cells = (
            (_TIME, time_text(point.nanoseconds), point.nanoseconds),
            (_BYTES, describe_bytes(work.bytes or 0), work.bytes),
            (_BYTE_RATE, rate_text(point.bytes_rate or 0.0, "B/s"), point.bytes_rate),
            (_FLOPS, flops, work.flops or 0),
            (
                _FLOP_RATE,
                rate_text(point.flops_rate, "FLOP/s") if point.flops_rate else "",
                point.flops_rate or 0,
            ),
            (_SHARE, f"{point.share:.0%}", point.share),
        )
        for column, text, number in cells:
            item.setText(column, text)
            item.setData(column, SORT_ROLE, number)
        item.setText(_BOUND, "memory" if point.memory_bound else "arithmetic")
        item.setData(_SHARE, FRACTION_ROLE, point.share)
        item.setData(_SHARE, BAR_COLOR_ROLE, color)
        item.setToolTip(_FLOPS, f"counted by {work.counted}" if work.counted else "no formula for it")

    def _select(self, index: int) -> None:
        kernels = self._session.timings.timed_kernels
        if index < len(kernels):
            self._session.selection.select(kernels[index].place, self)
            self.mark_selected()

    def _measure(self) -> None:
        self._session.measured.measure_machine(again=self._session.measured.ceilings is not None)


def _machine_text(ceilings: MachineCeilings | None, wide: bool) -> str:
    if ceilings is None:
        return "Not measured yet."
    fastest = max(ceilings.copies, key=lambda row: row.rate.median)
    largest = ceilings.copies[-1]
    product = ceilings.matmul("float32")
    threads = f"{ceilings.threads} thread{'s' if ceilings.threads != 1 else ''}"
    if not wide:
        return (
            f"Copying {rate_text(fastest.rate.median, 'B/s')}, memory {rate_text(largest.rate.median, 'B/s')}, product "
            f"{rate_text(product.rate.median, 'FLOP/s')}; {threads}"
        )
    return (
        f"Copying {describe_bytes(fastest.bytes)}: {_spread(fastest.rate, 'B/s')}; "
        f"{describe_bytes(largest.bytes)}: {_spread(largest.rate, 'B/s')}. "
        f"float32 matrix product: {_spread(product.rate, 'FLOP/s')}. "
        f"Medians [quartiles] with {threads}, measured {ceilings.measured_at.replace('T', ' ')[:16]}."
    )


def _spread(rate: Rate, unit: str) -> str:
    """``9.80 GB/s [9.1–10.2]``: median and quartiles with one prefix."""
    number, _, words = rate_text(rate.median, unit).partition(" ")
    size = rate.median / float(number)
    return f"{number} {words} [{rate.low / size:.3g}–{rate.high / size:.3g}]"
