"""Running a program one step: forward, and where asked backward, the same way for eager, compiled and references."""

import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from torch.utils import _pytree as pytree

from compiler.engine.held_tensors import tensors_in, values_in
from compiler.engine.measuring.step_clock import StepTime
from compiler.engine.rng.rng_state import RandomState, random_state, seeded
from compiler.engine.torch_internals.dispatcher.dispatch_modes import unwatched
from compiler.engine.torch_internals.dispatcher.dispatcher import next_sequence
from compiler.engine.torch_internals.patch.wrapped_tensors import parts_of, with_parts
from compiler.engine.user_program.held_state.held_by_functions import tensors_of
from compiler.engine.user_program.held_state.reached_leaves import (
    functions_behind,
    leaves_behind,
    named_leaves,
)
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.program_state import ProgramState
from compiler.engine.user_program.tensor_state import HooksAsTheyAre
from compiler.engine.wide_values import wide_dtype
from compiler.model.capture.capture_spec import RunOptions

Tangent: TypeAlias = Callable[[int, torch.Tensor], torch.Tensor]
"""The direction that the gradient of an output is taken in, by its index."""


_GONE_BACK = "backward through the graph a second time"
"""What autograd says where a program's own ``backward()`` has freed what its results were computed from."""
AFTERWARDS = " afterwards"
"""How the name of a tensor ends that a step found and left."""


@dataclasses.dataclass
class Results:
    """Every tensor a step gave or changed, by name: ``output 0``, ``grad of fc1.weight``, ``grad of input 0``,
    ``bn.running_mean afterwards``.
    """

    tensors: dict[str, torch.Tensor]
    random: RandomState | None = None
    """Where the step left the generators, of steps that are compared: elsewhere than another step did, it drew other numbers."""
    unchanged: dict[str, torch.Tensor] | None = None
    """What it might have changed and did not: the program's own tensors, no copies. None where nobody looked."""

    def get(self, name: str) -> torch.Tensor | None:
        """A tensor, changed or not."""
        return self.tensors.get(name, (self.unchanged or {}).get(name))

    def on(self, devices: dict[str, torch.device]) -> "Results":
        """The same where its tensors are to be compared."""
        moved = {name: tensor.to(devices.get(name, tensor.device)) for name, tensor in self.tensors.items()}
        return dataclasses.replace(self, tensors=moved)


