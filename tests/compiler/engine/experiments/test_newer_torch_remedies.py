"""switch and nonstrict_trace, tried on a copy by the torch that runs: the break is gone and the results are the same."""

from pathlib import Path

import pytest
import torch

from compiler.analysis.remedies import remedies_for
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.experiments.trials import Trial
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.graph_breaks.remedy import Remedy, keep_text

pytestmark = pytest.mark.engine
HAS_SWITCH = release(torch.__version__) >= (2, 14)
HAS_METHODS = release(torch.__version__) >= (2, 12)

CASES = """
import torch

def f(x, k):
    x = x + 1
    if k == 0:
        y = x * 2
    elif k == 1:
        y = x - 1
    else:
        y = torch.relu(x)
    return y * 3

def example_inputs():
    return (torch.randn(4, 4, requires_grad=True), torch.tensor({k}))
"""
EXPERTS = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x, k):
        return torch.relu(self.experts[k](x))

def example_inputs():
    return (torch.randn(2, 4), torch.tensor(1))
"""
UNTRACEABLE = """
import torch

class Scale:
    def __enter__(self):
        return 3
    def __exit__(self, *exc):
        return False

def helper(x):
    torch._dynamo.graph_break()
    kinds = {type(x).__name__: 2}
    return x * kinds["Tensor"] if "Tensor" in kinds else x * 2

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)

    def part(self, x):
        torch._dynamo.graph_break()
        return torch.relu(self.inner(x))

    def forward(self, x):
        return self.part(helper(x) + 1) * 2

def example_inputs():
    return (torch.randn(2, 4),)
"""


def quiet(_text: str) -> None:
    pass


def captured(tmp_path: Path, text: str, name: str) -> tuple[CaptureSpec, Capture]:
    path = tmp_path / "newer.py"
    path.write_text(text)
    spec = CaptureSpec(TargetSpec(f"{path}:{name}"), CompileOptions(backend="aot_eager"), RunOptions())
    return spec, Engine().capture(spec, "c", quiet)


def offered(capture: Capture, start: str) -> list[Remedy]:
    found = [
        remedy
        for item in capture.breaks
        for remedy in remedies_for(capture, item)
        if remedy.title.startswith(start)
    ]
    return list({repr(remedy.change): remedy for remedy in found}.values())


def tried(spec: CaptureSpec, remedy: Remedy) -> Trial:
    return Engine().try_changes(spec, (remedy.change,), None, quiet)


@pytest.mark.thorough
@pytest.mark.parametrize("k", [-1, 0, 1, 2, 7])
def test_a_choice_among_several_cases_is_cured_by_switch(tmp_path: Path, k: int) -> None:
    spec, capture = captured(tmp_path, CASES.replace("{k}", str(k)), "f")
    assert capture.breaks
    remedies = offered(capture, "Choose with torch.switch")
    if not HAS_SWITCH:
        assert not remedies
        return
    (remedy,) = remedies
    trial = tried(spec, remedy)
    assert trial.before.breaks
    assert trial.after.breaks == 0
    assert trial.same_results is True


def test_modules_chosen_by_a_tensor_are_cured_by_switch(tmp_path: Path) -> None:
    spec, capture = captured(tmp_path, EXPERTS, "Net")
    assert [item.registry_id for item in capture.breaks]
    remedies = offered(capture, "Choose with torch.switch")
    if not HAS_SWITCH:
        assert not remedies
        return
    trial = tried(spec, remedies[0])
    assert trial.before.breaks
    assert trial.after.breaks == 0
    assert trial.same_results is True


@pytest.mark.thorough
def test_a_function_that_dynamo_cannot_trace_is_traced_without_it(tmp_path: Path) -> None:
    spec, capture = captured(tmp_path, UNTRACEABLE, "Net")
    (remedy,) = offered(capture, "Trace helper without Dynamo")
    module = "torch.compiler" if HAS_SWITCH else "torch._dynamo"
    assert keep_text(remedy.change) == f"helper = {module}.nonstrict_trace(helper)"
    trial = tried(spec, remedy)
    assert trial.same_results is True
    assert {item.stack[-1].function for item in trial.capture.breaks} == {"part"}


@pytest.mark.thorough
def test_a_method_too_where_torch_keeps_out_of_it(tmp_path: Path) -> None:
    spec, capture = captured(tmp_path, UNTRACEABLE, "Net")
    remedies = offered(capture, "Trace Net.part without Dynamo")
    if not HAS_METHODS:
        assert not remedies
        return
    both = (remedies[0].change, offered(capture, "Trace helper")[0].change)
    trial = Engine().try_changes(spec, both, None, quiet)
    assert trial.before.breaks
    assert trial.after.breaks == 0
    assert trial.same_results is True
    again = Engine().capture(spec, "again", quiet)
    assert len(again.breaks) == len(capture.breaks)
