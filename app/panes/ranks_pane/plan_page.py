"""What there is of a plan of many GPUs: its stages or ranks, which of them were captured, and the step of the whole pipeline."""

from PySide6.QtWidgets import QPushButton, QWidget

from app.session.ranks.plan_stages import PlanRow, PlanStages
from app.theme import fonts
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.prediction.known_machines import machine_for
from compiler.analysis.prediction.pipeline_step import predict_pipeline
from compiler.analysis.text_format.times import time_text
from compiler.model.capture.capture import Capture
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.prediction.parallel_plan import ParallelPlan

_COLUMNS = (
    Column(tr_noop("Stage"), width="Stage"),
    Column(tr_noop("Ranks"), width=Width.STRETCH),
    Column(tr_noop("State"), width=240),
)
_MOST_NAMED = 6
_MANY = 12
"""Rows among which one looks for a number."""


class PlanPage(QWidget):
    """Enter, a double click, or the button shows another one, and captures it where that was not done yet."""

    def __init__(self, stages: PlanStages, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stages = stages
        self._priced: tuple[tuple[Capture, ...], str] = ((), "")
        self.headline = WrappedLabel("", self)
        self.headline.setFont(fonts.interface(1.1, bold=True))
        self.words = WrappedLabel("", self)
        self.table = RowTable(_COLUMNS, tr("Filter ranks"), self)
        self.table.tree.setRootIsDecorated(False)
        self.go = QPushButton(tr("Capture"), self)  # which one, once there is a plan
        self.all = QPushButton(tr("Capture all stages"), self)
        self.all.setToolTip(
            tr("Capture those that are missing, one after the other, and predict the whole step")
        )
        buttons = row_of(self.go, self.all, Room())
        set_column(self, self.headline, self.words, (self.table, 1), buttons, margins=(8, 6, 8, 4), spacing=4)
        self.table.current_changed.connect(lambda _: self._show_button())
        self.table.activated.connect(self._go)
        self.go.clicked.connect(lambda: self._go(self.table.current()))
        self.all.clicked.connect(stages.capture_rest)

    def fill(self, plan: ParallelPlan) -> None:
        """Say what there is of it."""
        rows = self._stages.rows()
        piped = self._stages.stages > 1
        self.headline.setText(_headline(plan, self._stages.stages))
        left = plan.world - len(rows) if not piped else 0
        unlisted = tr("%n more rank(s) are not listed: capture one with its number.", None, left)
        self.words.setText(f"{self._format_plan(piped)} {unlisted}" if left else self._format_plan(piped))
        self.table.leave_out(() if piped else {0})
        self.table.field.setVisible(len(rows) > _MANY or bool(self.table.field.text()))
        self.table.set_rows([_row(row, piped) for row in rows])
        if self.table.current() is None:
            self.table.make_current(next((row.rank for row in rows if not row.shown), plan.rank))
        self.all.setVisible(piped)
        self.all.setEnabled(not all(row.captured for row in rows))
        self._show_button()

    def _format_plan(self, piped: bool) -> str:
        if not piped:
            return tr(
                "Each has a program of its own, as a rule the same: Timings → Predicted step → Ranks tells in what they differ."
            )
        captures = self._stages.captures()
        if captures != self._priced[0]:
            self._priced = captures, _whole_step(captures)
        return self._priced[1] or tr(
            "One stage is shown at a time. With all of them captured, the step of the whole pipeline stands here."
        )

    def _show_button(self) -> None:
        row = self.table.current()
        value = row.value if row is not None else None
        self.go.setEnabled(isinstance(value, PlanRow) and not value.shown)
        if isinstance(value, PlanRow):
            name = (
                tr("stage {stage}").format(stage=value.stage)
                if self._stages.stages > 1
                else tr("rank {rank}").format(rank=value.rank)
            )
            self.go.setText((tr("Show {name}") if value.captured else tr("Capture {name}")).format(name=name))

    def _go(self, row: Row | None) -> None:
        if row is not None and isinstance(row.value, PlanRow) and not row.value.shown:
            self._stages.wanted.emit(row.value.rank)


def _headline(plan: ParallelPlan, stages: int) -> str:
    mesh = ", ".join(f"{name}={size}" for name, size in plan.mesh)
    words = (
        tr("Rank {rank} of {world} as {mesh} is shown") if mesh else tr("Rank {rank} of {world} is shown")
    ).format(rank=plan.rank, world=plan.world, mesh=mesh)
    if stages > 1:
        words += tr(": stage {stage} of {count}").format(stage=plan.stage, count=stages)
    return words


def _row(row: PlanRow, piped: bool) -> Row:
    state, color = (
        (tr("shown"), "accent")
        if row.shown
        else (tr("captured"), "")
        if row.captured
        else (tr("not captured"), "dim_text")
    )
    if row.captured and piped and len(row.ranks) > 1:
        state += tr(", as rank {rank}").format(rank=row.rank)
    names = ", ".join(map(str, row.ranks[:_MOST_NAMED])) + (" …" if len(row.ranks) > _MOST_NAMED else "")
    cells = (Cell(str(row.stage), float(row.stage)), Cell(names, float(row.rank)), Cell(state, color=color))
    return Row(row.stage if piped else row.rank, cells, value=row)


def _whole_step(captures: tuple[Capture, ...]) -> str:
    if not captures:
        return ""
    try:
        found = predict_pipeline(list(captures), machine_for(captures[0]))
    except ValueError as error:
        return f"{error}."
    return tr(
        "Predicted, not measured: the step of all stages takes {time}, in {share:.0%} of which they wait for each other; stage "
        "{slowest} works longest, stage {largest} needs most memory, {size}."
    ).format(
        time=time_text(found.seconds * 1e9),
        share=found.bubble,
        slowest=found.bound_by.stage,
        largest=found.largest.stage,
        size=describe_bytes(found.largest.peak),
    )