class Stepper:
    """Runs a callable on a program's arguments. Tangents are drawn once per output shape from a fixed seed, so that
    gradients of two versions can be compared.
    """

    def __init__(self, program: Program, options: RunOptions, looks_at_state: bool = True) -> None:
        """`looks_at_state`: whether what runs changes the program's own tensors, so that these are results too."""
        self.program = program
        self.options = options
        self._looks_at_state = looks_at_state
        self._tangents: dict[tuple[int, tuple[int, ...], bool], torch.Tensor] = {}
        self._cast: dict[tuple[Any, ...], torch.Tensor] = {}
        """Copies for steps that are timed: making and copying them would be part of the time."""
        self._hooks: list[HooksAsTheyAre] | None = None
        self._within: dict[str, torch.Tensor] | None = None
        """What arguments hold that pytree does not take apart, looked for once: it may be much."""
        self._beyond: dict[str, torch.Tensor] | None = None
        """Leaves that the first step's results led to and `leaves` does not name: a function's parameters are in its closure or globals."""
        self._goes_back: dict[int, _GoingBack] = {}
        """Of each callable that is timed, by its id: a GPU's step cannot leave out of its time what is looked for before the backward."""
        self.no_leaves = False
        """Whether the last step had outputs with gradients, and nothing that they were taken for."""

    def on(self, program: Program) -> "Stepper":
        """Steps of another program of the same results; gradients are taken in the same directions."""
        other = Stepper(program, self.options, self._looks_at_state)
        other._tangents = self._tangents
        return other

    def leaves(self) -> dict[str, torch.Tensor]:
        """Tensors that gradients are taken for; inputs also where they are results of something else, as a copy of them is none."""
        found: dict[str, torch.Tensor] = {}
        if self.program.module is not None:
            for name, parameter in self.program.module.named_parameters():
                if parameter.requires_grad:
                    found[name] = parameter
        return found | self._inputs()

    def _inputs(self) -> dict[str, torch.Tensor]:
        leaves = pytree.tree_leaves((self.program.args, self.program.kwargs))
        if self._within is None:
            self._within = {
                f"input {index}, tensor {at}": held
                for index, value in enumerate(leaves)
                if not isinstance(value, torch.Tensor)
                for at, held in enumerate(tensors_in(value))
            }
        own = {f"input {at}": value for at, value in enumerate(leaves) if isinstance(value, torch.Tensor)}
        return {name: value for name, value in (own | self._within).items() if value.requires_grad}

    def step(self, function: Callable[..., Any], backward: bool = True) -> Results:
        """One forward, and one backward if gradients are wanted and some output has one."""
        return self._step(function, backward, self._kept_tangent)

    def timed(
        self, function: Callable[..., Any], clock: Callable[[], int], backward: bool = True
    ) -> StepTime:
        """When a step's forward and backward began and ended. Its results are not looked at: code that runs between two steps makes
        the next one longer, by a tenth where it takes 50 µs.
        """
        time = StepTime(clock)
        self._run(function, backward, self._kept_tangent, time)
        time.end()
        return time

    def _step(self, function: Callable[..., Any], backward: bool, tangent: Tangent) -> Results:
        outputs, gradients = self._run(function, backward, tangent)
        tensors = tensors_in(outputs)
        results = dict[str, torch.Tensor]()
        for index, value in enumerate(tensors):
            results.update(_compared(f"output {index}", value.detach()))
        if not tensors:
            results = {f"value {index}": value for index, value in enumerate(values_in(outputs))}
        return Results(results | gradients)

    def _run(
        self, function: Callable[..., Any], backward: bool, tangent: Tangent, time: StepTime | None = None
    ) -> tuple[Any, dict[str, torch.Tensor]]:
        """(what it gives, gradients by name)."""
        gradients = dict[str, torch.Tensor]()
        goes_back = self.options.gradients and backward
        with torch.set_grad_enabled(self.options.gradients):
            if self._hooks is None:
                self._hooks = [HooksAsTheyAre(value) for value in self._inputs().values()]
            begun = next_sequence()
            if time is not None:
                time.begin()
            outputs = function(*self.program.args, **self.program.kwargs)
            if time is not None:
                time.end(goes_back)
            if goes_back:
                gradients = self._gradients(function, tensors_in(outputs), tangent, begun, time)
        for hooks in self._hooks:  # as of an input that is another at each step
            hooks.restore()
        return outputs, gradients

    def _gradients(
        self,
        function: Callable[..., Any],
        outputs: list[torch.Tensor],
        tangent: Tangent,
        begun: int,
        time: StepTime | None,
    ) -> dict[str, torch.Tensor]:
        if self.program.goes_back_itself:
            return {}
        ends = [(index, value) for index, value in enumerate(outputs) if value.requires_grad]
        values, directions = [value for _, value in ends], [tangent(index, value) for index, value in ends]
        known = self._goes_back.get(id(function)) if time is not None else None
        if known is None:
            leaves = self.leaves() | (self._reached(values, begun) if ends else {})
            known = _GoingBack(function, leaves, _reached_by_own(values))
        if time is not None:
            self._goes_back[id(function)] = known
        leaves = known.leaves
        self.no_leaves = bool(ends) and not leaves
        if not leaves or not ends:
            return {}
        found: Iterable[tuple[str, torch.Tensor | None]] = ()
        with noting_own_backward(self.program, values, begun):
            taken = _gradients_of(values, list(leaves.values()), directions, known.reached, time)
            found = zip(leaves, taken, strict=True)
        given: dict[str, torch.Tensor] = {}
        for name, grad in found:
            if grad is not None:
                given.update(_compared(f"grad of {name}", grad))
        return given

    def _reached(self, ends: list[torch.Tensor], begun: int) -> dict[str, torch.Tensor]:
        if self._beyond is None:
            known = {id(leaf) for leaf in self.leaves().values()}
            found = [leaf for leaf in leaves_behind(ends, begun) if id(leaf) not in known]
            self._beyond = (
                named_leaves(found, self.program.callable, lambda: program_state(self.program).name_of)
                if found
                else {}
            )
        return self._beyond

    def _tangent(self, index: int, value: torch.Tensor) -> torch.Tensor:
        """A copy: compiled code may write to it (torch 2.13 does in the backward of `torch.cond`)."""
        if value.dim() == 0:
            return torch.ones_like(value)
        key = (index, tuple(value.shape), value.is_complex())
        if key not in self._tangents:
            self._tangents[key] = _direction(index, value)
        return self._tangents[key].to(dtype=value.dtype, device=value.device, copy=True)

    def _kept_tangent(self, index: int, value: torch.Tensor) -> torch.Tensor:
        """Its numbers may have changed, where no one looks at the results."""
        cast = index, tuple(value.shape), value.dtype, value.device
        if cast not in self._cast:
            self._cast[cast] = self._tangent(index, value)
        return self._cast[cast]

    def compared_step(
        self,
        function: Callable[..., Any],
        within: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    ) -> Results:
        """A step from the fixed seed that leaves the program's state and the random state as they were. `within` is entered
        around the step alone.
        """
        with self.program.in_place(), unchanged_state(self.program) as state, seeded(self.options.seed):
            with within():
                results = self._step(function, True, self._tangent)
                tensors = {name: tensor.clone() for name, tensor in results.tensors.items()}
                random = random_state()
            if not self._looks_at_state:
                return Results(tensors, random)
            changed, unchanged = state_of(state)
            return Results(
                tensors | {name: tensor.clone() for name, tensor in changed.items()}, random, unchanged
            )


class _GoingBack(NamedTuple):
    """What a step's backward is taken with."""

    function: Callable[..., Any]
    """Kept, so that no other has its id."""
    leaves: dict[str, torch.Tensor]
    reached: list[torch.Tensor] | None


