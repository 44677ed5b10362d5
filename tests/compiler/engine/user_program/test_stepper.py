"""Steps of a program, as results are compared by."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch.testing._internal.two_tensor import TwoTensor

from compiler.engine.held_tensors import tensors_in
from compiler.engine.user_program.loading import Program, load_program
from compiler.engine.user_program.stepper import Stepper
from compiler.model.capture.capture_spec import RunOptions, TargetSpec

pytestmark = pytest.mark.engine

PROGRAM = """import torch


class Writing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g.mul_(2)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Writing.apply(self.a(x))


def example_inputs():
    return (torch.ones(2, 4),)
"""


def test_a_backward_that_writes_to_the_gradient_it_is_given_gives_the_same_again(tmp_path: Path):
    """As compiled `torch.cond` does: a later run, eager too, was taken in another direction, and told wrong."""
    (tmp_path / "writing.py").write_text(PROGRAM)
    options = RunOptions(training=True, gradients=True)
    program = load_program(TargetSpec("writing.py:Net", str(tmp_path)))
    stepper = Stepper(program, options)
    first = stepper.compared_step(program.callable).tensors
    stepper.step(program.callable)
    again = stepper.compared_step(program.callable).tensors
    assert set(first) == {"output 0", "grad of a.weight", "grad of a.bias"}
    for name, tensor in first.items():
        assert torch.equal(tensor, again[name]), name


TRAINING = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def forward(self, x):
        loss = torch.tanh(self.a(x)).mean()
        loss.backward()
        return loss


class Kept(Net):
    hidden = torch.zeros(4)

    def forward(self, x):
        self.hidden = torch.tanh(self.a(x) + self.hidden)
        return self.hidden


def example_inputs():
    return (torch.ones(2, 4),)
"""


def test_a_program_that_goes_back_itself_is_not_gone_back_from_again(tmp_path: Path):
    """It was said to fail by itself. What an earlier step went back through is its own fault, though, and stays an error."""
    (tmp_path / "training.py").write_text(TRAINING)
    options = RunOptions(training=True, gradients=True)
    program = load_program(TargetSpec("training.py:Net", str(tmp_path)))
    changed = Stepper(program, options).compared_step(program.callable).tensors
    assert set(changed) == {"output 0", "a.weight.grad afterwards", "a.bias.grad afterwards"}
    program = load_program(TargetSpec("training.py:Kept", str(tmp_path)))
    stepper = Stepper(program, options)
    assert "grad of a.weight" in stepper.step(program.callable).tensors
    with pytest.raises(RuntimeError, match="a second time"):
        stepper.step(program.callable)


REENTRANT = """import torch
from torch.utils.checkpoint import checkpoint


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)
        self.b = torch.nn.Linear(4, 4)

    def forward(self, x):
        return checkpoint(self.b, self.a(x).relu(), use_reentrant=True)


def example_inputs():
    return (torch.ones(2, 4),)
"""


def test_gradients_that_a_backward_within_the_backward_makes_are_there_and_grad_is_as_it_was(tmp_path: Path):
    """A reentrant checkpoint refuses torch.autograd.grad: the program was told to fail by itself."""
    (tmp_path / "reentrant.py").write_text(REENTRANT)
    program = load_program(TargetSpec("reentrant.py:Net", str(tmp_path)))
    module = program.module
    module.a.bias.grad = torch.full((4,), 7.0)
    found = Stepper(program, RunOptions(training=True, gradients=True)).step(program.callable).tensors
    assert set(found) == {"output 0", *(f"grad of {name}" for name, _ in module.named_parameters())}
    assert torch.equal(module.a.bias.grad, torch.full((4,), 7.0))
    assert module.b.weight.grad is None


def test_a_result_of_several_tensors_is_compared_part_by_part() -> None:
    """A class of the user's need not know the operations of a comparison: its tensors would not fit each other behind a mask."""

    def pair(x: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = TwoTensor(x.detach(), x.detach() * 2)  # type: ignore[no-untyped-call]
        return made

    program = Program("pair", pair, (torch.ones(2, 3),), {}, "", None)
    results = Stepper(program, RunOptions(training=False)).step(pair)
    assert {name: type(value) for name, value in results.tensors.items()} == {
        "output 0, part 0": torch.Tensor, "output 0, part 1": torch.Tensor
    }  # fmt: skip


def test_an_input_is_hooked_once_however_many_steps_are_taken():
    """Timed steps, between which nothing is put back, took longer one after another."""
    called = list[int]()

    def hooking(x: torch.Tensor) -> torch.Tensor:
        x.register_hook(lambda gradient: called.append(1))
        return x * 2

    program = Program("function", hooking, (torch.ones(2, requires_grad=True),), {}, "")
    stepper = Stepper(program, RunOptions(gradients=True))
    for _ in range(3):
        stepper.step(hooking)
    assert len(called) == 3


def test_a_gradient_of_what_an_argument_holds_is_a_result():
    """Of a class of dict of the user's it was not compared."""

    class Batch(dict[str, torch.Tensor]):
        pass

    batch = Batch(x=torch.ones(2), w=torch.ones(2, requires_grad=True))
    program = Program("function", lambda given: given["x"] * given["w"] * 3, (batch,), {}, "")
    found = Stepper(program, RunOptions(gradients=True)).step(program.callable).tensors
    assert set(found) == {"output 0", "grad of input 0, tensor 1"}


class _Slow(torch.autograd.Function):
    """Takes 5 ticks forward and 7 back."""

    now = 0

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        _Slow.now += 5
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        _Slow.now += 7
        return grad


@pytest.mark.parametrize(
    ("gradients", "gpu", "parts"),
    [
        (True, False, [(0, 5), (105, 112)]),
        (False, False, [(0, 5)]),
        (True, True, [(0, 112)]),
        (False, True, [(0, 5)]),
    ],
)
def test_only_the_programs_own_is_timed(
    monkeypatch: pytest.MonkeyPatch, gradients: bool, gpu: bool, parts: list[tuple[int, int]]
) -> None:
    """Looking for what a step gave was a large part of a short one's time. A GPU runs the forward meanwhile, and is not waited for."""

    def seen(outputs: object) -> list[torch.Tensor]:
        _Slow.now += 100
        return tensors_in(outputs)

    monkeypatch.setattr("compiler.engine.user_program.stepper.tensors_in", seen)
    program = Program("f", _Slow.apply, (torch.ones(2, requires_grad=True),), {}, "", None)
    stepper = Stepper(program, RunOptions(gradients=gradients))
    _Slow.now = 0
    with monkeypatch.context() as patched:
        patched.setattr(torch.cuda, "is_initialized", lambda: gpu)
        took = stepper.timed(program.callable, lambda: _Slow.now)
    assert took.parts == parts
    assert took.nanoseconds == sum(end - begin for begin, end in parts)


def test_a_timed_step_looks_for_what_its_backward_reaches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU it is part of the time: a tenth of an eager transformer layer's step, and less of the compiled one's."""
    walks: list[object] = []

    def walked(ends: object) -> list[object]:
        walks.append(ends)
        return []

    monkeypatch.setattr("compiler.engine.user_program.stepper.functions_behind", walked)
    program = Program("f", torch.sin, (torch.ones(2, requires_grad=True),), {}, "", None)
    stepper = Stepper(program, RunOptions(gradients=True))
    for function in (torch.sin, torch.cos, torch.sin, torch.cos):
        assert len(stepper.timed(function, lambda: 0).parts) == 2
    assert len(walks) == 2
    assert "grad of input 0" in stepper.step(torch.cos).tensors
    assert len(walks) == 3
