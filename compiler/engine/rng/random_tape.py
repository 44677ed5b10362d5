"""The random numbers that one run draws, given to another run of the same program in another precision.

From one seed float64 draws other numbers than float32, so a reference that drew by itself would be a reference of another
program. What a kernel draws and does not give out (dropout inside attention by cuDNN) cannot be given on: then `unlike` says so.
"""

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import torch
from torch.utils import _pytree as pytree

from compiler.engine.rng.attention_masks import DROPOUT, dropped, with_mask
from compiler.engine.rng.draw_order import Draw, draw_of, operator_name
from compiler.engine.rng.random_masks import MASKED, VALUES, remade
from compiler.engine.rng.rng_state import put_back, same_states, states_for
from compiler.engine.rng.rounding_noise import unit_of
from compiler.engine.torch_internals.dispatcher.dispatch_modes import WatchingMode
from compiler.engine.torch_internals.patch.nothing_compiled import nothing_compiled
from compiler.engine.torch_internals.patch.operators import schema_of

T = TypeVar("T")
Within: TypeAlias = Callable[[], contextlib.AbstractContextManager[Any]]
Run: TypeAlias = Callable[[Within], T]
"""Runs a program; what it is given is entered around its operations. Dynamo runs no compiled frame while a mode is entered, so
that around a compiled program it is entered further inside.
"""


@dataclasses.dataclass
class _Drawn:
    """One operation that drew, and what it gave: its results, or for one that writes to its arguments these."""

    name: str
    shapes: tuple[Any, ...]
    """Of its arguments, numbers among them as they are: the same operation of the other run has the same."""
    given: list[torch.Tensor]
    fused: str = ""
    """The attention that drew, where what it dropped is given as dropout of its weights."""
    states: list[torch.Tensor] = dataclasses.field(default_factory=list)
    """Of the generators before."""


class RandomTape:
    """Drawn numbers in the order of drawing."""

    def __init__(self) -> None:
        self.drawn: list[_Drawn] = []
        self.draws: list[Draw] = []
        """The calls that drew, as they were made."""
        self.unlike = ""
        """Why the numbers could not be given on, as a clause; empty where all were."""
        self.unit = 0.0
        """One unit in the last place, relative, of the narrowest dtype that any operation gave."""

    def record(self, run: "Run[T]") -> T:
        """Run, and keep what is drawn where `run` enters what it is given. What was kept before is forgotten."""
        self.drawn, self.draws, self.unlike = [], [], ""

        @contextlib.contextmanager
        def within() -> Iterator[None]:
            with nothing_compiled(), _Recorder(self):
                yield

        return run(within)

    def replay(self, run: "Run[T]", around: "Within | None" = None) -> T:
        """Run, and let operations that drew give again what they gave; `unlike` is set where they can't. `around` is entered
        with it.
        """
        left = list(self.drawn)

        @contextlib.contextmanager
        def within() -> Iterator[None]:
            with nothing_compiled(), around() if around else contextlib.nullcontext(), _Player(self, left):
                yield

        result = run(within)
        if left and not self.unlike:
            self.unlike = f"in float64 {left[0].name} is not called as often"
        return result


class _Recorder(WatchingMode):
    def __init__(self, tape: RandomTape) -> None:
        super().__init__()
        self._tape = tape

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if torch.Tag.nondeterministic_seeded not in func.tags:
            result = func(*args, **kwargs)
            self._tape.unit = max(self._tape.unit, unit_of(result))
            return result
        states, name = states_for(kwargs), operator_name(func)
        asked = with_mask(name, args, kwargs)
        result = func(*asked[0], **asked[1])
        if not same_states(states, states_for(kwargs)):
            self._tape.draws.append(draw_of(func, args, kwargs, result))
            args, kwargs = asked
            weights = dropped(name, args, kwargs, result)
            if weights is not None:
                shapes = (tuple(weights.kept.shape), weights.share, True)
                self._tape.drawn.append(_Drawn(DROPOUT, shapes, [weights.kept] * 2, name, states))
                return result
            if name not in MASKED and name not in VALUES:
                self._tape.unlike = (
                    self._tape.unlike or f"{name} does not give out the random numbers it draws"
                )
            if kwargs.get("generator") is not None:
                self._tape.unlike = "it draws from a generator of its own, which goes on from call to call"
            given = [value.detach().clone() for value in _results_and_written(func, args, kwargs, result)]
            self._tape.drawn.append(_Drawn(name, _shapes(args, kwargs), given))
        return result


class _Player(WatchingMode):
    def __init__(self, tape: RandomTape, left: list[_Drawn]) -> None:
        super().__init__()
        self._tape = tape
        self.left = left

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if torch.Tag.nondeterministic_seeded not in func.tags:
            return func(*args, **kwargs)
        name = operator_name(func)
        following = self.left[0] if self.left else None
        own = following is not None and (following.name, following.shapes) == (name, _shapes(args, kwargs))
        states = states_for(kwargs)
        taken: list[torch.Tensor] = []
        if own and name in MASKED:  # it may write to what it is given
            given = pytree.tree_leaves((args, kwargs))
            taken = [value.clone() for value in given if isinstance(value, torch.Tensor)]
        try:
            result = func(*args, **kwargs)
        except Exception:
            put_back(states, kwargs)  # attention draws before it finds that it has no kernel for float64
            raise
        if following is not None and following.fused == name and same_states(following.states, states):
            del self.left[0]  # there is no such kernel in float64: it ran as before, and drew the same
        elif own and following is not None:
            del self.left[0]
            made = _results_and_written(func, args, kwargs, result)
            with torch.no_grad():
                remade(name, args, taken, following.given, made)
        elif not same_states(states, states_for(kwargs)) and not self._tape.unlike:
            self._tape.unlike = f"in float64 {name} draws where it did not before"
        return result


def _results_and_written(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> list[torch.Tensor]:
    """The results, then the arguments that were written to and are none of them."""
    found = [value for value in pytree.tree_leaves(result) if isinstance(value, torch.Tensor)]
    for index, argument in enumerate(schema_of(func).arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[index] if index < len(args) else kwargs.get(argument.name)
            if isinstance(value, torch.Tensor) and all(value is not one for one in found):
                found.append(value)
    return found


def _shapes(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    def plain(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return tuple(value.shape)
        return value if isinstance(value, bool | int | float | str) else type(value).__name__

    return tuple(
        map(plain, pytree.tree_leaves((args, {key: kwargs[key] for key in sorted(kwargs) if key != "dtype"})))
    )
