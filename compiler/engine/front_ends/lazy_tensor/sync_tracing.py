"""Running a program on lazy tensors while every call of it is noted: its line, what it added to the IR, whether it synced.

Twice, the same way: in the first run only torch's counters are read, and say which calls compile and run what is pending. In
the second, the IR is read right before those calls. What the second run keeps alive to find its node is let go
before the call, so that as many tensors are computed as without us.
"""

import dataclasses
import inspect
import time
import traceback
import weakref
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from compiler.engine.file_ownership import within_program
from compiler.engine.front_ends.torchscript.source_ranges import source_line
from compiler.engine.torch_internals.lazy_tensor.lazy_backend import (
    counters,
    hash_of,
    ir_of,
    is_lazy,
    mark_step,
)
from compiler.model.ir.graph import SourceLine

Stack = tuple[SourceLine, ...]

_COMPILES = ("UncachedCompile", "CachedCompile")
END = "mark_step"
_WATCHED = "torch loupe"
_MOST_IN_PLACE = 200
"""After so many the lines of what is written over are no longer looked for: each look costs the whole graph."""


@dataclasses.dataclass
class Sync:
    """A point where pending IR was compiled, or found in the cache, and run."""

    call: int
    """Which call of the run it was in; that of the end is one past the last."""
    cause: str
    stack: Stack
    hits: int
    misses: int
    seconds: float
    """Wall time of the call it was in."""
    fallbacks: tuple[str, ...] = ()
    """Operators without a lazy kernel that the call ran on the CPU."""


class Call(NamedTuple):
    """What made a tensor."""

    stack: Stack
    number: int
    """Calls are counted in the order that they ran."""
    backward: bool = False
    """It was the backward of what the line did."""


@dataclasses.dataclass
class SyncedGraph:
    """The IR right before a sync."""

    text: str
    owners: Mapping[int, Call]
    """The call that made root k."""
    names: Mapping[int, str]
    """Names of parameters, and with a leading % of arguments, that are root k."""
    hash: str
    wanted: int
    """How many roots, the first ones, a value was needed of; 0: read on the way, only to learn whose the nodes are."""


