"""Times as CSV and as Chrome trace, against the format's documented fields."""

import csv
import io
import json

from compiler.model.ids import place
from compiler.model.step_traces import Span, SpanKind, StepPart, StepTrace
from compiler.model.timing_export import chrome_trace, csv_text
from compiler.model.timings import KernelTiming, TimedKernel, TimingReport, TimingSummary

KERNEL = TimedKernel("relu", place("0/0:forward:kernels", "relu"), "forward", "cpp")
CLOCKED = StepTrace(
    True,
    False,
    1000,
    (
        Span(0, 1000, SpanKind.FORWARD),
        Span(100, 900, SpanKind.WRAPPER, "0/0 forward"),
        Span(200, 700, SpanKind.GENERATED, "relu", 0),
    ),
)
EAGER = StepTrace(False, True, 500, (Span(0, 500, SpanKind.FORWARD),), ((10, 64), (20, -32)))


def summary(value: float) -> TimingSummary:
    return TimingSummary(value, value - 1, value + 1, 20)


REPORT = TimingReport(
    "capture-1",
    (KernelTiming(KERNEL, summary(500)),),
    summary(1000),
    None,
    2,
    tuple(summary(index) for index in range(len(StepPart))),
    None,
    (CLOCKED, EAGER),
)


def test_the_table_has_kernels_parts_and_steps() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(REPORT, None))))
    assert [row["row"] for row in rows] == ["kernel", *["part"] * len(StepPart), "step", "step"]
    assert (rows[0]["name"], rows[0]["median_ns"], rows[0]["share_of_step"]) == ("relu", "500", "0.5")
    assert rows[-1]["name"] == "eager"
    assert rows[-1]["median_ns"] == ""


def test_the_trace_has_the_documented_fields() -> None:
    document = json.loads(chrome_trace(REPORT))
    events = document["traceEvents"]
    assert document["displayTimeUnit"] in ("ms", "ns")
    assert {event["ph"] for event in events} == {"M", "X", "C"}
    for event in events:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        if event["ph"] == "X":
            assert event["ts"] >= 0
            assert event["dur"] >= 0
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "process_sort_index", "thread_name")
    counters = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
    assert counters == [64, 32]
    relu = next(event for event in events if event["name"] == "relu")
    assert (relu["ts"], relu["dur"], relu["cat"]) == (0.2, 0.5, "generated")


def test_boxes_of_a_thread_lie_one_inside_the_other() -> None:
    spans = [event for event in json.loads(chrome_trace(REPORT))["traceEvents"] if event["ph"] == "X"]
    for process in {event["pid"] for event in spans}:
        stack: list[float] = []
        for event in (event for event in spans if event["pid"] == process):
            end = event["ts"] + event["dur"]
            while stack and stack[-1] <= event["ts"]:
                stack.pop()
            assert not stack or end <= stack[-1] + 1e-9
            stack.append(end)
