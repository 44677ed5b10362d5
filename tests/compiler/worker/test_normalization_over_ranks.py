"""Batch normalization over all ranks of a world that is not there, in DistributedDataParallel: it asks for values and breaks graphs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.analysis.prediction.moment_work import moments_work
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import CONVOLUTIONS
from compiler.model.capture.gpu_assumptions import VALUE
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.stage import StageKind
from compiler.model.prediction.machine import TF32
from compiler.model.prediction.parallel_plan import DDP, ParallelPlan, StepOptions
from compiler.model.prediction.simulated_step import BACKWARD, FORWARD
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.needs import WORKER_WITH_TRITON

pytestmark = WORKER_WITH_TRITON
NET = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(16)
        self.last = nn.Linear(16, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x)))
        return self.last(x.mean((2, 3)))

net = nn.SyncBatchNorm.convert_sync_batchnorm(Net())

def example_inputs():
    return (torch.randn(4, 3, 16, 16),)
"""


@pytest.mark.thorough
def test_it_is_compiled_on_both_sides_of_what_breaks(
    worker: WorkerClient, write: Callable[[str, str], Path]
) -> None:
    path = write("net.py", NET)
    spec = spec_on_h100(
        target_in(path, "net"),
        parallel=ParallelPlan(4, (("dp", 4),), data=DDP),
        step=StepOptions("none"),
    )
    made = capture_with_step(worker, spec)
    assert not [problem for problem in made.problems if problem.severity is not Severity.NOTE]
    assert [row.what for row in made.assumed if row.what.startswith(VALUE)] == [f"{VALUE}SyncBatchNorm"]
    first, *others = [f"{row.explanation} {row.context}" for row in made.breaks if row.frame]
    assert "set_runtime_stats_and_log" in first, "as of torch.compile(DistributedDataParallel(…)) that runs"
    assert not [text for text in others if "Buckets" in text or "Logger" in text]
    wrappers = made.of_kind(StageKind.WRAPPER)
    assert {stage.part for stage in wrappers} == {"forward", "backward"}
    assert not made.step.problem
    sent = [
        (moment.phase, moment.sent.kind, max(moment.sent.sent, moment.sent.got))
        for moment in made.step.moments
        if moment.sent is not None
    ]
    assert made.tf32 == (CONVOLUTIONS,)
    work = zip(made.step.moments, moments_work(made, made.step), strict=True)
    names = ((f"{moment.name} {found.name}", found.dtype) for moment, found in work)
    convolutions = [dtype for name, dtype in names if "convolution" in name and "triton" not in name]
    assert set(convolutions) == {TF32}
    assert {moment.name for moment in made.step.moments if moment.waits} == {"aten.index.Tensor"}
    statistics, per_rank = (16 + 16) * 4, (16 + 16 + 1) * 4
    parameters = (3 * 9 * 16 + 16 + 16 + 16 + 16 * 10 + 10) * 4
    assert sent == [
        (FORWARD, "broadcast", statistics),  # DDP sends its buffers before each forward
        (FORWARD, "broadcast", 8),
        (FORWARD, "all_gather", 4 * per_rank),
        (BACKWARD, "all_reduce", statistics),
        (BACKWARD, "all_reduce", parameters),
    ]
