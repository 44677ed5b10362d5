"""A program whose parameters would not fit: built under fake tensors, compiled, not run."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.gpu_assumptions import Assumption
from compiler.model.capture.program_changes import SetCompileArgument
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS, GpuTarget
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import KernelStage, LoopStage, StageKind
from compiler.model.prediction.parallel_plan import StepOptions
from compiler.model.prediction.simulated_step import FORWARD, KERNEL
from compiler.model.protocol.messages import (
    DescribeTarget,
    Recompile,
    Recompiled,
    RunTimings,
    TargetDescribed,
    TryChanges,
)
from compiler.model.session_file.checks import consistent
from compiler.model.timing.timings import TimingSettings
from tests.helpers.finished_process import ran
from tests.helpers.needs import TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]

Write = Callable[[str, str], Path]
TERABYTES = """\
import numpy
import torch
from torch.nn.init import trunc_normal_

class Large(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(500_000, 500_000)
        self.second = torch.nn.Linear(500_000, 500_000)
        self.second.weight = self.first.weight
        trunc_normal_(self.second.weight, std=0.02)
        self.register_buffer("scale", torch.from_numpy(numpy.ones(500_000, dtype="float32")))

    def forward(self, x):
        return self.second(torch.relu(self.first(x)) * self.scale)

def example_inputs():
    return (torch.randn(3_000_000, 500_000),)
"""
"""A weight of 1 TB and inputs of 6 TB."""
ASKS = """\
import torch

class Asks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        depth = int(torch.full((5,), 3.0).add(torch.rand(5))[-1].item())
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        scale = int(x.sum().item())
        if x.mean() > 0:
            x = x * scale
        found = (x > 0).nonzero()
        return x.relu(), found + 1

def example_inputs():
    return (torch.randn(4, 8),)
"""
FLAGS = """\
import torch

class Flagged(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(64))
        self.register_buffer("filled", torch.tensor(WAS_FILLED))
        self.register_buffer("order", torch.arange(4))

    def forward(self, x):
        if self.filled and self.order[2] == 2:
            return (x * self.weight).tanh().sum()
        self.filled.data.copy_(torch.tensor(True))
        return (x * self.weight).cos().sum()

def example_inputs():
    return (torch.randn(64),)
"""
NORMED = """\
import torch

class Normed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(1024, 1024)
        self.norm = torch.nn.RMSNorm(1024)
        self.second = torch.nn.Linear(1024, 1024)

    def forward(self, x):
        return self.second(self.norm(self.first(x)))

def example_inputs():
    return (torch.randn(8, 4096, 1024),)
"""
"""The norm's backward sums over rows and columns, which Inductor does in one Triton kernel."""
NOTING_COMPILER = """\
#!/bin/sh
echo "$@" >> {built}
for word in "$@"; do case "$word" in *.cpp) cat "$word" >> {built};; esac; done
exec g++ "$@"
"""
DEPTH, SCALE, BRANCH, FOUND = (
    ("value@asks.py:6", "3"),
    ("value@asks.py:12", "2"),
    ("value@asks.py:13", "True"),
    ("value@asks.py:15", "5"),
)


def spec_of(path: Path, name: str, gpu: GpuTarget | None = None, *assume: Assumption) -> CaptureSpec:
    target = TargetSpec(f"{path.name}:{name}", str(path.parent))
    return CaptureSpec(target, run=RunOptions(True), device=gpu, assume=assume, without_values=True)


def captured(worker: WorkerClient, spec: CaptureSpec, name: str = "capture-1") -> Capture:
    capture = capture_by(worker, spec, name)
    assert not consistent(capture)[1]
    return capture


def languages(capture: Capture) -> set[str]:
    contents = [stage.content for stage in capture.of_kind(StageKind.KERNELS)]
    return {
        kernel.language
        for content in contents
        if isinstance(content, KernelStage)
        for kernel in content.kernels.kernels
        if kernel.source
    }


def inputs_of(capture: Capture) -> list[str]:
    graph = capture.stage("0/0:dynamo").graph
    return [node.id for node in graph.nodes if node.op == "placeholder"]


@pytest.fixture
def large(write: Write) -> Path:
    return write("large.py", TERABYTES)


@pytest.mark.thorough
def test_a_model_of_terabytes_has_every_stage(worker: WorkerClient, large: Path):
    made = captured(worker, spec_of(large, "Large"))
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    assert "without values" in made.problems[0].what
    for kind in (StageKind.POST_GRAD_GRAPH, StageKind.FUSED_LOOP_IR, StageKind.KERNELS, StageKind.WRAPPER):
        assert len(made.of_kind(kind)) == 2, "forward and backward"
    assert languages(made) == {"cpp"}
    assert len(inputs_of(made)) == 5, (
        "the weight that two layers share is one, beside two biases, a buffer and x"
    )
    kernels = made.stage("0/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    relu = next(kernel for kernel in kernels.kernels.kernels if "relu" in kernel.name)
    reached = Provenance(made.links).follow(place("0/0:forward:kernels", relu.id))
    assert any(stage.startswith("source:") and "large.py" in stage for stage in reached)


@pytest.mark.thorough
@TRITON
def test_the_same_for_a_gpu_that_is_not_here(worker: WorkerClient, large: Path):
    made = captured(worker, spec_of(large, "Large", TARGETS["h100"]))
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    assert [row.what for row in made.problems][1] == "Built without values: no parameter was allocated."
    assert languages(made) == {"triton"}
    assert len(inputs_of(made)) == 5


@pytest.mark.thorough
@TRITON
def test_reductions_over_rows_and_columns_in_one_kernel_are_linked_with_their_loops(
    worker: WorkerClient, write: Write
):
    made = captured(worker, spec_of(write("normed.py", NORMED), "Normed", TARGETS["h100"]))
    fused, kernels = (made.stage(f"0/0:backward:{name}").content for name in ("fused", "kernels"))
    assert isinstance(fused, LoopStage)
    assert isinstance(kernels, KernelStage)
    mixed = [node.id for node in fused.program.nodes if node.kind == "FusedMixOrderReductions"]
    runs = [name for kernel in kernels.kernels.kernels for name in kernel.loop_nodes]
    assert mixed, "the program is for such a kernel"
    assert set(mixed) <= set(runs)
    assert all(kernel.loop_nodes for kernel in kernels.kernels.kernels)


@pytest.mark.thorough
def test_its_graph_is_edited_and_compiled_again_and_nothing_is_run(worker: WorkerClient, large: Path):
    made = captured(worker, spec_of(large, "Large"))
    graph = made.stage("0/0:dynamo").graph
    node = next(node for node in graph.nodes if "relu" in node.target)
    edit = ReplaceTarget("0/0:dynamo", node.id, "call_function", "torch.sigmoid", node.args)
    reply = worker.ask(Recompile(made.id, (edit,), "capture-2"), Recompiled)
    assert reply.verdict is None
    kernels = reply.capture.stage("0/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    assert any("sigmoid" in kernel.name for kernel in kernels.kernels.kernels)
    with pytest.raises(CommandFailedError, match="compiled without values"):
        worker.ask(RunTimings(made.id, TimingSettings(iterations=1)))
    with pytest.raises(CommandFailedError, match="without values"):
        worker.ask(TryChanges(made.spec, (SetCompileArgument("dynamic", True),), None))


@pytest.mark.thorough
def test_its_arguments_are_reported_without_them(worker: WorkerClient, large: Path):
    reply = worker.ask(DescribeTarget(TargetSpec("large.py:Large", str(large.parent)), True), TargetDescribed)
    (x,) = reply.description.arguments
    assert (x.name, x.shape) == ("x", (3_000_000, 500_000))


def test_a_value_that_the_constructor_asks_for_is_reported_with_its_line(worker: WorkerClient, write: Write):
    path = write("asks.py", ASKS)
    with pytest.raises(CommandFailedError) as failed:
        captured(worker, spec_of(path, "Asks"))
    problem = failed.value.problem
    assert (problem.path, problem.line) == (str(path), 6)
    assert "--assume value@asks.py:6=3" in problem.remedy


@pytest.mark.thorough
def test_each_line_that_asks_is_reported_until_its_value_is_assumed(worker: WorkerClient, write: Write):
    path = write("asks.py", ASKS)
    for assumed, line in (((DEPTH,), 12), ((DEPTH, SCALE), 13), ((DEPTH, SCALE, BRANCH), 15)):
        made = captured(worker, spec_of(path, "Asks", None, *assumed))
        (asked,) = [row for row in made.problems if row.severity is Severity.WARNING]
        assert (asked.path, asked.line) == (str(path), line)
        assert [row.what for row in made.assumed] == [what for what, _ in assumed]
    whole = captured(worker, spec_of(path, "Asks", None, DEPTH, SCALE, BRANCH, FOUND))
    assert not [row for row in whole.problems if row.severity is not Severity.NOTE]
    assert "asks.py, line 13 finds True" in whole.assumed[2].words
    assert len(inputs_of(whole)) == 7, "three layers were built"
    assert len(whole.of_kind(StageKind.DYNAMO_GRAPH)) == 4


@pytest.mark.thorough
def test_the_command_keeps_it_in_the_file_and_builds_nothing(large: Path, tmp_path: Path):
    out = tmp_path / "large.loupe"
    words = [sys.executable, "-m", "app", "capture", f"{large}:Large", "--fake", "-o", str(out)]
    built, compiler = tmp_path / "built", tmp_path / "compiler"
    built.touch()
    compiler.write_text(NOTING_COMPILER.format(built=built))
    compiler.chmod(0o700)
    settings = {"CXX": str(compiler), "LOUPE_CACHE_DIR": str(tmp_path / "caches")}
    done = ran(words, env=os.environ | settings)
    assert done.returncode == 0, done.stderr
    assert "C++ kernels were not built" in done.stdout
    assert built.read_text(), "torch asks which compiler there is"
    assert "in_ptr0" not in built.read_text(), "no kernel was built"
    (kept,) = read_session(out).captures
    assert not [row for row in kept.problems if row.severity is not Severity.NOTE]
    assert kept.spec.without_values
    assert kept.spec.is_only_compiled


def operators(capture: Capture) -> set[str]:
    graphs = [stage.graph for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)]
    return {node.target for graph in graphs if graph is not None for node in graph.nodes}


@pytest.mark.parametrize("device", [None, TARGETS["h100"]])
def test_a_flag_of_the_program_is_known(worker: WorkerClient, write: Write, device: GpuTarget | None):
    """It was whatever lay in memory that nobody had written to."""
    path = write("filled.py", FLAGS.replace("WAS_FILLED", "True"))
    made = captured(worker, spec_of(path, "Flagged", device))
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    text = operators(made)
    assert "tanh" in text
    assert "cos" not in text


@pytest.mark.parametrize("device", [None, TARGETS["h100"]])
def test_a_flag_that_the_first_step_sets_leads_elsewhere_in_the_next(
    worker: WorkerClient, write: Write, device: GpuTarget | None
):
    """Kernels do not compute what is asked after them; the program run on fakes as it is does."""
    path = write("empty.py", FLAGS.replace("WAS_FILLED", "False"))
    spec = msgspec.structs.replace(spec_of(path, "Flagged", device), step=StepOptions("adamw"))
    made = captured(worker, spec)
    assert not [row for row in made.problems if row.severity is not Severity.NOTE]
    assert {"cos", "tanh"} < operators(made)
    assert made.step.problem == ""
    forward = [row for row in made.step.moments if row.what == KERNEL and row.phase == FORWARD]
    (stage,) = [one for one in made.stages if one.id == forward[-1].wrapper]
    graph = made.stage(f"{stage.compile_id}:dynamo").graph
    assert "tanh" in {node.target for node in graph.nodes}, (
        "the kernel of the path that is taken from then on"
    )


def test_a_flag_that_hangs_on_what_was_drawn_is_asked_for(worker: WorkerClient, write: Write):
    path = write(
        "empty.py", FLAGS.replace("WAS_FILLED", "False").replace("torch.tensor(True)", "x.sum() > 1")
    )
    spec = msgspec.structs.replace(spec_of(path, "Flagged", TARGETS["h100"]), step=StepOptions("adamw"))
    made = captured(worker, spec)
    assert "tanh" not in operators(made)
    (asked,) = [row for row in made.problems if row.severity is Severity.WARNING]
    assert "--assume value@empty.py:11" in asked.message()