class Noting(TorchFunctionMode):
    """Counts and times every call, and notes those that sync."""

    def __init__(self) -> None:
        super().__init__()
        self.syncs: list[Sync] = []
        self.calls = 0
        self._before = counters()

    def __torch_function__(
        self,
        func: Callable[..., Any],
        classes: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        number, self.calls = self.calls, self.calls + 1
        started = time.perf_counter()
        try:
            return func(*args, **(kwargs or {}))
        finally:
            seconds = time.perf_counter() - started
            self.note(number, getattr(func, "__name__", str(func)), users_stack, seconds)

    def note(self, number: int, cause: str, stack: Callable[[], Stack], seconds: float) -> None:
        """Ask torch's counters whether this call synced."""
        now = counters()
        hits, misses = (now.get(name, 0) - self._before.get(name, 0) for name in reversed(_COMPILES))
        if hits or misses:
            fallbacks = tuple(
                name
                for name, count in now.items()
                if name.startswith("aten::") and count > self._before.get(name, 0)
            )
            self.syncs.append(Sync(number, cause, stack(), hits, misses, seconds, fallbacks))
        self._before = now


class Reading(TorchFunctionMode):
    """Reads the IR before the calls that are known to sync."""

    def __init__(self, at: frozenset[int], named: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        self.graphs: dict[int, SyncedGraph] = {}
        """By the number of the call that was about to sync."""
        self.read_in_order: list[SyncedGraph] = []
        self._in_place = 0
        self._at = at
        self._named = named
        self._calls = 0
        self._order = 0
        self._went_back = False
        self._made: dict[int, tuple[torch.Tensor, Call]] = {}
        self._alive: dict[int, tuple[weakref.ref[torch.Tensor], Call]] = {}

    def __torch_function__(
        self,
        func: Callable[..., Any],
        classes: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        number, self._calls = self._calls, self._calls + 1
        if _writes(func) and self._in_place < _MOST_IN_PLACE:  # the tensor is about to forget its node
            self._in_place += 1
            self._look([])
        if number in self._at:
            self.read(number, [value for value in pytree.tree_leaves((args, kwargs or {})) if is_lazy(value)])
        result = func(*args, **(kwargs or {}))
        call: Call | None = None
        for value in pytree.tree_leaves(result):
            if is_lazy(value):
                call = call or self._next_call(users_stack())
                known = self._made.get(id(value))
                if known is None or not known[1].backward:  # gradients have noted themselves
                    self._note(value, call)
                self._watch_backward(value.grad_fn, call.stack)
        return result

    def _next_call(self, stack: Stack, backward: bool = False) -> Call:
        self._order += 1
        return Call(stack, self._order, backward)

    def _note(self, value: torch.Tensor, call: Call) -> None:
        self._made[id(value)] = (value, call)
        self._alive[id(value)] = (weakref.ref(value), call)

    def _watch_backward(self, function: Any, stack: Stack) -> None:
        """What a step of the backward makes belongs to the line whose step of the forward it is the backward of."""
        waiting = [function]
        while waiting:
            step = waiting.pop()
            if step is None or _WATCHED in step.metadata:
                continue
            step.metadata[_WATCHED] = True

            def note(made: Any, _given: Any) -> None:
                call = self._next_call(stack, backward=True)
                self._went_back = True
                for value in made:
                    if is_lazy(value):
                        self._note(value, call)

            step.register_hook(note)
            waiting += [before for before, _ in step.next_functions]

    def read(self, number: int, wanted: list[torch.Tensor]) -> None:
        """The graph that the tensors wanted are computed by; then nothing is kept alive any more."""
        self.graphs[number] = self._look(wanted)
        self._made.clear()

    def _look(self, wanted: list[torch.Tensor]) -> SyncedGraph:
        first_ids = set(map(id, wanted))
        named = [
            (name, value)
            for name, value in self._named.items()
            if is_lazy(value) and id(value) not in first_ids
        ]
        made = [row for key, row in self._made.items() if key not in first_ids]
        roots = [*wanted, *(value for _, value in named), *(value for value, _ in made)]
        first = len(wanted)
        owners = {
            index: self._alive[id(value)][1] for index, value in enumerate(wanted) if id(value) in self._alive
        }
        owners.update({first + len(named) + index: call for index, (_, call) in enumerate(made)})
        names = {first + index: name for index, (name, _) in enumerate(named)}
        found = SyncedGraph(ir_of(roots), owners, names, hash_of(wanted), first)
        self.read_in_order.append(found)
        return found

    def read_end(self) -> int:
        """The graph of all that is still alive and pending, as mark_step takes it. Gives its number."""
        if self._went_back:  # what the backward made on the way is known by its tensors, which are let go now
            self._look([])
        self._made.clear()
        self.read(self._calls, [value for alive, _ in self._alive.values() if (value := alive()) is not None])
        return self._calls


def _writes(func: Callable[..., Any]) -> bool:
    name = getattr(func, "__name__", "")
    return name == "__setitem__" or (name.endswith("_") and not name.startswith("__"))


def users_stack() -> Stack:
    """The lines that are running, without torch's, innermost last."""
    frames = [frame for frame, _ in traceback.walk_stack(inspect.currentframe())]
    return tuple(
        source_line(item.f_code.co_filename, item.f_lineno, item.f_code.co_name)
        for item in within_program(reversed(frames), lambda item: item.f_code.co_filename)
    )


def noted_run(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Noting, Any]:
    """One run with what is left computed at its end; what it noted, and its result."""
    mark_step()
    with Noting() as noting:
        result = function(*args, **kwargs)
    started = time.perf_counter()
    mark_step()
    noting.note(noting.calls, END, lambda: (), time.perf_counter() - started)
    return noting, result
