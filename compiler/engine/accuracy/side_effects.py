"""One call of a program, or of what was made of it, with all that comes of it: results, what is printed, arguments and
state as they are afterwards, and gradients.
"""

import contextlib
import dataclasses
import io
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.module_snapshot import ModuleState, copied
from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.held_tensors import tensors_in
from compiler.engine.rng.rng_state import random_state, seeded
from compiler.engine.user_program.float64_copy import Call
from compiler.engine.user_program.held_state.functional_call import FunctionAsModule
from compiler.engine.user_program.held_state.held_by_functions import lone_tensors
from compiler.engine.user_program.loading import Program, argument_names, leaf_names
from compiler.engine.user_program.stepper import gradients_of, tangent, unchanged_state
from compiler.model.capture.capture_spec import RunOptions


@dataclasses.dataclass
class Effects:
    """What came of one call; tensors are copies on the CPU."""

    values: Any = None
    printed: str = ""
    error: Exception | None = None
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)
    """By name, as the call left them."""
    state: dict[str, Any] = dataclasses.field(default_factory=dict)
    """Parameters, buffers and plain attributes that the call changed, by name."""
    gradients: dict[str, torch.Tensor] | None = None
    """By ``fc1.weight`` or ``x``; None: nothing it gave requires any."""
    gradient_error: Exception | None = None
    aliases: tuple[tuple[str, ...], ...] = ()
    """For each result, the arguments whose memory it shares."""
    leaves: tuple[str, ...] = ()
    """What gradients were asked for."""
    initial: dict[str, Any] = dataclasses.field(default_factory=dict)
    """State before the call."""
    tensors: frozenset[str] = frozenset()
    """Which of the state are parameters and buffers."""
    drew: bool = False
    """Whether random numbers were drawn, as the generators show."""


class Side:
    """Something that is called as the program is, with the modules that it may change."""

    def __init__(
        self,
        program: Program,
        call: Callable[..., Any] | None = None,
        holds: tuple[torch.nn.Module, ...] = (),
        copies: bool = False,
    ) -> None:
        """`call` instead of the program itself; `holds` are modules of its own, told before the program's. `copies`: what
        it is given and gives is copied on the way, so that shared memory says nothing.
        """
        self.program = program
        self.call = call if call is not None else program.callable  # a module may be false
        self.copies = copies
        with program.in_place():
            parts = [part for module in holds for part in _parts(module)]
            self._note(parts + program.modules())

    def _note(self, modules: list[tuple[str, torch.nn.Module]]) -> None:
        self._modules = modules
        states = [ModuleState(module, prefix) for prefix, module in self._modules]
        known = [name for state in states for name in state.initial]
        self._states = [
            ModuleState(module, prefix, known) if isinstance(module, torch.jit.ScriptModule) else state
            for state, (prefix, module) in zip(states, self._modules, strict=True)
        ]
        self._tensors = frozenset[str]().union(*(state.tensors for state in self._states))
        self.initial: dict[str, Any] = {}
        """State before any call."""
        for state in reversed(self._states):
            self.initial |= state.initial
        self.initial |= (alone := {name: copied(value) for name, value in self._alone().items()})
        self._tensors |= frozenset(alone)

    def _alone(self) -> dict[str, torch.Tensor]:
        """Tensors that a function holds as they are, in no module."""
        return {held.name: held.value for held in lone_tensors(self.program.callable)}

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """Put state back afterwards."""
        function = self.program if self.program.module is None else None  # it may hold anything
        with unchanged_state(function) if function is not None else contextlib.nullcontext():
            try:
                yield
            finally:
                for state in self._states:
                    state.restore()

    def effects(self, call: Call, run: RunOptions, seed: int, backward: bool = True) -> Effects:
        """Call it with these arguments, which it may write to; what it raises is in the answer."""
        args, kwargs = call
        given = dataclasses.replace(self.program, args=args, kwargs=kwargs)
        names = leaf_names(given)
        inputs = dict(zip(names, pytree.tree_leaves((args, kwargs)), strict=True))
        printed = io.StringIO()
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.program.in_place())
            wanted = self._leaves(inputs)
            stack.enter_context(self.unchanged())
            stack.enter_context(contextlib.redirect_stdout(printed))
            stack.enter_context(seeded(seed))
            stack.enter_context(torch.set_grad_enabled(run.gradients))
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            start = random_state()
            try:
                values = self.call(*args, **kwargs)
                found = Effects(copied(values), printed.getvalue())
                found.leaves, found.initial = tuple(name for name, _ in wanted), self.initial
                found.tensors = self._tensors
                found.arguments = {
                    name: copied(value)
                    for name, value in (*zip(argument_names(given), args, strict=True), *kwargs.items())
                }
                for state in reversed(self._states):
                    found.state |= state.changed()
                found.state |= {
                    name: now
                    for name, value in self._alone().items()
                    if what_differs(now := copied(value), self.initial.get(name))
                }
                found.aliases = () if self.copies else _aliases(values, inputs)
            except Exception as error:  # noqa: BLE001  whatever the program, or what was made of it, raises is its answer
                return Effects(error=error, printed=printed.getvalue())
            if run.gradients and backward:
                try:
                    found.gradients = _gradients(values, wanted)
                except Exception as error:  # noqa: BLE001  that there is no way back is an answer too
                    found.gradient_error = error
            found.drew = random_state() != start
        return found

    def _leaves(self, inputs: dict[str, Any]) -> list[tuple[str, torch.Tensor]]:
        """What gradients are taken for; a parameter may stand in two modules as two tensors."""
        found = list(self._alone().items())
        found += [
            (prefix + name, parameter)
            for prefix, module in reversed(self._modules)
            for name, parameter in module.named_parameters()
        ]
        found += [(name, value) for name, value in inputs.items() if isinstance(value, torch.Tensor)]
        tensors = {id(value): (name, value) for name, value in reversed(found)}
        return [(name, value) for name, value in tensors.values() if value.requires_grad and value.is_leaf]


def _parts(module: torch.nn.Module) -> list[tuple[str, torch.nn.Module]]:
    return module.parts() if isinstance(module, FunctionAsModule) else [("", module)]


def _gradients(values: Any, wanted: list[tuple[str, torch.Tensor]]) -> dict[str, torch.Tensor] | None:
    tensors = tensors_in(values)
    ends = [(index, value) for index, value in enumerate(tensors) if value.requires_grad]
    if not ends or not wanted:
        return None
    grads = gradients_of(
        [value for _, value in ends],
        [value for _, value in wanted],
        [tangent(index, value) for index, value in ends],
    )
    found: dict[str, torch.Tensor] = {}
    for (name, _), gradient in zip(wanted, grads, strict=True):
        if gradient is not None:
            found.setdefault(name, copied(gradient))
    return found


def _aliases(values: Any, inputs: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    places: dict[int, list[str]] = {}
    for name, value in inputs.items():
        if (place := _memory(value)) is not None:
            places.setdefault(place, []).append(name)
    return tuple(tuple(places.get(_memory(value) or -1, ())) for value in pytree.tree_leaves(values))


def _memory(value: Any) -> int | None:
    """Where its storage begins; None for what has none of its own."""
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or not value.numel():
        return None
    try:
        return value.untyped_storage().data_ptr() or None
    except RuntimeError:  # a kind of tensor without memory
        return None
