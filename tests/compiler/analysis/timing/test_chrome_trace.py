"""Steps as Chrome trace: the documented fields, and what Perfetto makes of them by the rules of its importer.

Perfetto's trace processor cannot be installed from a package; `perfetto_reads` has the rules of its JSON importer and
slice tracker, as its sources have them: ``ts`` and ``dur`` times 1000, cut off; a slice that overlaps an open one in part is dropped.
"""

import json
from collections import defaultdict

from hypothesis import example, given
from hypothesis import strategies as st

from compiler.analysis.timing.chrome_trace import chrome_trace
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace
from compiler.model.timing.timings import TimingReport

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


def document_of(*traces: StepTrace) -> dict:
    return json.loads(chrome_trace(TimingReport("capture-1", (), None, None, 2, (), None, traces)))


def perfetto_reads(events: list[dict]) -> tuple[list[tuple[int, int, str]], int]:
    """(begin, end, name) of each slice that Perfetto shows, in nanoseconds, and how many it drops."""
    rows = []
    for event in events:
        assert {"name", "ph", "pid", "tid"} <= event.keys()
        if event["ph"] == "X":
            begin, length = int(event["ts"] * 1000.0), int(event["dur"] * 1000.0)
            assert begin >= 0
            assert length >= 0
            rows.append((begin, length, event["name"], (event["pid"], event["tid"])))
    read, dropped = [], 0
    open_ends: dict[tuple[int, int], list[int]] = defaultdict(list)
    for begin, length, name, track in sorted(rows, key=lambda row: row[0]):
        ends = open_ends[track]
        while ends and ends[-1] <= begin:
            ends.pop()
        if ends and begin + length > ends[-1]:
            dropped += 1
            continue
        ends.append(begin + length)
        read.append((begin, begin + length, name))
    return sorted(read), dropped


def test_the_trace_has_the_documented_fields() -> None:
    document = document_of(CLOCKED, EAGER)
    events = document["traceEvents"]
    assert document["displayTimeUnit"] == "ms", "with ns, older versions read the times as nanoseconds"
    assert {event["ph"] for event in events} == {"M", "X", "C"}
    for event in events:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "process_sort_index", "thread_name")
    counters = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
    assert counters == [64, 32]
    relu = next(event for event in events if event["name"] == "relu")
    assert (relu["ts"], relu["dur"], relu["cat"]) == (0.2, 0.5, "generated")


def test_spans_that_overlap_in_part_get_a_thread_of_their_own() -> None:
    rows = [(0, 100), (10, 50), (40, 60), (50, 55), (60, 70)]
    spans = tuple(Span(begin, end, SpanKind.OPERATION, f"{begin}") for begin, end in rows)
    events = document_of(StepTrace(True, True, 100, spans))["traceEvents"]
    threads = {event["name"]: event["tid"] for event in events if event["ph"] == "X"}
    assert threads == {"0": 1, "10": 1, "40": 2, "50": 1, "60": 1}
    names = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
    assert names == ["step", "step, overlapping 1"]


@given(st.lists(st.tuples(st.integers(0, 10**10), st.integers(0, 10**6)), max_size=40))
@example([(0, 1001), (1001, 1), (1002, 4), (1002, 2)])
def test_perfetto_shows_every_span_to_the_nanosecond(rows: list[tuple[int, int]]) -> None:
    spans = tuple(Span(at, at + length, SpanKind.OPERATION, f"{at}") for at, length in rows)
    read, dropped = perfetto_reads(document_of(StepTrace(True, True, 1, spans))["traceEvents"])
    assert dropped == 0
    assert read == sorted((span.begin, span.end, span.name) for span in spans)
