"""A program that was moved to a GPU unasked and fails there is captured where it is at home. Tensors without values stand for a GPU."""

from pathlib import Path

import msgspec
import pytest
import torch
from torch import nn

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.user_program import device_placement
from compiler.engine.user_program.checked_loading import load_on_device
from compiler.engine.user_program.live_objects import LiveObject
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch

def makes_a_tensor(x):
    return x + torch.ones(3)

def fails(x):
    return x + torch.ones(4)

net, scale = torch.nn.Linear(3, 3), torch.ones(3, requires_grad=True)

def finds_a_model(x):
    return net(x) * scale

def example_inputs():
    return (torch.ones(3),)
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaptureSpec:
    (tmp_path / "program.py").write_text(_PROGRAM)
    monkeypatch.setattr(device_placement, "_gpu_is_here", lambda: True)
    monkeypatch.setattr(device_placement, "GPU", "meta")
    options = CompileOptions(backend="eager")
    target = TargetSpec("program.py:makes_a_tensor", str(tmp_path))
    return CaptureSpec(target, options, RunOptions(training=False))


def test_it_is_captured_on_the_cpu_and_says_why(spec: CaptureSpec) -> None:
    """*The program fails by itself* was said of what only its move made fail."""
    found = make_capture(spec, "capture-1", lambda text: None).capture
    assert found.spec.run_on == "cpu"
    (problem,) = found.problems
    assert problem.what.startswith("It was captured on the CPU, since the program fails on the GPU")
    assert (problem.severity, problem.line) == (Severity.WARNING, 5)


def test_one_that_cannot_be_moved_stays(spec: CaptureSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sparse tensor was refused."""

    def refused(value: torch.Tensor, device: str) -> torch.Tensor:
        raise NotImplementedError(f"no kernel on {device}")

    monkeypatch.setattr(device_placement, "_to", refused)
    found = make_capture(spec, "capture-1", lambda text: None).capture
    assert found.spec.run_on == "cpu"
    assert [problem.what for problem in found.problems] == [
        "It was captured on the CPU, since it could not be moved to the GPU: NotImplementedError: no kernel on meta."
    ]


def test_other_front_ends_do_the_same(spec: CaptureSpec) -> None:
    found = capture_with(msgspec.structs.replace(spec, front_end="make_fx"), "capture-1", lambda text: None)
    assert found.spec.run_on == "cpu"
    assert any("captured on the CPU" in problem.what for problem in found.problems)


def test_what_fails_on_both_is_the_programs_own_failure(spec: CaptureSpec) -> None:
    target = msgspec.structs.replace(spec.target, name="program.py:fails")
    with pytest.raises(EngineError, match="fails by itself, without torch"):
        make_capture(msgspec.structs.replace(spec, target=target), "capture-1", lambda text: None)


def test_what_a_function_finds_goes_with_it(spec: CaptureSpec) -> None:
    """Its inputs alone did, and the program failed."""
    target = msgspec.structs.replace(spec.target, name="program.py:finds_a_model")
    program, now, unasked, _ = load_on_device(msgspec.structs.replace(spec, target=target))
    assert (now.run_on, unasked) == ("meta", True)
    assert program.callable(*program.args).device.type == "meta"
    assert program.callable.__globals__["scale"].requires_grad


@pytest.mark.usefixtures("spec")
def test_an_object_of_this_process_stays_where_it_is() -> None:
    """A notebook's module was taken to the GPU, and its own call failed afterwards."""
    module, x = nn.Linear(2, 2), torch.ones(1, 2)
    live = LiveObject(module, (x,), {})
    program, spec, unasked, _ = load_on_device(CaptureSpec(TargetSpec(live.name)))
    assert (module.weight.device.type, spec.run_on, unasked) == ("cpu", "cpu", False)
    assert program.callable is module
