"""A program for an absent GPU that asks its tensors for values: they are those that it finds on the CPU."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.capture.gpu_assumptions import Assumption
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS, GpuTarget
from compiler.model.ir.stage import StageKind
from compiler.model.ir.tensor_types import TensorValue
from compiler.model.prediction.parallel_plan import DDP, ParallelPlan
from compiler.model.session_file.checks import consistent
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON
ASKING = """\
import torch

class Asking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)

    def forward(self, x, tokens):
        y = self.lin(x).relu()
        if x.sum() > 1e6:
            y = y.sin()
        while tokens.sum() < 40:
            tokens = tokens * 2
            y = y.cos()
        kinds = torch.unique(tokens)
        picked = y[tokens > 30]
        for size in kinds.tolist():
            y = y + size
        return y, picked.sum() * y.sum(), kinds + 1

def example_inputs():
    return torch.ones(4, 4), torch.tensor([1, 2, 2, 5])
"""
"""The loop turns twice, 10 to 40; three different numbers are left, and none is above 30."""


def captured(
    worker: WorkerClient,
    path: Path,
    gpu: GpuTarget | None,
    *assume: Assumption,
    fake: bool = False,
    plan: ParallelPlan | None = None,
) -> Capture:
    target = TargetSpec(f"{path.name}:Asking", str(path.parent))
    spec = CaptureSpec(
        target, run=RunOptions(True), device=gpu, assume=assume, without_values=fake, parallel=plan
    )
    capture = capture_by(worker, spec)
    assert not consistent(capture)[1]
    return capture


def operations(capture: Capture) -> list[list[str]]:
    return [
        [node.target for node in stage.graph.nodes if node.op.startswith("call_")]
        for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)
        if stage.graph is not None
    ]


def warnings(capture: Capture) -> list[str]:
    return [row.what for row in capture.problems if row.severity is not Severity.NOTE]


@pytest.mark.thorough
def test_every_graph_is_there_that_is_there_with_values(worker: WorkerClient, write):
    path = write("asking.py", ASKING)
    whole = captured(worker, path, TARGETS["h100"])
    assert warnings(whole) == []
    assert operations(whole) == operations(captured(worker, path, None))
    words = {row.what: row.words for row in whole.assumed if row.what.startswith("value@")}
    assert words == {
        "value@asking.py:10": "asking.py, line 10 finds False where it asks a tensor for its value, as on the CPU.",
        "value@asking.py:12": "asking.py, line 12 finds True, False where it asks a tensor for its value, as on the CPU.",
        "value@asking.py:15": "asking.py, line 15 finds a tensor of 3 where it asks a tensor for its value, as on the CPU.",
        "value@asking.py:16": "asking.py, line 16 finds a tensor of 0×1 where it asks a tensor for its value, as on the CPU.",
        "value@asking.py:17": "asking.py, line 17 finds 4, 8, 20 where it asks a tensor for its value, as on the CPU.",
    }
    notes = [row for row in whole.problems if row.what.startswith("Assumed: asking.py, line 12")]
    assert "--assume value@asking.py:12=" in notes[0].remedy


@pytest.mark.thorough
def test_one_of_many_ranks_finds_what_its_own_inputs_give(worker: WorkerClient, write):
    path = write("asking.py", ASKING)
    ranks = ParallelPlan(4, (("dp", 4),), data=DDP)
    spread = captured(worker, path, TARGETS["h100"], plan=ranks)
    assert warnings(spread) == []
    found = [row.what for row in spread.assumed if row.found]
    assert found == [f"value@asking.py:{line}" for line in (10, 12, 15, 16, 17)]
    alone = operations(captured(worker, path, None))
    assert operations(spread)[-len(alone) :] == alone


@pytest.mark.thorough
def test_what_a_person_says_comes_first(worker: WorkerClient, write):
    path = write("asking.py", ASKING)
    other = captured(worker, path, TARGETS["h100"], ("value@asking.py:10", "True"))
    assert warnings(other) == []
    assert any("sin" in target for graph in operations(other) for target in graph)


@pytest.mark.thorough
def test_without_values_it_ends_where_it_asks(worker: WorkerClient, write):
    path = write("asking.py", ASKING.replace("torch.ones", "torch.rand"))
    ended = captured(worker, path, TARGETS["h100"], fake=True)
    (reported,) = [row for row in ended.problems if row.severity is Severity.WARNING]
    assert (reported.path, reported.line) == (str(path), 10)


@pytest.mark.thorough
def test_without_values_it_finds_what_its_own_numbers_give(worker: WorkerClient, write):
    path = write("asking.py", ASKING)
    known, wanted = (captured(worker, path, TARGETS["h100"], fake=fake) for fake in (True, False))
    assert operations(known) == operations(wanted) != []
    lines = [{row.what for row in one.assumed if row.found} for one in (known, wanted)]
    assert lines[0] == lines[1] != set()


@pytest.mark.thorough
def test_a_program_that_fails_on_the_cpu_goes_on_to_what_it_asks_after_that(worker: WorkerClient, write):
    path = write("asking.py", ASKING.replace("y = y.sin()", "y = y.sin()\n        assert x.is_cuda"))
    ended = captured(worker, path, TARGETS["h100"])
    asks, failed = [row for row in ended.problems if row.severity is not Severity.NOTE]
    assert (asks.path, asks.line) == (str(path), 13)
    assert "AssertionError" in failed.what
    assert (failed.path, failed.line, failed.severity) == (str(path), 12, Severity.WARNING)
    assert [row.what for row in ended.assumed if row.found] == ["value@asking.py:10"]
    assert operations(ended) != []


@pytest.mark.thorough
def test_what_an_operation_asks_inside_a_graph_is_answered(worker: WorkerClient, write):
    text = (
        "import torch\n\ndef Asking(x):\n    window = torch.ones(16, device=x.device)\n"
        "    y = torch.istft(x * 2, n_fft=16, window=window)\n    z = torch.istft(x * 3, n_fft=16, window=window)\n"
        "    return y.sin() + z\n\ndef example_inputs():\n    return (torch.randn(9, 12, dtype=torch.complex64),)\n"
    )
    whole = captured(worker, write("asking.py", text), TARGETS["h100"])
    assert warnings(whole) == []
    assert len(operations(whole)) == 1
    asked = [row.what for row in whole.assumed if row.what.startswith("value@")]
    assert asked == ["value@asking.py:5", "value@asking.py:6"]


FAILING = """\
import torch

