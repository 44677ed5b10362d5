"""Where the time of a step goes: the parts with medians, spreads and shares; what is measured and what is a remainder."""

from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.panes.timings_pane.timeline_lanes import color_of
from app.session.timing.timing_recorder import TimingRecorder
from app.theme import current
from app.translation.compiler_texts import translate_fixed_text
from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.model.timing.step_trace import MEASURED_PARTS, SpanKind, StepPart, format_part
from compiler.model.timing.timings import TimingSummary, are_distinct

_COLUMNS = (
    Column(tr_noop("Part of the compiled step"), width=Width.STRETCH),
    Column(tr_noop("Median"), width="999.9 µs", right=True),
    Column(tr_noop("Quartiles"), width="999.9–999.9 µs", right=True, needs=560),
    Column(tr_noop("Share"), width="100.0%", right=True, bar=True),
    Column(tr_noop("How it is known"), width="difference of measured times", needs=700),
)
_KINDS = {
    StepPart.GENERATED: SpanKind.GENERATED,
    StepPart.EXTERN: SpanKind.EXTERN,
    StepPart.WRAPPER: SpanKind.WRAPPER,
    StepPart.RUNTIME: SpanKind.GRAPH,
    StepPart.OUTSIDE: SpanKind.FORWARD,
}


class PartsTable(RowTable):
    """One row a part, and one for the guards, which are part of the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Filter parts"), parent)
        self.field.hide()
        self.tree.setAccessibleName(tr("Parts of a step"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)

    def show_times(self, recorder: TimingRecorder) -> None:
        """Bring the numbers up to date."""
        live = bool(recorder.kernels)
        earlier = recorder.baseline
        step = recorder.dissected_summary() if live else earlier.dissected if earlier is not None else None
        parts = recorder.part_summaries() if live else earlier.parts if earlier is not None else ()
        guards = recorder.guard_time()
        steps = tr("%n profiled step(s)", None, guards.count) if guards is not None else ""
        inside = _row(tr("of that, looking up compiled code: guards"), guards, step, steps, SpanKind.GUARDS)
        rows = []
        for part, summary in zip(StepPart, parts or (None,) * len(StepPart), strict=True):
            how = tr("measured") if part in MEASURED_PARTS else tr("difference of measured times")
            children = (inside,) if part is StepPart.OUTSIDE else ()
            words = translate_fixed_text(format_part(part, are_distinct(tuple(parts))))
            rows.append(_row(words, summary, step, how, _KINDS[part], children))
        self.set_rows(rows)


def _row(
    name: str,
    summary: TimingSummary | None,
    step: TimingSummary | None,
    how: str,
    kind: SpanKind,
    children: tuple[Row, ...] = (),
) -> Row:
    tip = f"{name}\n{how}" if how else name
    if summary is None:
        return Row(name, (Cell(name, tooltip=tip), Cell("–")), children, open=True)
    share = summary.median / step.median if step is not None and step.median else None
    cells = (
        Cell(name, tooltip=tip),
        Cell(time_text(summary.median)),
        Cell(summary_text(summary).partition("[")[2].rstrip("]")),
        Cell(
            f"{share:.1%}" if share is not None else "",
            fraction=share,
            bar_color=color_of(kind, current.colors()),
        ),
        Cell(how),
    )
    return Row(name, cells, children, open=True)
