"""The memory of a step on fakes against the memory that the same program really allocates here, byte for byte."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.analysis.prediction.memory_curve import memory_curve
from compiler.command_line.worker_client import WorkerClient
from compiler.installation import HOME
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.prediction.parallel_plan import StepOptions
from compiler.model.prediction.simulated_step import BACKWARD, FORWARD, KERNEL
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.finished_process import ran
from tests.helpers.thoroughness import some
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]
Write = Callable[[str, str], Path]
PROGRAMS = {
    "products": """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(96)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(96, 96) for _ in range(5))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.nn.functional.gelu(layer(self.norm(x)))
        return x.square().mean()

def example_inputs():
    return (torch.randn(32, 48, 96),)
""",
    "breaks": """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(128, 256), torch.nn.Linear(256, 128)

    def forward(self, x):
        x = torch.sin(self.first(x))
        torch._dynamo.graph_break()
        x = torch.cos(x) * 2
        return (self.second(x) + 1).sum()

def example_inputs():
    return (torch.randn(512, 128),)
""",
}
ON_BOTH = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = torch.nn.ParameterList(torch.randn(64) for _ in range(20))
        self.register_buffer("chosen", torch.eye(4).to_sparse())

    def forward(self, x):
        here = x.sum().cpu() * torch.ones(64)
        for weight in self.weights:
            here = (here * 1.5).sin()
            torch._dynamo.graph_break()
            x = (x * weight).cos()
        return x.sum().cpu() + here.sum()

def example_inputs():
    return (torch.randn(64, requires_grad=True),)
"""
"""Backward nodes on the GPU and on the CPU at the same time, and a buffer that has no storage."""
MEASURE = """\
import importlib, json, sys, torch
sys.path.insert(0, sys.argv[1])
module = importlib.import_module(sys.argv[2])
torch._inductor.config.fx_graph_cache = False
net, inputs = module.Net(), module.example_inputs()
compiled = torch.compile(net)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)

def step():
    compiled(*inputs).backward()
    optimizer.step()
    optimizer.zero_grad()

for _ in range(3):
    step()
state = [value for row in optimizer.state.values() for value in row.values()]
held = sum(value.untyped_storage().nbytes() for value in (*net.parameters(), *inputs, *state))
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
    step()
events = [event for event in profile.profiler.kineto_results.events() if event.name() == "[memory]"]
live = most = 0
for event in sorted(events, key=lambda event: event.start_ns()):
    live += event.nbytes()
    most = max(most, live)
print(json.dumps([held, held + most]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(PROGRAMS))
def test_the_peak_of_a_step_is_what_is_really_allocated(worker: WorkerClient, write: Write, name: str):
    path = write(f"{name}_net.py", PROGRAMS[name])
    spec = CaptureSpec(
        TargetSpec(f"{path.name}:Net", str(path.parent)),
        run=RunOptions(True),
        without_values=True,
        step=StepOptions("adamw"),
    )
    capture = capture_by(worker, spec)
    step = capture.step
    assert step.problem == ""
    done = ran([sys.executable, "-c", MEASURE, str(path.parent), path.stem], HOME, timeout=300, check=True)
    held, peak = json.loads(done.stdout.strip().splitlines()[-1])
    assert sum(row.bytes for row in step.memory if row.begin < 0) == held
    changes = sorted(
        (tick, size) for row in step.memory for tick, size in ((row.begin, row.bytes), (row.end, -row.bytes))
    )
    live = most = 0
    for _, change in changes:
        live += change
        most = max(most, live)
    assert most == peak
    assert peak <= memory_curve(step).peak.total <= peak + 512 * len(step.memory), "in the allocator's blocks"


GOES_BACK = """import torch

class Net(torch.nn.Linear):
    def __init__(self):
        super().__init__(8, 8)

    def forward(self, x):
        loss = torch.tanh(super().forward(x)).mean()
        loss.backward()
        return loss

def example_inputs():
    return (torch.randn(2, 8),)
"""


@pytest.mark.thorough
def test_a_program_that_goes_back_itself_has_a_backward(worker: WorkerClient, write: Write):
    """It failed, since its loss can't be gone back from again; then all of it was a forward."""
    path = write("goes_back.py", GOES_BACK)
    target = TargetSpec("goes_back.py:Net", str(path.parent))
    spec = CaptureSpec(target, run=RunOptions(True), without_values=True, step=StepOptions())
    step = capture_with_step(worker, spec).step
    assert {moment.phase for moment in step.moments if moment.what == KERNEL} == {FORWARD, BACKWARD}


def test_a_step_goes_back_over_two_devices(worker: WorkerClient, write: Write):
    """In threads of their own, one in two failed: a fake mode's state is one for all."""
    target = target_in(write("both.py", ON_BOTH))
    capture = capture_with_step(worker, spec_on_h100(target, step=StepOptions("adamw")))
    assert capture.step is not None
    assert capture.step.sparse == 1
    phases = [moment.phase for moment in capture.step.moments]
    assert phases.count(BACKWARD) > phases.count(FORWARD) > 0
