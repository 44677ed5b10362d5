"""Times as files for other programs: a table as CSV, and the steps as a Chrome trace, which Perfetto opens."""

import csv
import io

import msgspec

from compiler.model.capture import Capture
from compiler.model.ids import Place
from compiler.model.kernel_work import KernelWork, kernel_work
from compiler.model.machine_ceilings import MachineCeilings
from compiler.model.roofline import roof_point
from compiler.model.step_traces import StepPart, StepTrace
from compiler.model.timings import KernelTiming, TimingReport, TimingSummary

_COLUMNS = (
    "row",
    "name",
    "graph",
    "part",
    "language",
    "median_ns",
    "lower_quartile_ns",
    "upper_quartile_ns",
    "samples",
    "share_of_step",
    "bytes",
    "flops",
    "flops_counted_by",
    "bytes_per_second",
    "flops_per_second",
    "share_of_roof",
)


def csv_text(report: TimingReport, capture: Capture | None, ceilings: MachineCeilings | None = None) -> str:
    """One row for each kernel, each part of the step and each whole step; empty cells where nothing is known."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    work = kernel_work(capture) if capture is not None else {}
    step = report.compiled.median if report.compiled is not None else 0.0
    for row in report.kernels:
        kernel = row.kernel
        cells: dict[str, object] = {
            "row": "kernel",
            "name": ", ".join(kernel.place.nodes),
            "graph": kernel.place.stage.partition(":")[0],
            "part": kernel.part,
            "language": kernel.language,
        }
        writer.writerow(cells | _times(row.summary, step) | _work(row, work, ceilings))
    for part, summary in zip(StepPart, report.parts, strict=False):
        writer.writerow({"row": "part", "name": part.value} | _times(summary, step))
    for name, whole in (("compiled", report.compiled), ("eager", report.eager)):
        writer.writerow({"row": "step", "name": name} | _times(whole, 0.0))
    return out.getvalue()


def _times(summary: TimingSummary | None, step: float) -> dict[str, object]:
    if summary is None:
        return {}
    cells: dict[str, object] = {
        "median_ns": round(summary.median, 1),
        "lower_quartile_ns": round(summary.low, 1),
        "upper_quartile_ns": round(summary.high, 1),
        "samples": summary.count,
    }
    return cells | ({"share_of_step": round(summary.median / step, 6)} if step else {})


def _work(
    row: KernelTiming, work: dict[Place, KernelWork], ceilings: MachineCeilings | None
) -> dict[str, object]:
    found = work.get(row.kernel.place)
    if found is None:
        return {}
    cells: dict[str, object] = {"bytes": found.bytes, "flops": found.flops, "flops_counted_by": found.counted}
    if row.summary is not None and row.summary.median > 0:
        rate = 1e9 / row.summary.median
        cells["bytes_per_second"] = round(found.bytes * rate) if found.bytes is not None else None
        cells["flops_per_second"] = round(found.flops * rate) if found.flops is not None else None
        point = roof_point(found, row.summary.median, ceilings) if ceilings is not None else None
        cells["share_of_roof"] = round(point.share, 4) if point is not None else None
    return cells


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
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {"threads": report.threads, "capture": report.capture, "made by": "Torch Loupe"},
    }
    return msgspec.json.encode(document).decode()


def trace_title(trace: StepTrace) -> str:
    """What a trace is of, and how it was seen."""
    program = "compiled" if trace.compiled else "eager"
    how = "under torch's profiler" if trace.profiled else "clocks around kernel calls"
    return f"{program} step, {how}"


def _events(trace: StepTrace, process: int) -> list[_Event]:
    names: list[_Event] = [
        _Event("process_name", "M", process, 0, args={"name": trace_title(trace)}),
        _Event("process_sort_index", "M", process, 0, args={"sort_index": process}),
        _Event("thread_name", "M", process, 1, args={"name": "step"}),
    ]
    spans = [
        _Event(
            span.name or span.kind.value,
            "X",
            process,
            1,
            span.begin / 1e3,
            (span.end - span.begin) / 1e3,
            span.kind.value,
            {"kernel": span.kernel} if span.kernel >= 0 else {},
        )
        for span in sorted(trace.spans, key=lambda row: (row.begin, -row.end))
    ]
    live, memory = 0, []
    for at, change in trace.memory:
        live += change
        memory.append(_Event("bytes since the step began", "C", process, 1, at / 1e3, args={"bytes": live}))
    return [*names, *spans, *memory]
