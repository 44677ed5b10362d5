"""The page of memory: the plan over the kernels of a step, and every buffer with its life."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.panes.timings_pane.memory_chart import ROLES, MemoryChart, role_color
from app.panes.timings_pane.page_split import PageSplit
from app.session.facade.session import Session
from app.theme import current
from app.widgets.legend_strip import LegendEntry, LegendStrip
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.timing.memory_plan import MemoryPlan, PlannedBuffer, measured_memory, memory_plan
from compiler.model.capture.capture import Capture
from compiler.model.ir.tensor_types import describe_bytes

_COLUMNS = (
    Column("Buffer", width=Width.STRETCH),
    Column("Size", width="999.9 MiB", right=True),
    Column("Kept as", width="saved for the backward"),
    Column("Lives while", width="Lives while", right=True, needs=540),
    Column("Taken over", width="Taken over", right=True, needs=640),
)
_SIZE = 1
_WORDS = {"saved": "saved for the backward", "result": "handed to the program", "temporary": "temporary"}


class MemoryPage(QWidget):
    """Filled by `refresh`. The plan needs no run; what is measured comes with timings."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._capture: Capture | None = None
        self.plan = MemoryPlan((), ())
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        self.legend = LegendStrip(self)
        self.chart = MemoryChart(self)
        self.table = RowTable(_COLUMNS, "Filter buffers", self)
        self.table.tree.setRootIsDecorated(False)
        self.table.sort_by(_SIZE, descending=True)
        upper = QWidget(self)
        column_box = QVBoxLayout(upper)
        column_box.setContentsMargins(0, 0, 0, 0)
        column_box.setSpacing(0)
        column_box.addWidget(self.legend)
        column_box.addWidget(self.chart, 1)
        split = PageSplit(upper, self.table, self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 4, 0, 0)
        outer.setSpacing(3)
        outer.addWidget(self.summary)
        outer.addWidget(split, 1)
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
        entries = [LegendEntry(_WORDS[role], role_color(role, colors)) for role in ROLES]
        entries.append(LegendEntry("measured (profiled step, since it began)", colors.text, "stripe"))
        self.legend.set_entries(tuple(entries) if self.plan.kernels else ())

    def mark_selected(self) -> None:
        """Frame the kernels that the pinned selection became."""
        self.refresh()

    def _summary(self) -> str:
        plan = self.plan
        if not plan.kernels:
            return "There is no plan: nothing is compiled to kernels that a Python wrapper calls."
        saved = sum(buffer.bytes or 0 for buffer in plan.buffers if buffer.role == "saved")
        text = (
            f"Planned by Inductor: at most {describe_bytes(self.chart.peak[1])} at once in {len(plan.buffers)} buffers; "
            f"{describe_bytes(saved)} of them saved for the backward; reuse spares {describe_bytes(plan.spared)}. "
            "Parameters and inputs are not counted; what is handed to the program may be let go earlier than drawn."
        )
        if plan.unknown:
            text += f" {plan.unknown} buffers of symbolic size are left out."
        if self.chart.measured:
            highest = max(self.chart.measured.values())
            text += f" Measured: at most {describe_bytes(highest)} while a kernel ran."
        else:
            text += " Not measured yet: Start does."
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
    size = describe_bytes(buffer.bytes) if buffer.bytes is not None else "not known"
    reused = f"{buffer.reused} times" if buffer.reused > 1 else "once" if buffer.reused else ""
    cells = (
        Cell(
            f"{' = '.join(buffer.names)}  ({graph} {part})",
            tooltip="One piece of memory under the names that it has in turn",
            monospace=True,
        ),
        Cell(size, buffer.bytes if buffer.bytes is not None else -1),
        Cell(_WORDS[buffer.role]),
        Cell(
            f"{buffer.begin + 1} to {buffer.end}",
            buffer.begin,
            "The first and the last kernel, in running order",
        ),
        Cell(reused, buffer.reused),
    )
    return Row((buffer.wrapper, buffer.names, buffer.begin), cells)
