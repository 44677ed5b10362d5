"""What a function finds by itself is the program's as what a module holds is: it is moved with it, and gradients are taken for it."""

import copy
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import networkx
import pytest
import torch

from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.costs.rows import parts_of
from compiler.engine.cross_compile.parallel.spread import spread
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.user_program.default_inputs import guess_inputs
from compiler.engine.user_program.held_state import held_by_functions
from compiler.engine.user_program.held_state.functional_call import FunctionalCall
from compiler.engine.user_program.held_state.held_by_functions import held_by, tensors_of
from compiler.engine.user_program.loading import Program, argument_names
from compiler.engine.user_program.stepper import Stepper, set_mode, unchanged_state
from compiler.model.capture.capture_spec import RunOptions
from compiler.model.prediction.parallel_plan import BLOCK, ParallelPlan

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


class _Slotted:
    __slots__ = ("model",)

    def __init__(self) -> None:
        self.model = torch.nn.Linear(2, 2)


class _OfClass:
    model = torch.nn.Linear(2, 2)

    @classmethod
    def score(cls, x: torch.Tensor) -> torch.Tensor:
        return cls.model(x)


spaced = types.SimpleNamespace(model=torch.nn.Linear(2, 2))


class _Making(dict[str, torch.nn.Module]):
    def __getitem__(self, key: str) -> torch.nn.Module:
        raise AssertionError("the program's code was run")

    def items(self) -> Any:
        raise AssertionError("the program's code was run")


made = _Making(a=torch.nn.Linear(2, 2))


def _of_a_registry(x: torch.Tensor) -> torch.Tensor:
    return dict.__getitem__(made, "a")(x)


slotted, tupled = _Slotted(), (torch.nn.Linear(2, 2), {3: scale})


def _in_slots(x: torch.Tensor) -> torch.Tensor:
    return slotted.model(x)


def _in_tuples(x: torch.Tensor) -> torch.Tensor:
    return tupled[0](x) * tupled[1][3]


def _of_a_class(x: torch.Tensor) -> torch.Tensor:
    return _OfClass.score(x)


def _in_defaults(x: torch.Tensor, model: torch.nn.Module = net) -> torch.Tensor:
    return model(x)


@functools.lru_cache
def _cached(x: torch.Tensor) -> torch.Tensor:
    return net(x)


def _names_are_others(x: torch.Tensor) -> torch.Tensor:
    return spaced.model(x) + net(x)


model = torch.nn.Linear(2, 2)
"""Nothing looks it up: `spaced.model` is another."""


@pytest.mark.parametrize(
    ("target", "names"),
    [
        (_in_slots, {"slotted.model"}),
        (_in_tuples, {"tupled.0", "tupled.1.3"}),
        (_of_a_class, {"model"}),
        (_in_defaults, {"0"}),
        (_of_a_registry, {"made.a"}),
        (_cached, {"net"}),
        (functools.partial(_in_defaults, model=other), {"0", "model"}),
        (functools.partial(lambda held, x: held(x), net), {"0"}),
        (_names_are_others, {"spaced.model", "net"}),
    ],
)
def test_wherever_it_stands(target: Callable[..., torch.Tensor], names: set[str]):
    """It is found, and may be another in its place."""
    found = list(held_by(target))
    assert {held.name for held in found} == names
    was = target(torch.ones(1, 2) * 0.5) if target is not _cached else None
    for held in found:
        held.put(copy.deepcopy(held.value).double())
    assert {held.value.dtype for held in held_by(target) if isinstance(held.value, torch.Tensor)} <= {
        torch.float64
    }
    if was is not None:
        assert target(torch.ones(1, 2, dtype=torch.float64) * 0.5).dtype == torch.float64
    for held in found:
        held.put(held.value)
    if was is not None:
        assert torch.equal(target(torch.ones(1, 2) * 0.5), was)


def _trains(x: torch.Tensor) -> torch.Tensor:
    optimizer.zero_grad()
    loss = trained(x).square().sum()
    loss.backward()
    optimizer.step()
    return loss.detach()


trained = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(trained.parameters(), 0.1, momentum=0.9)
_HOLDING = [
    scaled,
    _closure(),
    trainer.step,
    trainer,
    _Net().score,
    functools.partial(_in_defaults, model=other),
    _trains,
]


@pytest.mark.parametrize("function", _HOLDING)
def test_a_function_is_judged_in_float64(function: Callable[[torch.Tensor], torch.Tensor]):
    """With copies of what it holds, of which none of it knows afterwards; an optimizer steps those."""
    program = Program("function", function, (torch.rand(3, 2),), {}, "")
    before = [(tensor, tensor.clone()) for _, tensor in tensors_of(function)]
    reference = eager_reference(program, Stepper(program, RunOptions(gradients=True)))
    assert reference.exact.tensors.keys() == reference.eager.tensors.keys()
    assert {value.dtype for value in reference.exact.tensors.values()} == {torch.float64}
    for name, value in reference.exact.tensors.items():
        torch.testing.assert_close(value.float(), reference.eager.tensors[name])
    now = [tensor for _, tensor in tensors_of(function)]
    assert all(one is other and torch.equal(one, was) for one, (other, was) in zip(now, before, strict=True))


