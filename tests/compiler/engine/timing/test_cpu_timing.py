"""Timings name the kernels of the capture, count what ran, and leave the program as it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from compiler.analysis.timing.memory_plan import measured_memory, memory_plan
from compiler.command_line.reports.time_reports import timing_table
from compiler.engine.measuring import interleaved_timing
from compiler.engine.measuring.step_clock import StepTime
from compiler.engine.timing import cpu_timing, samples
from compiler.engine.timing.cpu_timing import TimingRun
from compiler.engine.timing.step_log import StepLog
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.ir.stage import StageKind
from compiler.model.timing.step_trace import SpanKind, StepPart
from compiler.model.timing.timings import TimingBatch, TimingSettings, TimingStarted
from tests.compiler.engine.conftest import capture, spec

pytestmark = pytest.mark.engine


@pytest.mark.thorough
def test_every_kernel_is_timed_and_nothing_is_changed() -> None:
    live = capture("breaky.py:Breaky")
    before = live.stepper.compared_step(live.compiled).tensors
    events: list[TimingStarted | TimingBatch] = []
    settings = TimingSettings(iterations=20, warm_up=3, eager_every=5)
    report = TimingRun(live, settings, "capture-1").run(events.append, lambda: False)
    known = {
        (stage.id, kernel.id) for stage in live.capture.of_kind(StageKind.KERNELS) for kernel in stage.kernels
    }
    started = events[0]
    assert isinstance(started, TimingStarted)
    assert {(row.place.stage, row.place.nodes[0]) for row in started.kernels} == known
    assert started.threads == torch.get_num_threads()
    batches = [event for event in events if isinstance(event, TimingBatch)]
    assert sum(len(batch.kernels) for batch in batches) == 20
    assert all(row.summary is not None and row.summary.median > 0 for row in report.kernels)
    assert not report.is_of_other_code
    assert report.eager is not None
    assert report.compiled.count == 20
    assert report.clocked.count == 20
    for batch in batches:
        for kernels, step in zip(batch.kernels, batch.clocked, strict=True):
            assert sum(spent for spent in kernels if spent > 0) < step, "kernels are part of the step"
    after = live.stepper.compared_step(live.compiled).tensors
    assert set(after) == set(before)
    assert all(
        sum(row) == step for batch in batches for row, step in zip(batch.parts, batch.clocked, strict=True)
    )
    assert all(value >= 0 for batch in batches for row in batch.parts for value in row)
    assert sum(len(batch.pairs) for batch in batches) == 4
    assert len(report.parts) == len(StepPart)
    assert report.ratio is None, "four pairs are too few"


@pytest.mark.thorough
def test_a_step_is_drawn_as_it_ran() -> None:
    live = capture("mlp.py:MLP")
    report = TimingRun(live, TimingSettings(iterations=30, eager_every=2), "c").run(
        lambda event: None, lambda: False
    )
    clocked, compiled, eager = report.traces
    assert (clocked.profiled, compiled.profiled, eager.profiled) == (False, True, True)
    assert (compiled.compiled, eager.compiled) == (True, False)
    assert sorted(span.kernel for span in clocked.spans if span.kernel >= 0) == list(
        range(len(report.kernels))
    )
    for trace in report.traces:
        assert all(0 <= span.begin <= span.end <= trace.length for span in trace.spans)
        (forward,), (backward,) = trace.of_kind(SpanKind.FORWARD), trace.of_kind(SpanKind.BACKWARD)
        assert forward.end == backward.begin
    (graph,) = clocked.of_kind(SpanKind.GRAPH)
    first, second = clocked.of_kind(SpanKind.WRAPPER)
    assert graph.begin <= first.begin <= first.end <= graph.end <= second.begin
    for wrapper, part in ((first, "forward"), (second, "backward")):
        inside = [
            span for span in clocked.spans if span.kernel >= 0 and wrapper.begin <= span.begin < wrapper.end
        ]
        assert {report.kernels[span.kernel].kernel.part for span in inside} == {part}
    assert compiled.of_kind(SpanKind.GUARDS)
    assert "aten::relu" in [span.name for span in eager.of_kind(SpanKind.OPERATION)]
    assert "ReluBackward0" in [span.name for span in eager.of_kind(SpanKind.AUTOGRAD)]
    assert report.ratio.pairs == 15


@pytest.mark.thorough
def test_memory_is_used_as_inductor_planned_it() -> None:
    live = capture("mlp.py:MLP")
    report = TimingRun(live, TimingSettings(iterations=3, eager_every=0), "c").run(
        lambda event: None, lambda: False
    )
    plan = memory_plan(live.capture)
    trace = next(trace for trace in report.traces if trace.profiled)
    measured = measured_memory(trace, tuple(row.kernel for row in report.kernels))
    assert set(measured) == set(plan.kernels)
    planned = dict(zip(plan.kernels, plan.live(), strict=True))
    # The program itself makes tangents as large as its output before the backward, and lets go of what it is handed when
    # it likes.
    results = dict(zip(plan.kernels, plan.live("result"), strict=True))
    for location, size in planned.items():
        assert size - results[location] <= measured[location] <= size + 2 * 1280 + 64, location


@pytest.mark.thorough
def test_another_number_of_threads_is_timed_on_code_made_for_it() -> None:
    engine = Engine()
    usual = torch.get_num_threads()
    engine.capture(spec("mlp.py:MLP"), "capture-1", lambda text: None)
    try:
        for threads in (1, 0):
            settings = TimingSettings(iterations=5, threads=threads)
            heard: list[str] = []
            report = engine.time("capture-1", settings, lambda event: None, lambda: False, heard.append)
            assert report.threads == (threads or usual)
            if usual > 1:
                assert heard[0].startswith(f"Compiling again for {report.threads} thread")
            assert all(row.summary is not None for row in report.kernels)
    finally:
        torch.set_num_threads(usual)


_COUNTING = """
import torch