def gradients_of(
    ends: Sequence[torch.Tensor], leaves: Sequence[torch.Tensor], directions: Sequence[torch.Tensor]
) -> tuple[torch.Tensor | None, ...]:
    """As the program's own ``backward()`` gives them; `leaves` keep the ``.grad`` they have.

    A function whose backward calls ``backward()`` itself (a reentrant checkpoint, reversible layers) gives the gradients of what it
    holds to nothing but ``.grad``, and a checkpoint refuses to be asked for them by ``torch.autograd.grad``.
    """
    return _gradients_of(ends, leaves, directions, _reached_by_own(ends), None)


def _gradients_of(
    ends: Sequence[torch.Tensor],
    leaves: Sequence[torch.Tensor],
    directions: Sequence[torch.Tensor],
    reached: list[torch.Tensor] | None,
    time: StepTime | None,
) -> tuple[torch.Tensor | None, ...]:
    time = time or StepTime(lambda: 0)
    if reached is None or not all(leaf.is_leaf for leaf in leaves):
        time.begin()
        found = torch.autograd.grad(ends, leaves, directions, allow_unused=True)
        time.end()
        return found
    kept = [(leaf, leaf.grad) for leaf in {id(leaf): leaf for leaf in (*reached, *leaves)}.values()]
    for leaf, _ in kept:
        leaf.grad = None
    try:
        time.begin()
        torch.autograd.backward(ends, directions)
        time.end()
        return tuple(leaf.grad for leaf in leaves)
    finally:
        for leaf, grad in kept:
            leaf.grad = grad


def _reached_by_own(ends: Sequence[torch.Tensor]) -> list[torch.Tensor] | None:
    """The leaves that a backward from here gets to; None where it meets no function of the program's that may call another."""
    found, own = [], False
    for node in functions_behind(ends):
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            module = str(getattr(type(node), "_forward_cls", type(node)).__module__)
            own = own or module == "torch.utils.checkpoint" or module.partition(".")[0] != "torch"
        elif (leaf := getattr(node, "variable", None)) is not None:
            found.append(leaf)
    return found if own else None


@contextlib.contextmanager
def noting_own_backward(program: Program, ends: Sequence[torch.Tensor], begun: int) -> Iterator[None]:
    """Around a backward: where results can't be gone back from since the step that began at this node of autograd did so itself, that
    is noted of the program. Where something behind them was there before, a step before this one did: the program's own fault, which is
    raised.
    """
    try:
        yield
    except RuntimeError as error:
        if _GONE_BACK not in str(error) or any(
            node._sequence_nr() < begun  # noqa: SLF001  how old it is
            for node in functions_behind(ends)
            if not hasattr(node, "variable")
        ):
            raise
        program.goes_back_itself = True


def tangent(index: int, value: torch.Tensor) -> torch.Tensor:
    """The direction that the gradient of the output at `index` is taken in, the same at every call and in every dtype."""
    if value.dim() == 0:
        return torch.ones_like(value)
    return _direction(index, value).to(dtype=value.dtype, device=value.device)


def _direction(index: int, value: torch.Tensor) -> torch.Tensor:
    generator = torch.Generator().manual_seed(index + 1)

    def drawn(part: torch.Tensor) -> torch.Tensor:
        wide = wide_dtype(part.dtype)
        return torch.randn(part.shape, generator=generator, dtype=wide, device=generator.device)

    with unwatched():  # the program did not draw these
        if value.is_nested:
            return with_parts(value.detach(), lambda part: drawn(part) if part.is_floating_point() else part)
        return drawn(value)


def _compared(name: str, value: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
    """What is compared of a result: of a nested one its rows one behind another, since its own size is that of no other; of a class that
    holds several tensors each, since not all operations of a comparison need be that class's.
    """
    if value.is_nested:
        yield name, value.values() if value.layout is torch.jagged else value
        return
    parts = parts_of(value)
    if len(parts) < 2:
        yield name, value
        return
    for index, part in enumerate(parts):
        yield from _compared(f"{name}, part {index}", part)


@contextlib.contextmanager
def unchanged_state(owner: Program | torch.nn.Module | None) -> Iterator[ProgramState]:
    """Put back afterwards what runs of a program, or of a module, change: buffers, and all that Python keeps. Gives what was noted."""
    state = program_state(owner) if isinstance(owner, Program) else ProgramState(owner)
    try:
        yield state
    finally:
        state.restore()


def program_state(program: Program) -> ProgramState:
    """All that a step may change, noted."""
    own = {id(tensor): name for name, tensor in tensors_of(program.callable)}
    return ProgramState(
        program.callable, program.args, program.kwargs, names=("", "args", "kwargs"), known=own
    )


def state_of(state: ProgramState) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """(what a step changed, what it did not), named as results are; the program's own tensors."""
    changed, same = (
        {f"{name}{AFTERWARDS}": value for name, value in part.items()} for part in state.tensors()
    )
    return changed, same


def set_mode(program: Program, options: RunOptions) -> None:
    """Train or eval, where asked."""
    if options.training is not None:
        for _, module in program.modules():
            module.train(options.training)