@pytest.mark.parametrize("function", [_closure(), trainer.step, _Net().score, functools.partial(net)])
def test_a_function_is_put_into_train_and_eval(function: Callable[[torch.Tensor], torch.Tensor]):
    """As a module is: `--eval` did nothing to the model that a function calls."""
    program = Program("function", function, (torch.rand(3, 2),), {}, "")
    for training in (False, True):
        set_mode(program, RunOptions(training))
        assert {part.training for _, module in program.modules() for part in module.modules()} == {training}
        assert program.is_training() is training


@pytest.mark.parametrize("function", [scaled, _closure(), trainer.step, _Net().score, _in_tuples, net])
def test_what_a_function_holds_may_be_given(function: Callable[[torch.Tensor], torch.Tensor]):
    """So that other front ends take gradients by it."""
    call, x = FunctionalCall(function), torch.rand(3, 2)
    held = dict(tensors_of(function))
    assert call.parameters.keys() | call.buffers.keys() == held.keys()
    nought = {name: torch.zeros_like(value) for name, value in held.items()}
    assert not call(nought, (x,), {}).any()
    assert torch.equal(call({}, (x,), {}), function(x))


def test_a_copy_of_a_program_is_given_its_values():
    """A file makes other weights each time it is loaded."""
    one, other = (Program("function", _closure(), (torch.rand(3, 2),), {}, "") for _ in range(2))
    assert not share_values(one, other)
    assert torch.equal(one.callable(*one.args), other.callable(*other.args))
    assert share_values(one, Program("function", scaled, (), {}, ""))


def test_its_names_are_those_it_is_reported_by():
    """Whatever else holds the same, which may be found first."""
    program = Program("function", _counts, (torch.rand(3, 2),), {}, "", sys.modules[__name__])
    changed, _ = state_of_step(program)
    assert changed == {"held_twice.running_mean", "held_twice.running_var", "held_twice.num_batches_tracked"}


held_twice = torch.nn.BatchNorm1d(2)
aaa_first = zzz_last = {"held": held_twice}


def _counts(x: torch.Tensor) -> torch.Tensor:
    return held_twice(x)


def state_of_step(program: Program) -> tuple[set[str], set[str]]:
    with unchanged_state(program) as state:
        program.callable(*program.args)
        changed, same = state.tensors()
        return set(changed), set(same)


def _of_three(x: torch.Tensor, *rest: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    return layered.first(x + sum(rest)) * scale


layered = torch.nn.Module()
layered.first = torch.nn.Linear(5, 5)
layered.layers = torch.nn.ModuleList(torch.nn.Linear(5, 5) for _ in range(3))


def test_arguments_are_guessed_and_named_by_what_takes_them():
    """Its model's first layer says the sizes; what is given to ``*rest`` has no keyword's name."""
    (given,), _ = guess_inputs(lambda x: layered.first(x))
    assert given.shape[-1] == 5
    program = Program("function", _of_three, (given, given, given), {}, "")
    assert argument_names(program) == ["x", "rest[0]", "rest[1]"]


def test_layers_of_a_functions_model_are_compiled_one_by_one():
    """They are found by the names that the function gives them; nothing was compiled apart."""
    program = Program("function", _of_three, (), {}, "")
    found = spread(program, ParallelPlan(1, compiled=BLOCK), "cpu").units
    assert found.keys() == {f"layered.layers.{at}" for at in range(3)}


def test_costs_are_reported_by_the_modules_of_a_function():
    """As nodes of graphs name them, for which torch leaves the name of the whole out."""
    program = Program("function", _of_three, (), {}, "")
    assert {"layered", "first", "layers.0"} <= parts_of(program).keys()


of_a_package: Any = networkx.Graph()
of_a_package.model = torch.nn.Linear(2, 2)


def _uses_a_package(x: torch.Tensor) -> torch.Tensor:
    assert len(networkx.path_graph(3)) == 3
    return of_a_package(x)


def test_what_a_package_keeps_for_the_program_is_found_without_reading_the_package(monkeypatch):
    """A function that calls transformers was read through all of it, for 22 seconds."""
    read = list[str]()
    names_in = held_by_functions._names_in
    monkeypatch.setattr(
        held_by_functions, "_names_in", lambda code: read.append(code.co_filename) or names_in(code)
    )
    assert [held.name for held in held_by(_uses_a_package)] == ["of_a_package.model"]
    assert set(read) == {__file__}
