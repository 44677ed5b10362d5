"""The page of the roofline: kernels against what this machine reaches, as points, as numbers and in words."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QPushButton,
    QStackedLayout,
    QWidget,
)

from app.panes.timings_pane.page_split import PageSplit
from app.panes.timings_pane.timeline_lanes import color_of
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.empty_state import EmptyState
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import row_of, set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
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

_COLUMNS = (
    Column(tr_noop("Kernel"), width=Width.STRETCH),
    Column(tr_noop("Median"), width="999.9 µs", right=True),
    Column(tr_noop("Moves"), width="999.9 MiB", right=True),
    Column(tr_noop("at"), width="999.9 GB/s", right=True, needs=560),
    Column(tr_noop("Operations"), width="999.9 thousand", right=True, needs=800),
    Column(tr_noop("at"), width="999.9 GFLOP/s", right=True, needs=900),
    Column(tr_noop("Of the roof"), width="Of the roof", right=True, bar=True),
    Column(tr_noop("Held by"), width="arithmetic", needs=640),
)
_TIME = 1
_WIDE = 760
"""Pixels from which on spreads are shown and not only in the tooltip."""


class RoofPage(QWidget):
    """Filled by `refresh`; asks for the ceilings only when it is told to."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._plot: RoofPlot | None = None
        self._work: tuple[Capture, dict[Place, KernelWork]] | None = None
        self.points: dict[int, RoofPoint] = {}
        """Kernel → its place under the roof."""
        self.measure = QPushButton(tr("Measure this machine"), self)
        self.measure.setToolTip(
            tr("Copies of several sizes and matrix products, about three seconds; kept for the next time")
        )
        self.machine = WrappedLabel("", self)
        self.words = WrappedLabel("", self)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = RowTable(_COLUMNS, tr("Filter kernels"), self)
        self.table.tree.setRootIsDecorated(False)
        self.table.sort_by(_TIME, descending=True)
        self.empty = EmptyState(tr("No roof yet"), "", self)
        self._plot_box = QWidget(self)
        self._stack = QStackedLayout(self._plot_box)
        self._stack.addWidget(self.empty)
        bar = row_of(self.measure, (self.machine, 1))
        split = PageSplit(self._plot_box, self.table, self)
        set_column(self, bar, (split, 1), self.words, margins=(0, 4, 0, 0), spacing=4)
        self.measure.clicked.connect(self._measure)
        self.table.row_picked.connect(lambda row: self._select(row.value))
        session.measured.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Draw what is known."""
        measured, recorder = self._session.measured, self._session.timings
        ceilings = measured.ceilings
        asking = measured.asking == "machine"
        self.measure.setEnabled(not asking)
        self.measure.setText(
            tr("Measuring…")
            if asking
            else tr("Measure again")
            if ceilings is not None
            else tr("Measure this machine")
        )
        self.machine.setText(_machine_text(ceilings, self.width() > _WIDE))
        self.machine.setToolTip(_machine_text(ceilings, True))
        times = recorder.kernel_medians()
        kernels = recorder.timed_kernels
        if ceilings is None or not times:
            what = tr("Start times the kernels.") if not times else ""
            self.empty.show_text(
                tr("No roof yet"),
                tr(
                    "{what} Measure this machine finds what copying and matrix products reach here; "
                    "every kernel is then a point under that roof."
                )
                .format(what=what)
                .strip(),
            )
            self._stack.setCurrentWidget(self.empty)
            self.points = {}
            self._fill()
            return
        work = self._work_of_shown()
        found = {
            index: roof_point(work[kernels[index].place], median, ceilings)
            for index, median in times.items()
            if kernels[index].place in work
        }
        self.points = {index: point for index, point in found.items() if point is not None}
        self._fill()
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
        self.table.select(marked, scroll=False)
        self.words.setText(self._format_ceilings(marked, ceilings))

    def _format_ceilings(self, marked: set[int], ceilings: MachineCeilings) -> str:
        kernels = self._session.timings.timed_kernels
        if marked:
            return "\n".join(
                f"{self._name(kernels[index])} {format_roof(self.points[index], ceilings)}."
                for index in sorted(marked)[:3]
            )
        idle = sum(1 for point in self.points.values() if not point.work.flops)
        lost = len(kernels) - len(self.points)
        parts = [tr("Click a point to see how far it is from the roof.")]
        if idle:
            parts.append(tr("%n kernel(s) do no arithmetic: in the table only.", None, idle))
        if lost:
            parts.append(tr("Of {lost} nothing is known.").format(lost=lost))
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

    def _fill(self) -> None:
        kernels, colors = self._session.timings.timed_kernels, self._colors()
        self.table.set_rows(
            [
                _row(index, self._name(kernels[index]), kernels[index].name, point, colors[index])
                for index, point in self.points.items()
            ]
        )

    def _select(self, index: int) -> None:
        kernels = self._session.timings.timed_kernels
        if index < len(kernels):
            self._session.selection.select(kernels[index].place, self)
            self.mark_selected()

    def _measure(self) -> None:
        self._session.measured.measure_machine(again=self._session.measured.ceilings is not None)


def _row(index: int, name: str, generated: str, point: RoofPoint, color: str) -> Row:
    work = point.work
    flops = tr("unknown") if work.flops is None else count_text(work.flops)
    flops_rate = rate_text(point.flops_rate, "FLOP/s") if point.flops_rate else ""
    counted = (
        tr("counted by {counted}").format(counted=work.counted) if work.counted else tr("no formula for it")
    )
    cells = (
        Cell(name, tooltip=f"{name}\n{generated}", monospace=True),
        Cell(time_text(point.nanoseconds), point.nanoseconds),
        Cell(describe_bytes(work.bytes or 0), work.bytes),
        Cell(rate_text(point.bytes_rate or 0.0, "B/s"), point.bytes_rate),
        Cell(flops, work.flops or 0, counted),
        Cell(flops_rate, point.flops_rate or 0),
        Cell(f"{point.share:.0%}", point.share, fraction=point.share, bar_color=color),
        Cell(tr("memory") if point.memory_bound else tr("arithmetic")),
    )
    return Row(index, cells, value=index, found_by=generated)


def _machine_text(ceilings: MachineCeilings | None, wide: bool) -> str:
    if ceilings is None:
        return tr("Not measured yet.")
    fastest = max(ceilings.copies, key=lambda row: row.rate.median)
    largest = ceilings.copies[-1]
    product = ceilings.matmul("float32")
    threads = tr("%n thread(s)", None, ceilings.threads)
    if not wide:
        return tr("Copying {rate_text}, memory {rate_text2}, product {rate_text3}; {threads}").format(
            rate_text=rate_text(fastest.rate.median, "B/s"),
            rate_text2=rate_text(largest.rate.median, "B/s"),
            rate_text3=rate_text(product.rate.median, "FLOP/s"),
            threads=threads,
        )
    return tr(
        "Copying {size}: {spread}; {size2}: {spread2}. float32 matrix "
        "product: {spread3}. Medians [quartiles] with {threads}, measured {value}."
    ).format(
        size=describe_bytes(fastest.bytes),
        spread=_spread(fastest.rate, "B/s"),
        size2=describe_bytes(largest.bytes),
        spread2=_spread(largest.rate, "B/s"),
        spread3=_spread(product.rate, "FLOP/s"),
        threads=threads,
        value=ceilings.measured_at.replace("T", " ")[:16],
    )


def _spread(rate: Rate, unit: str) -> str:
    """``9.80 GB/s [9.1–10.2]``: median and quartiles with one prefix."""
    number, _, words = rate_text(rate.median, unit).partition(" ")
    size = rate.median / float(number)
    return f"{number} {words} [{rate.low / size:.3g}–{rate.high / size:.3g}]"
