"""A step as lanes of boxes: what stands in which row, in which colour. No widgets."""

from dataclasses import dataclass

from app.theme.colors import Colors
from app.theme.palette import blend
from app.translation.texts import tr, tr_noop
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace

_COMPILED_ROWS = {
    SpanKind.FORWARD: 0,
    SpanKind.BACKWARD: 0,
    SpanKind.GRAPH: 1,
    SpanKind.WRAPPER: 2,
    SpanKind.GENERATED: 3,
    SpanKind.EXTERN: 3,
}
_EAGER_ROWS = {SpanKind.FORWARD: 0, SpanKind.BACKWARD: 0, SpanKind.AUTOGRAD: 1, SpanKind.OPERATION: 2}
_WORDS = {
    SpanKind.FORWARD: tr_noop("forward"),
    SpanKind.BACKWARD: tr_noop("backward"),
    SpanKind.GRAPH: tr_noop("compiled graph"),
    SpanKind.WRAPPER: tr_noop("wrapper of"),
    SpanKind.GENERATED: tr_noop("generated kernel"),
    SpanKind.EXTERN: tr_noop("extern kernel"),
    SpanKind.GUARDS: tr_noop("guards"),
    SpanKind.OPERATION: tr_noop("operation"),
    SpanKind.AUTOGRAD: tr_noop("autograd node"),
}


@dataclass(frozen=True)
class Box:
    """One span in a lane."""

    row: int
    span: Span


@dataclass(frozen=True)
class Lane:
    """One program's step; rows count from the top of the lane."""

    title: str
    note: str
    """How it was seen."""
    length: int
    boxes: tuple[Box, ...]
    rows: int
    median: float | None = None
    """Nanoseconds of the step without what the lane was seen with."""
    seen_with: str = "profiler"


def compiled_lane(trace: StepTrace, median: float | None = None) -> Lane:
    """The compiled step, seen with clocks."""
    note = tr("clocks around kernel calls; of these steps the one nearest to their median")
    return Lane(tr("Compiled"), note, trace.length, _boxes(trace, _COMPILED_ROWS), 4, median, "clocks")


def eager_lane(trace: StepTrace, median: float | None) -> Lane:
    """The eager step, seen by the profiler."""
    note = tr(
        "the shortest of a few steps under torch's profiler, which makes every operation a little longer"
    )
    operations = trace.of_kind(SpanKind.OPERATION)
    read, written = sum(span.read for span in operations), sum(span.written for span in operations)
    if read or written:
        note = tr("reads {size}, writes {size2}; {note}").format(
            size=describe_bytes(read), size2=describe_bytes(written), note=note
        )
    return Lane(tr("Eager"), note, trace.length, _boxes(trace, _EAGER_ROWS), 3, median)


def _boxes(trace: StepTrace, rows: dict[SpanKind, int]) -> tuple[Box, ...]:
    return tuple(Box(rows[span.kind], span) for span in trace.spans if span.kind in rows)


def color_of(kind: SpanKind, colors: Colors) -> str:
    """The colour that a kind has in timeline, table and plots."""
    named = {
        SpanKind.FORWARD: blend(colors.panel, colors.forward, 0.30),
        SpanKind.BACKWARD: blend(colors.panel, colors.backward, 0.30),
        SpanKind.GRAPH: blend(colors.panel, colors.dim_text, 0.25),
        SpanKind.WRAPPER: blend(colors.panel, colors.dim_text, 0.45),
        SpanKind.GENERATED: colors.fused,
        SpanKind.EXTERN: colors.extern,
        SpanKind.GUARDS: colors.warning,
        SpanKind.OPERATION: colors.input,
        SpanKind.AUTOGRAD: blend(colors.panel, colors.backward, 0.45),
    }
    return named[kind]


def format_span(span: Span) -> str:
    """What a span is, in a few words."""
    kind = tr(_WORDS[span.kind])
    return f"{kind} {span.name}" if span.name else kind


def format_moved(span: Span) -> str:
    """Lines about an eager operation: its bytes, and the user's line."""
    text = ""
    if span.read or span.written:
        text += tr("\nreads {size}, writes {size2}").format(
            size=describe_bytes(span.read), size2=describe_bytes(span.written)
        )
    if span.line:
        text += tr("\nasked for by {name}:{line}").format(name=span.path.rpartition("/")[2], line=span.line)
    return text
