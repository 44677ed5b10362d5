"""The order in which compiled code draws random numbers, given to the same graph run op by op.

Where nothing else holds it, Inductor calls what draws (attention, a library's operator, the seeds of its kernels) in another order than
the graph has it in, and from one generator each then draws other numbers. Every call that draws is noted with the generators' states,
and run op by op it draws from the state that it had.
"""

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import torch
from torch.utils import _pytree as pytree

from compiler.engine.rng.rng_state import put_back, same_states, states_for
from compiler.engine.torch_internals.dispatcher.dispatch_modes import WatchingMode

Draw: TypeAlias = tuple[str, tuple[Any, ...], tuple[Any, ...]]
"""A call that drew, as far as its numbers depend on it: the operator, sizes and strides of what it was given, and of what it gave."""


@dataclasses.dataclass
class NotedDraw:
    """One call of compiled code that drew, with the generators' states around it."""

    draw: Draw
    before: list[torch.Tensor]
    after: list[torch.Tensor]


class NotingDraws(WatchingMode):
    """Notes calls that draw, around compiled code too: what Inductor leaves to libraries is called through torch's dispatcher."""

    def __init__(self, noted: list[NotedDraw]) -> None:
        super().__init__()
        self._noted = noted

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if torch.Tag.nondeterministic_seeded not in func.tags or _is_recorded():
            return func(*args, **kwargs)
        before = states_for(kwargs)
        result = func(*args, **kwargs)
        after = states_for(kwargs)
        if not same_states(before, after):
            self._noted.append(NotedDraw(draw_of(func, args, kwargs, result), before, after))
        return result


class _InThatOrder(WatchingMode):
    """Of calls alike the first noted one is taken."""

    def __init__(self, noted: Sequence[NotedDraw]) -> None:
        super().__init__()
        self._left = list(noted)

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if torch.Tag.nondeterministic_seeded not in func.tags or kwargs.get("generator") is not None:
            return func(*args, **kwargs)
        asked = _known_as(func), _layouts(_tensors_given(args, kwargs))
        noted = next((row for row in self._left if row.draw[:2] == asked), None)
        if noted is None:
            return func(*args, **kwargs)
        put_back(noted.before, kwargs)
        result = func(*args, **kwargs)
        self._left.remove(noted)  # one that raised is called once more, in its own dtype
        return result


@contextlib.contextmanager
def in_the_order_of(noted: Sequence[NotedDraw]) -> Iterator[None]:
    """Calls draw what compiled code drew in this run of the graph, and the generators are left where it left them."""
    with _InThatOrder(noted):
        yield
    if noted:
        put_back(noted[-1].after, {})


def is_another_order(one: Sequence[Draw], other: Sequence[Draw]) -> bool:
    """Whether the same calls draw, as often, in another order."""
    return one != other and Counter(one) == Counter(other)


def alike(calls: Iterable[Sequence[NotedDraw]]) -> bool:
    """Whether in a run of a graph there are two calls of which it can't be told which is which."""
    return any(len({row.draw for row in noted}) < len(noted) for noted in calls)


def _known_as(func: Any) -> str:
    """``bernoulli`` for ``bernoulli_`` too, by which Inductor calls what the graph calls without: torch draws for either in the other."""
    return operator_name(func).removesuffix("_")


def draw_of(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Draw:
    """What a call that drew is known by."""
    return _known_as(func), _layouts(_tensors_given(args, kwargs)), _layouts(_tensors(result)[:1])


def operator_name(func: Any) -> str:
    """Without its overload: compiled code calls another."""
    return str(func.overloadpacket.__name__)


def _tensors_given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    return _tensors([args, {key: value for key, value in kwargs.items() if key != "out"}])


def _tensors(values: Any) -> list[torch.Tensor]:
    return [value for value in pytree.tree_leaves(values) if isinstance(value, torch.Tensor)]


def _layouts(values: Iterable[torch.Tensor]) -> tuple[Any, ...]:
    return tuple((tuple(value.shape), value.stride()) for value in values)


def _is_recorded() -> bool:
    """Whether a CUDA graph is being recorded: the generator cannot be asked then."""
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()