def Asking(x):
    return x + torch.ones(3, 5, device=x.device)

def example_inputs():
    return (torch.ones(4, 4),)
"""


def test_a_program_that_fails_by_itself_is_reported_as_its_own(worker: WorkerClient, write):
    path = write("asking.py", FAILING)
    ended = captured(worker, path, TARGETS["h100"])
    (problem,) = [row for row in ended.problems if row.severity is Severity.ERROR]
    assert problem.what.startswith(
        "The program fails by itself, without torch.compile: RuntimeError: The size of tensor a"
    )
    assert (problem.path, problem.line) == (str(path), 4)


def test_what_led_to_torch_s_error_is_reported_with_it(worker: WorkerClient, write):
    ended = captured(worker, write("asking.py", FAILING), TARGETS["h100"], fake=True)
    (reported,) = warnings(ended)
    assert "RuntimeError when making fake tensor call: " in reported
    assert "broadcast" in reported


CONVERTING = """\
import torch

class Asking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 4)
        self.gate = torch.nn.Linear(4, 4)

    def forward(self, x, tokens):
        self.gate = self.gate.to(torch.float64)
        return self.lin(x).sin() + self.gate(x.double())

def example_inputs():
    return torch.ones(4, 4), torch.tensor([1, 2, 2, 5])
"""
NAMING = """\
import torch

class Asking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleDict({f"expert_{n}": torch.nn.Linear(4, 4 + n) for n in range(6)})

    def forward(self, x, tokens):
        return [self.experts[f"expert_{index}"](x) for index in tokens]

def example_inputs():
    return torch.ones(4, 4), torch.tensor([1, 2, 2, 5])
"""
PRINTING = CONVERTING.replace("self.gate = self.gate.to(torch.float64)", 'print(f"{x.sum():.3f}")').replace(
    "x.double()", "x"
)
SIZED = """\
import torch

def first(x):
    return x.sin() + 1

def second(x):
    return x.cos() * 2

class Asking(torch.nn.Module):
    def forward(self, x, tokens):
        found = []
        for value in (x, x[1:]):
            found.append(first(value))
            torch._dynamo.graph_break()
        return found, second(found[1])

def example_inputs():
    return torch.ones(9, 9), torch.tensor([1, 2, 2, 5])
"""
"""The second size of `first` makes it a symbol; what it gives is of any size from there on, also for `second`, which meets one."""


def sizes(capture: Capture) -> list[list[tuple[str, ...] | None]]:
    """Of the inputs of each graph; symbols are inputs too."""
    return [
        [
            node.value.shape if isinstance(node.value, TensorValue) else None
            for node in stage.graph.nodes
            if node.op == "placeholder"
        ]
        for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)
        if stage.graph is not None
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("program", [CONVERTING, NAMING, PRINTING, SIZED])
def test_fakes_are_converted_named_and_sized_as_values_are(worker: WorkerClient, write, program: str):
    path = write("alike.py", program)
    whole = captured(worker, path, TARGETS["h100"])
    assert warnings(whole) == []
    with_values = captured(worker, path, None)
    assert operations(whole) == operations(with_values)
    assert sizes(whole) == sizes(with_values)
