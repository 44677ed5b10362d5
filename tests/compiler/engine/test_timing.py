"""Timings name the kernels of the capture, count what ran, and leave the program as it was."""

import pytest
import torch

from compiler.engine.engine import Engine
from compiler.engine.timing import TimingRun
from compiler.model.stage import KernelStage, StageKind
from compiler.model.timings import TimingBatch, TimingSettings, TimingStarted
from tests.compiler.engine.conftest import capture, spec

pytestmark = pytest.mark.engine


def test_every_kernel_is_timed_and_nothing_is_changed() -> None:
    live = capture("breaky.py:Breaky")
    before = live.stepper.compared_step(live.compiled).tensors
    events: list[TimingStarted | TimingBatch] = []
    settings = TimingSettings(iterations=20, warm_up=3, eager_every=5)
    report = TimingRun(live, settings, "capture-1").run(events.append, lambda: False)
    known = {
        (stage.id, kernel.id)
        for stage in live.capture.of_kind(StageKind.KERNELS)
        if isinstance(stage.content, KernelStage)
        for kernel in stage.content.kernels.kernels
    }
    started = events[0]
    assert isinstance(started, TimingStarted)
    assert {(row.place.stage, row.place.nodes[0]) for row in started.kernels} == known
    assert started.threads == torch.get_num_threads()
    batches = [event for event in events if isinstance(event, TimingBatch)]
    assert sum(len(batch.kernels) for batch in batches) == 20
    assert all(row.summary is not None and row.summary.median > 0 for row in report.kernels)
    assert report.compiled is not None
    assert report.eager is not None
    assert report.compiled.count == 20
    spent = sum(row.summary.median for row in report.kernels if row.summary is not None)
    assert spent < report.compiled.median, "kernels are part of the step"
    after = live.stepper.compared_step(live.compiled).tensors
    assert set(after) == set(before)


def test_another_number_of_threads_is_timed_on_code_made_for_it() -> None:
    engine = Engine()
    usual = torch.get_num_threads()
    engine.capture(spec("mlp.py:MLP"), "capture-1", lambda text: None)
    try:
        for threads in (1, 0):
            settings = TimingSettings(iterations=5, threads=threads)
            report = engine.time("capture-1", settings, lambda event: None, lambda: False, lambda text: None)
            assert report.threads == (threads or usual)
            assert all(row.summary is not None for row in report.kernels)
    finally:
        torch.set_num_threads(usual)


def test_it_stops_when_told() -> None:
    live = capture("mlp.py:MLP")
    seen: list[object] = []
    report = TimingRun(live, TimingSettings(warm_up=0), "capture-1").run(seen.append, lambda: len(seen) >= 3)
    assert report.compiled is not None
    assert report.compiled.count > 0
    assert all(
        unit.output.current_callable.__qualname__ == "Runner.call" for unit in live.live.regions[0].units
    )
    assert all(
        "timed wrapper" not in unit.output.current_callable.__code__.co_filename
        for unit in live.live.regions[0].units
    )


def test_without_backward_only_forward_kernels_run() -> None:
    live = capture("mlp.py:MLP")
    report = TimingRun(live, TimingSettings(iterations=5, backward=False, eager_every=0), "c").run(
        lambda event: None, lambda: False
    )
    assert {row.kernel.part for row in report.kernels if row.summary is not None} == {"forward"}
    assert report.eager is None