class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        self.seen += 1
        return (x * self.seen).sin()

def example_inputs():
    return (torch.ones(8),)
"""


@pytest.mark.thorough
def test_times_of_other_code_are_asked_to_be_so(tmp_path: Path) -> None:
    """Its first guard holds at the first call only: 200 steps of what torch went on in stood beside eager's."""
    (tmp_path / "counting.py").write_text(_COUNTING, encoding="utf-8")
    engine = Engine()
    target = TargetSpec("counting.py:Counting", str(tmp_path))
    captured = engine.capture(CaptureSpec(target), "capture-1", lambda text: None)
    settings = TimingSettings(iterations=5, warm_up=1)
    report = engine.time("capture-1", settings, lambda event: None, lambda: False, lambda text: None)
    assert report.is_of_other_code
    assert report.failed_guards == ("0/0: L['self'].seen == 0",)
    text = timing_table(report, captured)
    assert "No captured graph ran in the steps that were timed" in text
    assert "Torch names the guard that does not hold: 0/0: L['self'].seen == 0" in text
    assert "faster" not in text
    assert "slower" not in text


_KEEPING = """
import torch

class Keeping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None

    def forward(self, x):
        y = x.sin()
        torch._dynamo.graph_break()
        if self.table is None:
            self.table = y.cos()
        return (y + self.table).exp()

def example_inputs():
    return (torch.ones(8),)
"""


@pytest.mark.thorough
def test_a_graph_that_other_code_took_the_place_of_is_named(tmp_path: Path) -> None:
    """What a package keeps of its first call, such as a rotary table: the rest of the program ran, and only that was asked."""
    (tmp_path / "keeping.py").write_text(_KEEPING, encoding="utf-8")
    engine = Engine()
    captured = engine.capture(
        CaptureSpec(TargetSpec("keeping.py:Keeping", str(tmp_path))), "capture-1", lambda text: None
    )
    settings = TimingSettings(iterations=20, warm_up=1)
    report = engine.time("capture-1", settings, lambda event: None, lambda: False, lambda text: None)
    assert not report.is_of_other_code
    (name,) = report.unrun_graphs
    assert name != "0/0"
    assert any("table" in guard and guard.startswith(name) for guard in report.failed_guards)
    assert f"Of what was captured {name} did not run in these steps" in timing_table(report, captured)


