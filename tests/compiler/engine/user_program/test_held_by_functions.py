"""What a function finds by itself is the program's as what a module holds is: it is moved with it, and gradients are taken for it."""

import functools
from collections.abc import Callable

import pytest
import torch

from compiler.engine.user_program.held_state.held_by_functions import held_by, tensors_of
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Stepper
from compiler.model.capture.capture_spec import RunOptions

pytestmark = pytest.mark.engine

net, other = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
scale = torch.ones(2, requires_grad=True)
before = scale * 2
listed = {"a": [torch.nn.Linear(2, 2)]}


class _Trainer:
    def __init__(self) -> None:
        self.model, self.kept = torch.nn.Linear(2, 2), torch.ones(2, requires_grad=True)

    def step(self, x: torch.Tensor) -> torch.Tensor:
        return self._loss(x) * scaled(x)

    def _loss(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x) + self.kept

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return self.step(x)


class _Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.bias = torch.nn.Linear(2, 2), torch.nn.Parameter(torch.ones(2))

    def score(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) + self.bias + net(x)


trainer = _Trainer()


def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * scale


def _calls_an_object(x: torch.Tensor) -> torch.Tensor:
    return trainer(x)


def _in_containers(x: torch.Tensor) -> torch.Tensor:
    return listed["a"][0](x)


def _closure() -> Callable[[torch.Tensor], torch.Tensor]:
    model = torch.nn.Linear(2, 2)

    def inner(x: torch.Tensor) -> torch.Tensor:
        return (lambda y: model(y))(x)

    return inner


@pytest.mark.parametrize(
    ("target", "names"),
    [
        (scaled, {"scale"}),
        (_closure(), {"model"}),
        (_calls_an_object, {"trainer.model", "trainer.kept", "scale"}),
        (_in_containers, {"listed.a.0"}),
        (trainer.step, {"model", "kept", "scale"}),
        (functools.partial(scaled), {"scale"}),
        (_Net().score, {"inner", "bias", "net"}),
        (net, set[str]()),
    ],
)
def test_what_a_target_holds(target: object, names: set[str]):
    """By name; what nothing of it writes (`other`) is somebody's, not the program's."""
    assert {held.name for held in held_by(target)} == names


def test_another_may_be_put_in_its_place():
    """A function's tensors are replaced by fakes, where it is compiled for a GPU that is not here."""
    function = _closure()
    (held,) = held_by(function)
    held.put(lambda x: x * 5)
    assert function(torch.ones(1)).item() == 5
    assert {name for name, _ in tensors_of(_closure())} == {"model.weight", "model.bias"}


def _makes_a_leaf(x: torch.Tensor) -> torch.Tensor:
    return net(x) * torch.ones(2, requires_grad=True)


def _goes_on_from_an_older_graph(x: torch.Tensor) -> torch.Tensor:
    return x * before


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (scaled, {"scale"}),
        (_closure(), {"model.weight", "model.bias"}),
        (trainer.step, {"model.weight", "model.bias", "kept", "scale"}),
        (_Net().score, {"inner.weight", "inner.bias", "bias", "net.weight", "net.bias"}),
        (_makes_a_leaf, {"net.weight", "net.bias"}),
        (_goes_on_from_an_older_graph, set[str]()),
    ],
)
def test_gradients_are_taken_for_what_a_function_finds(
    function: Callable[[torch.Tensor], torch.Tensor], names: set[str]
):
    """No backward was compiled, nor judged, of a function that calls a model of its closure or of globals."""
    stepper = Stepper(Program("function", function, (torch.rand(3, 2),), {}, ""), RunOptions(gradients=True))
    for _ in range(2):  # the second goes through no graph that the first has freed
        found = stepper.compared_step(function).tensors
        given = {name.removeprefix("grad of ") for name in found if name.startswith("grad of ")}
        assert given == names
        assert stepper.no_leaves == (not names)
