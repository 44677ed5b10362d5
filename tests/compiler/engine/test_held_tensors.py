"""Results that objects hold which torch does not take apart: compared, and a way back, like all others."""

import dataclasses
from typing import Any

import pytest
import torch

import torch_loupe
from compiler.engine.held_tensors import tensors_in
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Stepper
from compiler.model.capture.capture_spec import RunOptions
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.stage import KernelStage

pytestmark = pytest.mark.engine


@dataclasses.dataclass
class Output:
    """As many libraries give their results."""

    loss: torch.Tensor
    extra: dict[str, Any]


class Slotted:
    """An object without a dict; one of its slots is never filled."""

    __slots__ = ("left", "never", "right")

    def __init__(self, left: torch.Tensor, right: Any) -> None:
        self.left, self.right = left, right


class Net(torch.nn.Module):
    """Gives a dataclass."""

    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> Output:
        """The mean and what it is the mean of."""
        y = torch.relu(self.a(x))
        return Output(y.mean(), {"hidden": [y * 2], "text": "said"})


def test_tensors_are_found_in_objects_of_any_kind_and_in_their_order() -> None:
    one, two, three = (torch.full((2,), float(number)) for number in range(3))
    assert tensors_in((one, Output(two, {"a": [three]}))) == [one, two, three]
    assert tensors_in(Slotted(one, Output(two, {}))) == [one, two]
    normal = tensors_in(torch.distributions.Normal(one, two))
    assert [tensor.tolist() for tensor in normal] == [one.tolist(), two.tolist()]
    assert tensors_in([one, one]) == [one, one]


def test_what_is_no_result_is_not_looked_into() -> None:
    """A model, its optimizer, an object that holds itself."""
    net = Net()
    round_trip = Slotted(torch.ones(1), None)
    round_trip.right = [round_trip]
    assert len(tensors_in(round_trip)) == 1
    assert tensors_in((net, net.forward, Net, torch.optim.SGD(net.parameters(), 0.1), "text", 3, None)) == []


def test_a_step_that_gives_a_dataclass_has_outputs_and_gradients() -> None:
    net = Net()
    stepper = Stepper(Program("module", net, (torch.ones(2, 4),), {}, ""), RunOptions(True, True))
    assert set(stepper.compared_step(net).tensors) == {
        "output 0", "output 1", "grad of a.weight", "grad of a.bias",
    }  # fmt: skip


@pytest.mark.thorough
def test_a_wrong_kernel_of_a_program_that_gives_a_dataclass_is_told_wrong() -> None:
    """It had no backward, and no verdict of any edit."""
    captured = torch_loupe.capture(Net(), torch.ones(2, 4), train=True)
    kernels = next(
        stage
        for stage in captured.data.stages
        if isinstance(stage.content, KernelStage) and "backward" in stage.id
    )
    assert isinstance(kernels.content, KernelStage)
    kernel = next(
        each for each in kernels.content.kernels.kernels if "static_cast<float>(0.0)" in each.source
    )
    wrong = kernel.source.replace("static_cast<float>(0.0)", "static_cast<float>(5.0)")
    _, verdict = captured.edit(ReplaceKernel(kernels.id, kernel.name, wrong)).recompile()
    assert verdict is not None
    assert verdict.right is False, str(verdict)
