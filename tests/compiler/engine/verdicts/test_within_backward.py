"""Edits of a Dynamo graph are judged by noise in its backward too, which autograd runs in the middle of compiled code."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode

from compiler.engine.capture.capture import make_capture
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.engine.verdicts.within_backward import closing_backward, within_backward
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.edits.edits import Edit, ReplaceKernel, ReplaceTarget
from compiler.model.ir.arguments import SequenceArgument

pytestmark = pytest.mark.engine

_CENTRED = """import torch


class Centred(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(32, 64)
        self.b = torch.nn.Linear(64, 64)
        self.c = torch.nn.Linear(64, 8)

    def forward(self, x):
        x = self.b(torch.relu(self.a(x)))
        return self.c(x - x.mean(0, keepdim=True))


def example_inputs():
    return (torch.randn(256, 32),)
"""


def _captured(folder: Path) -> EditedProgram:
    (folder / "centred.py").write_text(_CENTRED, encoding="utf-8")
    target = TargetSpec("centred.py:Centred", str(folder))
    spec = CaptureSpec(target, CompileOptions(), RunOptions(training=True, gradients=True))
    return EditedProgram(make_capture(spec, "capture-1", lambda text: None))


def _gelu(edited: EditedProgram) -> Edit:
    stage = "0/0:dynamo"
    relu = next(node for node in edited.base_graph(stage, ()).nodes if "relu" in node.target)
    return ReplaceTarget(
        stage,
        relu.id,
        "call_function",
        "torch.nn.functional.gelu",
        SequenceArgument("tuple", relu.args.items[:1]),
    )


@pytest.mark.thorough
def test_a_gradient_that_cancels_to_nothing_does_not_keep_an_edit_from_being_judged(tmp_path: Path) -> None:
    """The gradient of a bias before a mean is subtracted is rounding, and of the backward alone."""
    edited = _captured(tmp_path)
    edit = _gelu(edited)
    edited.recompile((edit,), "c2", lambda text: None)
    verdict = judge_edits(edited, (edit,), 0.0, lambda text: None)
    assert verdict.right, verdict.summary


@pytest.mark.thorough
def test_a_wrong_kernel_of_the_edited_graph_is_still_reported(tmp_path: Path) -> None:
    edited = _captured(tmp_path)
    edit = _gelu(edited)
    found = edited.recompile((edit,), "c2", lambda text: None)
    stage = "0/0:backward:kernels"
    reported: list[bool | None] = []
    for kernel in found.stage(stage).kernels:
        for line in kernel.source.splitlines():
            if ".store(" in line and "out_ptr" in line:
                value = line.strip().partition(".store(")[0]
                other = line.replace(f"{value}.store(", f"({value} * decltype({value})(1.5f)).store(", 1)
                edits = (edit, ReplaceKernel(stage, kernel.name, kernel.source.replace(line, other, 1)))
                edited.recompile(edits, "c3", lambda text: None)
                verdict = judge_edits(edited, edits, 0.0, lambda text: None)
                reported.append(verdict.right)
                break
    assert reported.count(False) >= 3
    assert reported.count(None) <= 1, "half as much again of what cancels to nothing is rounding, too"
    assert True not in reported


class _Counted(TorchDispatchMode):
    seen: ClassVar[list[str]] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]  # torch's own
        self.seen.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def _within() -> Iterator[None]:
    with _Counted():
        yield


def test_it_is_around_the_nodes_between_and_around_no_other() -> None:
    _Counted.seen.clear()
    x = torch.randn(3, requires_grad=True)
    before = x.exp()
    inside = before.sin() * 2
    after = inside.tanh().sum()
    within_backward([inside], [before], _within)
    after.backward()
    assert "cos" in _Counted.seen  # of sin
    assert not {"tanh_backward", "expand"} & set(_Counted.seen)
    assert _Counted.seen.count("mul") == 2, "exp's backward multiplies once more, and is outside"
    assert x.grad is not None
    assert _get_current_dispatch_mode() is None


class _Raising(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]  # torch's own
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):  # type: ignore[no-untyped-def]  # torch's own
        raise ArithmeticError("no gradient here")


def test_what_a_node_that_raises_leaves_entered_is_left_with_the_step() -> None:
    left: list[str] = []

    @contextlib.contextmanager
    def noting() -> Iterator[None]:
        try:
            with _Counted():
                yield
        finally:
            left.append("left")

    x = torch.randn(3, requires_grad=True)
    result = _Raising.apply(x)
    within_backward([result], [x], noting)
    with pytest.raises(ArithmeticError, match="no gradient here"), closing_backward():
        result.sum().backward()
    assert left == ["left"]
    assert _get_current_dispatch_mode() is None


def test_a_node_that_two_graphs_lead_to_leaves_what_it_entered_in_turn() -> None:
    """Autocast keeps a weight that it has cast: torch's stance stayed on eager, and all later edits were not judged."""
    entered: list[object] = []

    @contextlib.contextmanager
    def within() -> Iterator[None]:
        own = object()
        entered.append(own)
        yield
        assert entered.pop() is own

    weight = torch.ones(3, requires_grad=True)
    cast = weight.exp()
    outputs = cast.sin(), cast.cos()
    for output in outputs:
        within_backward(output, [weight], within)
    (outputs[0] + outputs[1]).sum().backward()
    assert not entered
    assert weight.grad is not None