@pytest.mark.thorough
def test_it_stops_when_reported() -> None:
    live = capture("mlp.py:MLP")
    seen: list[object] = []
    report = TimingRun(live, TimingSettings(warm_up=0), "capture-1").run(seen.append, lambda: len(seen) >= 3)
    assert report.compiled.count > 0
    assert all(
        inductor_graph.output.current_callable.__qualname__ == "Runner.call"
        for inductor_graph in live.live.dynamo_graphs[0].inductor_graphs
    )
    assert all(
        "timed wrapper" not in inductor_graph.output.current_callable.__code__.co_filename
        for inductor_graph in live.live.dynamo_graphs[0].inductor_graphs
    )


@pytest.mark.parametrize("limits", [{"_MOST_STEPS": 10}, {"_MOST_TIMES": 50, "_FEWEST_STEPS": 10}])
def test_a_run_without_end_keeps_the_newest_steps_only(
    limits: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(samples, name, value)
    monkeypatch.setattr(cpu_timing, "BATCH_SECONDS", 0.0)
    live = capture("mlp.py:MLP", training=False)
    seen: list[TimingStarted | TimingBatch] = []
    report = TimingRun(live, TimingSettings(warm_up=0, eager_every=1), "c").run(
        seen.append, lambda: len(seen) > 60
    )
    batches = [event for event in seen if isinstance(event, TimingBatch)]
    assert sum(len(batch.compiled) for batch in batches) == 60, "every step was sent"
    assert sum(len(batch.pairs) for batch in batches) == 60
    assert 10 <= report.compiled.count <= 20
    made = TimingRun(live, TimingSettings(iterations=40, eager_every=0), "c").run(seen.append, lambda: False)
    assert made.compiled.count == 40


@pytest.mark.thorough
def test_without_backward_only_forward_kernels_run() -> None:
    live = capture("mlp.py:MLP")
    report = TimingRun(live, TimingSettings(iterations=5, backward=False, eager_every=0), "c").run(
        lambda event: None, lambda: False
    )
    assert {row.kernel.part for row in report.kernels if row.summary is not None} == {"forward"}
    assert report.eager is None


@pytest.mark.thorough
def test_what_is_compared_with_eager_has_no_clock_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = [0]
    honest = StepLog.watched

    def counted(log: StepLog, kind: SpanKind, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            watched[0] += 1
            return function(*args)

        return honest(log, kind, name, noted)

    monkeypatch.setattr(StepLog, "watched", counted)
    monkeypatch.setattr(interleaved_timing, "_SETTLES", ((0, 0),))
    live = capture("mlp.py:MLP")
    plain: list[int] = []
    timed = live.stepper.timed

    def reported(program: Callable[..., Any], clock: Callable[[], int], backward: bool = True) -> StepTime:
        before = watched[0]
        found = timed(program, clock, backward)
        if program is live.compiled:
            plain.append(watched[0] - before)
        return found

    monkeypatch.setattr(live.stepper, "timed", reported)
    monkeypatch.setattr(TimingRun, "_profiled", lambda run: [])
    report = TimingRun(live, TimingSettings(iterations=24, warm_up=2), "c").run(
        lambda event: None, lambda: False
    )
    assert plain == [0] * 26, "one step a turn as it is"
    assert watched[0] == 26 * 3, "and one with clocks: a graph and two wrappers"
    assert (report.clocked.count, report.compiled.count, report.ratio.pairs) == (24, 24, 24)


def test_a_clocked_steps_backward_begins_where_its_forward_ended() -> None:
    log = StepLog(lambda: 0)
    forward, backward = (
        log.watched(SpanKind.GRAPH, "f", lambda: None),
        log.watched(SpanKind.GRAPH, "b", lambda: None),
    )
    forward(), backward()
    log.readings[:] = [(-1, 12, 18), (-2, 131, 137)]
    log.close_gaps([(10, 20), (130, 140)])
    spans = [(span.begin, span.end, span.kind) for span in log.trace(10, 20).spans]
    forward_span, backward_span = (0, 10, SpanKind.FORWARD), (10, 20, SpanKind.BACKWARD)
    assert spans == [forward_span, (2, 8, SpanKind.GRAPH), backward_span, (11, 17, SpanKind.GRAPH)]
    assert log.parts(20)[list(StepPart).index(StepPart.OUTSIDE)] == 8
