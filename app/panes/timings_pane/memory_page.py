"""The page of memory: the plan over the kernels of a step, and every buffer with its life."""

from PySide6.QtWidgets import QWidget

from app.panes.timings_pane.memory_chart import ROLES, MemoryChart, role_color
from app.panes.timings_pane.page_split import PageSplit
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import as_widget, column_of, set_column
from app.widgets.legend_strip import LegendEntry, LegendStrip
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.timing.memory_plan import MemoryPlan, PlannedBuffer, measured_memory, memory_plan
from compiler.model.capture.capture import Capture
from compiler.model.ir.tensor_types import describe_bytes

_COLUMNS = (
    Column(tr_noop("Buffer"), width=Width.STRETCH),
    Column(tr_noop("Size"), width="999.9 MiB", right=True),
    Column(tr_noop("Kept as"), width="saved for the backward"),
    Column(tr_noop("Lives while"), width="Lives while", right=True, needs=540),
    Column(tr_noop("Taken over"), width="Taken over", right=True, needs=640),
)
_SIZE = 1
_WORDS = {
    "saved": tr_noop("saved for the backward"),
    "result": tr_noop("handed to the program"),
    "temporary": tr_noop("temporary"),
}


class MemoryPage(QWidget):
    """Filled by `refresh`. The plan needs no run; what is measured comes with timings."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._capture: Capture | None = None
        self.plan = MemoryPlan((), ())
        self.summary = WrappedLabel("", self)
        self.legend = LegendStrip(self)
        self.chart = MemoryChart(self)
        self.table = RowTable(_COLUMNS, tr("Filter buffers"), self)
        self.table.tree.setRootIsDecorated(False)
        self.table.sort_by(_SIZE, descending=True)
        upper = as_widget(column_of(self.legend, (self.chart, 1), margins=0, spacing=0), self)
        split = PageSplit(upper, self.table, self)
        set_column(self, self.summary, (split, 1), margins=(0, 4, 0, 0), spacing=3)
        self.chart.kernel_clicked.connect(self._select)

    def refresh(self) -> None:
        """Draw what is known."""
        capture = self._session.capture
        if capture is not self._capture:
            self._capture = capture
            self.plan = memory_plan(capture) if capture is not None else MemoryPlan((), ())
            self.table.set_rows([_row(buffer) for buffer in self.plan.buffers])
        recorder = self._session.timings
        trace = next((row for row in recorder.traces() if row.profiled and row.compiled), None)
        measured = measured_memory(trace, recorder.timed_kernels) if trace is not None else {}
        self.chart.show_plan(self.plan, measured, self._marked())
        self.summary.setText(self._summary())
        colors = current.colors()
        entries = [LegendEntry(tr(_WORDS[role]), role_color(role, colors)) for role in ROLES]
        entries.append(LegendEntry(tr("measured (profiled step, since it began)"), colors.text, "stripe"))
        self.legend.set_entries(tuple(entries) if self.plan.kernels else ())

    def mark_selected(self) -> None:
        """Frame the kernels that the pinned selection became."""
        self.refresh()

    def _summary(self) -> str:
        plan = self.plan
        if not plan.kernels:
            return tr("There is no plan: nothing is compiled to kernels that a Python wrapper calls.")
        saved = sum(buffer.bytes or 0 for buffer in plan.buffers if buffer.role == "saved")
        text = tr(
            "Planned by Inductor: at most {size} at once in {count} buffers; "
            "{size2} of them saved for the backward; reuse spares {size3}. "
            "Parameters and inputs are not counted; what is handed to the program may be let go "
            "earlier than drawn."
        ).format(
            size=describe_bytes(self.chart.peak[1]),
            count=len(plan.buffers),
            size2=describe_bytes(saved),
            size3=describe_bytes(plan.spared),
        )
        if plan.unknown:
            text += tr(" {unknown} buffers of symbolic size are left out.").format(unknown=plan.unknown)
        if self.chart.measured:
            highest = max(self.chart.measured.values())
            text += tr(" Measured: at most {size} while a kernel ran.").format(size=describe_bytes(highest))
        else:
            text += tr(" Not measured yet: Start does.")
        return text

    def _marked(self) -> set[int]:
        broker = self._session.selection
        return {
            index
            for index, location in enumerate(self.plan.kernels)
            if not broker.pinned_in(location.stage).isdisjoint(location.nodes)
        }

    def _select(self, index: int) -> None:
        self._session.selection.select(self.plan.kernels[index], self)
        self.refresh()


def _row(buffer: PlannedBuffer) -> Row:
    graph, part, _ = buffer.wrapper.split(":")
    size = describe_bytes(buffer.bytes) if buffer.bytes is not None else tr("not known")
    reused = tr("%n time(s)", None, buffer.reused) if buffer.reused else ""
    cells = (
        Cell(
            f"{' = '.join(buffer.names)}  ({graph} {part})",
            tooltip=tr("One piece of memory under the names that it has in turn"),
            monospace=True,
        ),
        Cell(size, buffer.bytes if buffer.bytes is not None else -1),
        Cell(tr(_WORDS[buffer.role])),
        Cell(
            tr("{value} to {end}").format(value=buffer.begin + 1, end=buffer.end),
            buffer.begin,
            tr("The first and the last kernel, in running order"),
        ),
        Cell(reused, buffer.reused),
    )
    return Row((buffer.wrapper, buffer.names, buffer.begin), cells)
