"""Results that objects hold which torch does not take apart: compared, and a way back, like all others."""

import dataclasses
from typing import Any

import numpy
import pytest
import torch

import torch_loupe
from compiler.engine.held_tensors import tensors_in, values_in, with_tensors
from compiler.engine.user_program.device_placement import moved
from compiler.engine.user_program.float64_copy import widened_program
from compiler.engine.user_program.input_resizing import resized_everywhere
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Stepper
from compiler.engine.verdicts.random_inputs import other_values
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
def test_a_wrong_kernel_of_a_program_that_gives_a_dataclass_is_reported_wrong() -> None:
    """It had no backward, and no verdict of any edit."""
    captured = torch_loupe.capture(Net(), torch.ones(2, 4), train=True)
    kernels = next(
        stage
        for stage in captured.data.stages
        if isinstance(stage.content, KernelStage) and "backward" in stage.id
    )
    kernel = next(each for each in kernels.kernels if "static_cast<float>(0.0)" in each.source)
    wrong = kernel.source.replace("static_cast<float>(0.0)", "static_cast<float>(5.0)")
    _, verdict = captured.edit(ReplaceKernel(kernels.id, kernel.name, wrong)).recompile()
    assert verdict.right is False, str(verdict)


class Taking(torch.nn.Module):
    """Takes an object, as graph networks take a batch."""

    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def forward(self, batch: Output) -> torch.Tensor:
        """Of both its tensors."""
        return torch.relu(self.a(batch.loss)) * batch.extra["factor"]


def _given() -> Output:
    return Output(torch.randn(3, 4), {"factor": torch.randn(3, 4), "text": "said"})


def test_an_argument_that_is_an_object_is_given_in_float64_and_stays_as_it_is() -> None:
    """Such a program could not run in float64 as a whole."""
    given = _given()
    wide = widened_program(Program("module", Taking(), (given,), {}, ""))
    assert wide.callable(*wide.args).dtype == torch.float64
    assert wide.args[0].extra["text"] == "said"
    assert given.loss.dtype == given.extra["factor"].dtype == torch.float32


def test_other_inputs_are_others_in_an_object_too() -> None:
    """*3 other inputs* were the same three times."""
    given, taking = _given(), Taking()
    stepper = Stepper(Program("module", taking, (given,), {}, ""), RunOptions(True, True))
    (other,), _ = other_values(stepper, 1)
    assert not torch.equal(other.loss, given.loss)
    assert not torch.equal(other.extra["factor"], given.extra["factor"])


def test_an_object_that_cannot_be_copied_stays_what_it_is() -> None:
    """A generator, a lock, a handle."""
    held = Slotted(torch.ones(1), (number for number in range(3)))
    assert with_tensors((held, torch.ones(1)), torch.neg)[0] is held


def test_an_argument_that_is_an_object_is_moved_and_resized_with_the_others() -> None:
    """It stayed on the CPU where the weights were on the GPU, and *other sizes* were the same."""
    program = Program("module", Taking(), (_given(), torch.ones(3)), {}, "")
    (given, plain), _ = resized_everywhere(program, 3, 5)
    assert given.loss.shape == given.extra["factor"].shape == (5, 4)
    assert plain.shape == (5,)
    moved(program, "meta")
    given, plain = program.args
    assert {given.loss.device.type, given.extra["factor"].device.type, plain.device.type} == {"meta"}


def test_a_list_that_holds_itself_is_a_result():
    """The program was said to fail by itself: pytree goes round until Python's stack is too short."""
    first, second = torch.ones(2), torch.zeros(2)
    result: list[Any] = [first, {"again": second}]
    result.append(result)
    assert [id(tensor) for tensor in tensors_in(result)] == [id(first), id(second)]


def test_what_a_class_of_lists_or_dicts_holds_is_a_result():
    """pytree knows only Python's own: no edit of a program that gives one back could be judged."""

    class Named(dict[str, Any]):
        pass

    class Row(list[Any]):
        pass

    first, second, third = (torch.ones(size) for size in (1, 2, 3))
    named = Named(first=first, row=Row([second]))
    named.more = third  # type: ignore[attr-defined]
    assert [id(tensor) for tensor in tensors_in((named,))] == [id(first), id(second), id(third)]


def test_numbers_and_arrays_are_what_a_step_gives_that_gives_no_tensor():
    result = {
        "loss": 0.5,
        "name": "a",
        "hits": 3,
        "row": numpy.array([1.0, 2.0]),
        "mean": numpy.float32(4),
        "huge": 2**70,
    }
    assert [value.tolist() for value in values_in(result)] == [0.5, 3, [1.0, 2.0], 4.0]
