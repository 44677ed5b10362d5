"""Steps on a time axis as JSON in the Trace Event Format, which Perfetto and chrome://tracing open.

Perfetto reads a time as microseconds, multiplies it by 1000 and cuts off what is left; and it drops a slice that is not
wholly inside or outside of another of its thread. So times are written such that it gets our very nanoseconds, and spans
that overlap in part (two clocks saw them) get a thread of their own.
"""

import math
from collections.abc import Iterable

import msgspec

from compiler.model.timing.step_trace import Span, StepTrace
from compiler.model.timing.timings import TimingReport


class _Event(msgspec.Struct, omit_defaults=True):
    """An event of the Trace Event Format; times are microseconds."""

    name: str
    ph: str
    pid: int
    tid: int
    ts: float = -1.0
    dur: float = -1.0
    cat: str = ""
    args: dict[str, str | int | float] = {}


def chrome_trace(report: TimingReport) -> str:
    """The typical step with clocks, and the steps that the profiler saw, each a process of the trace. JSON."""
    events: list[_Event] = []
    for number, trace in enumerate(report.traces, 1):
        events += _events(trace, number)
    document = {
        # older versions of Perfetto take "ns" to mean that the times themselves are nanoseconds
        "displayTimeUnit": "ms",
        "traceEvents": events,
        "otherData": {"threads": report.threads, "capture": report.capture, "made by": "Torch Loupe"},
    }
    return msgspec.json.encode(document).decode()


def _title(trace: StepTrace) -> str:
    """What a trace is of, and how it was seen."""
    program = "compiled" if trace.compiled else "eager"
    how = "under torch's profiler" if trace.profiled else "clocks around kernel calls"
    return f"{program} step, {how}"


def _events(trace: StepTrace, process: int) -> list[_Event]:
    events: list[_Event] = [
        _Event("process_name", "M", process, 0, args={"name": _title(trace)}),
        _Event("process_sort_index", "M", process, 0, args={"sort_index": process}),
    ]
    for thread, spans in enumerate(_threads(trace.spans), 1):
        name = "step" if thread == 1 else f"step, overlapping {thread - 1}"
        events.append(_Event("thread_name", "M", process, thread, args={"name": name}))
        events += (_slice(span, process, thread) for span in spans)
    live = 0
    for at, change in trace.memory:
        live += change
        args: dict[str, str | int | float] = {"bytes": live}
        events.append(_Event("bytes since the step began", "C", process, 1, _microseconds(at), args=args))
    return events


def _slice(span: Span, process: int, thread: int) -> _Event:
    return _Event(
        span.name or span.kind.value,
        "X",
        process,
        thread,
        _microseconds(span.begin),
        _microseconds(max(0, span.end - span.begin)),
        span.kind.value,
        {"kernel": span.kernel} if span.kernel >= 0 else {},
    )


def _microseconds(nanoseconds: int) -> float:
    """The least number from which cutting off after multiplying by 1000 gives these nanoseconds."""
    value = nanoseconds / 1000
    return value if int(value * 1000) == nanoseconds else math.nextafter(value, math.inf)


def _threads(spans: Iterable[Span]) -> list[list[Span]]:
    """The spans in order, on as few threads as let each lie inside or outside of every other."""
    threads: list[list[Span]] = []
    open_ends: list[list[int]] = []
    for span in sorted(spans, key=lambda row: (row.begin, -row.end)):
        for thread, ends in zip(threads, open_ends, strict=True):
            while ends and ends[-1] <= span.begin:
                ends.pop()
            if not ends or span.end <= ends[-1]:
                thread.append(span)
                ends.append(span.end)
                break
        else:
            threads.append([span])
            open_ends.append([span.end])
    return threads
