"""Dispatch tables, traces and lessons, asked of a real worker."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.operators.dispatching import (
    DispatchTrace,
    ListKeySets,
    ListOperators,
    OperatorNames,
    OperatorTable,
    ShowOperator,
    TensorKeySets,
    TraceDispatch,
    grouped,
)
from compiler.model.operators.lessons import LESSONS, LessonRun, RunLesson, find_lesson
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = [pytest.mark.engine, pytest.mark.worker]


def traced(worker: WorkerClient, target: str, folder: Path) -> DispatchTrace:
    return worker.ask(TraceDispatch(CaptureSpec(TargetSpec(target, str(folder)))), DispatchTrace)


def test_tables_name_the_line_of_every_kernel(worker: WorkerClient):
    table = worker.ask(ShowOperator("aten.add.Tensor"), OperatorTable)
    assert table.schema.startswith("aten::add.Tensor(Tensor self")
    rule = next(row for row in table.rows if row.key == "FuncTorchBatched")
    assert rule.place.path == "aten/src/ATen/functorch/BatchRulesBinaryOps.cpp"
    assert rule.place.link(table.commit).endswith(f"{table.commit}/{rule.place.path}#L{rule.place.line}")
    order = [row.key for row in table.rows]
    assert order.index("AutocastCPU") < order.index("AutogradCPU") < order.index("CPU")
    assert "CPU" in {entry.key for entry in table.registrations}
    assert sum(len(group.keys) for group in grouped(table.rows)) == len(table.rows)
    generated = next(row for row in table.rows if row.key == "CPU")
    assert generated.place.generated
    assert not generated.place.link(table.commit)


@pytest.mark.parametrize("name", ["%s", "", "::", "aten::", "é", "aten::x::y", "nobody"])
def test_what_is_no_name_is_reported_so(worker: WorkerClient, name: str):
    """Torch parses names and raises, in a message of half a letter for some."""
    with pytest.raises(CommandFailedError, match="No operator is named"):
        worker.ask(ShowOperator(name))


def test_a_name_without_overload_is_reported_its_overloads(worker: WorkerClient):
    with pytest.raises(CommandFailedError) as caught:
        worker.ask(ShowOperator("aten::add"))
    assert "aten::add.Tensor" in caught.value.problem.remedy


def test_every_operator_is_listed_and_every_kind_of_tensor_has_keys(worker: WorkerClient):
    names, keys = worker.ask(ListOperators()), worker.ask(ListKeySets())
    assert isinstance(names, OperatorNames)
    assert isinstance(keys, TensorKeySets)
    assert len(names.names) > 3000
    assert names.names[0].startswith("aten::")
    found = {row.tensor: row.keys for row in keys.rows}
    assert found["that requires grad"] == found["CPU tensor"] == found["parameter"]
    assert found["inside vmap"][0] == "FuncTorchBatched"
    assert "Conjugate" in found["conjugate view"]


@pytest.mark.parametrize(
    "target",
    [
        "mlp.py:MLP",
        pytest.param("conv_bn_relu.py:Net", marks=pytest.mark.slow),
        pytest.param("training_step.py:Step", marks=pytest.mark.slow),
    ],
)
def test_a_trace_changes_no_result_and_names_the_users_lines(worker: WorkerClient, target: str):
    trace = traced(worker, target, EXAMPLES)
    assert trace.compared > 1
    assert trace.different == ()
    outermost = [call for call in trace.calls if call.depth == 0]
    assert all(call.line is not None for call in outermost)
    assert {call.backward for call in outermost} == {False, True}
    if target.startswith("mlp"):
        first = next(call for call in outermost if call.operator == "aten::relu")
        assert first.key == "AutogradCPU"
        assert "torch.relu" in first.line.text
        gradient = next(call for call in outermost if call.operator == "aten::threshold_backward")
        assert gradient.line == first.line


def test_a_call_in_a_package_has_the_packages_line(worker: WorkerClient, tmp_path: Path):
    """All of a package's model was one line, the user's call of it."""
    package = tmp_path / "site-packages" / "gates.py"
    package.parent.mkdir()
    package.write_text("def gate(x):\n    return x.sigmoid()\n")
    (tmp_path / "gated.py").write_text(
        "import sys\nfrom pathlib import Path\n\nsys.path.append(str(Path(__file__).parent / 'site-packages'))\n"
        "import gates\nimport torch\n\n\ndef f(x):\n    return gates.gate(x) + 1\n\n\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    trace = traced(worker, "gated.py:f", tmp_path)
    lines = {call.operator: call.line for call in trace.calls if call.depth == 0 and call.line is not None}
    assert (Path(lines["aten::sigmoid"].path), lines["aten::sigmoid"].line) == (package, 2)
    assert lines["aten::add.Tensor"].line == 10


def test_a_kernel_that_calls_operators_on_several_threads_is_traced(worker: WorkerClient, tmp_path: Path):
    """The backward of attention on a CPU: its threads waited for the interpreter, and the interpreter for them."""
    (tmp_path / "attends.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.scale = torch.nn.Parameter(torch.ones(()))\n\n    def forward(self, x):\n        x = x * self.scale\n"
        "        for _ in range(30):\n            x = torch.nn.functional.scaled_dot_product_attention(x, x, x)\n"
        "        return x\n\n\ndef example_inputs():\n    return (torch.randn(4, 8, 64, 16),)\n"
    )
    trace = traced(worker, "attends.py:Net", tmp_path)
    assert any(call.operator.endswith("cpu_backward") and call.backward for call in trace.calls)
    assert trace.different == ()


def test_what_changes_from_run_to_run_is_not_put_down_to_the_shims(worker: WorkerClient, tmp_path: Path):
    """Gradients summed by atomic additions on a GPU were said to be different with shims."""
    (tmp_path / "clock.py").write_text(
        "import time\n\nimport torch\n\n\ndef f(x):\n    return x.relu(), x * 0 + time.perf_counter()\n\n\n"
        "def example_inputs():\n    return (torch.ones(3),)\n"
    )
    trace = traced(worker, "clock.py:f", tmp_path)
    assert (trace.unsteady, trace.different, trace.compared) == (("output 1",), (), 2)


def test_what_is_written_into_a_view_stays_in_the_autograd_graph(worker: WorkerClient, tmp_path: Path):
    """A view's node was asked for while it was written to: the traced gradients lacked that operation."""
    (tmp_path / "views.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.weight = torch.nn.Parameter(torch.ones(7, 5))\n\n    def forward(self, x):\n"
        "        y = (x * self.weight).t()\n        y[1:3].mul_(3)\n        y *= 0.25\n"
        "        return y\n\n\ndef example_inputs():\n    return (torch.ones(7, 5),)\n"
    )
    trace = traced(worker, "views.py:Net", tmp_path)
    assert (trace.different, trace.unsteady) == ((), ())
    assert 10 in {call.line.line for call in trace.calls if call.backward and call.line}


_WITH_NUMBERS = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(7, 5, dtype=torch.float64))

    def forward(self, x):
        given = x * self.weight
        found = []
        for dtype in (torch.bfloat16, torch.float16, torch.float32, torch.float64):
            y = given.to(dtype)
            found += [0.1 * y, y / 0.3, 0.3 ** y.abs(), torch.where(y > 0, 0.1, y), y * 3 + True]
        return (*found, (given * (0.1 + 0.2j)).abs())

def example_inputs():
    return (torch.randn(7, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64),)
"""


def test_numbers_beside_tensors_stay_as_exact_as_they_are(worker: WorkerClient, tmp_path: Path):
    """A number was rounded to the tensor's type: a traced bfloat16 program had other results."""
    (tmp_path / "scaled.py").write_text(_WITH_NUMBERS)
    trace = traced(worker, "scaled.py:Net", tmp_path)
    assert (trace.different, trace.unsteady) == ((), ())
    assert trace.compared > 20


def test_a_call_inside_another_is_deeper(worker: WorkerClient, tmp_path: Path):
    (tmp_path / "halves.py").write_text(
        "import torch\n\n\ndef f(x):\n    with torch.autocast('cpu', dtype=torch.bfloat16):\n"
        "        return torch.mm(x, x) * 2\n\n\ndef example_inputs():\n    return (torch.ones(3, 3),)\n"
    )
    trace = traced(worker, "halves.py:f", tmp_path)
    product = [(call.depth, call.key) for call in trace.calls if call.operator == "aten::mm"]
    assert product == [(0, "AutocastCPU"), (1, "AutogradCPU"), (2, "CPU")] or product == [
        (0, "AutocastCPU"),
        (1, "CPU"),
    ]
    assert trace.different == ()


@pytest.mark.parametrize("name", [lesson.name for lesson in LESSONS])
def test_lessons_run_to_their_end(worker: WorkerClient, name: str):
    run = worker.ask(RunLesson(name), LessonRun)
    assert [step.problem for step in run.steps if step.problem is not None] == []
    registered = [entry.key for step in run.steps for change in step.changes for entry in change.added]
    printed = "\n".join(step.printed for step in run.steps)
    calls = [(call.operator, call.key) for step in run.steps for call in step.calls]
    if name == "custom_operator":
        wanted = ["CompositeExplicitAutograd[alias]", "Autograd[alias]", "CPU", "FuncTorchBatched"]
        assert [key for key in registered if key in wanted] == wanted
        assert "opcheck: " in printed
        assert "was mutated" in printed
        way = [key for operator, key in calls if operator == "lab::scale"]
        assert way == ["FuncTorchBatched", "AutogradCPU", "CPU"]
    if name == "python_device":
        assert "our kernel for add" in printed
        assert "fallback for aten.relu.default" in printed
        assert ("aten::add.Tensor", "PrivateUse1") in calls
    if name == "loop_nests":
        fused, split = (step.printed for step in run.steps[1:3])
        assert fused.count("for (") == 2
        assert split.count("for (") == 3
        assert "largest difference to eager: 0.0" in printed
    if name == "vmap_by_hand":
        assert "batching rule for aten::histc" in printed
        assert ("aten::sin", "FuncTorchBatched") in calls


def test_a_lesson_that_kills_its_process_ends_as_a_message(worker: WorkerClient):
    text = find_lesson("loop_nests").path.read_text(encoding="utf-8")
    with pytest.raises(CommandFailedError, match=r"signal 8|SIGFPE"):
        worker.ask(RunLesson("loop_nests", text.replace("FACTOR = 8", "FACTOR = 0")))
    changed = worker.ask(RunLesson("loop_nests", text.replace("FACTOR = 8", "FACTOR = 16")), LessonRun)
    assert "< 16" in changed.steps[2].printed
    assert changed.steps[-1].problem is None
    with pytest.raises(CommandFailedError, match="Line 2 of the lesson is no Python"):
        worker.ask(RunLesson("mine", "# %% A step\nx = = 1\n"))
    with pytest.raises(CommandFailedError, match="no steps"):
        worker.ask(RunLesson("mine", "x = 1\n"))
