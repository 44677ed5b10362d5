"""The tensors of a result or an argument, also those that an object holds which torch does not take apart: a dataclass, a cache, a graph."""

import collections
import contextlib
import copy
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

_MOST = 100_000
"""Objects that are looked into."""
_NO_RESULT = (
    torch.nn.Module, torch.optim.Optimizer, torch.Generator, type, types.ModuleType, types.FunctionType, types.MethodType,
    types.BuiltinFunctionType, str, bytes, int, float, complex, type(None),
)  # fmt: skip
"""What a program may hand back along with its results: no tensor in it is one of them."""
_ROWS: tuple[Any, ...] = (list, tuple, set, frozenset, collections.deque)
_NUMBERS = {float: torch.float32, complex: torch.complex64, int: torch.int64, bool: torch.bool}


def tensors_in(result: Any) -> list[torch.Tensor]:
    """In the order of the tree, and in objects in that of their attributes. What an object holds that stands there twice is found once."""
    plain = _leaves(result)
    others = [value for value in plain if not isinstance(value, torch.Tensor)]
    if all(isinstance(value, _NO_RESULT) for value in others):  # nearly always, in steps that are timed
        return [value for value in plain if isinstance(value, torch.Tensor)] if others else plain
    found: list[torch.Tensor] = []
    waiting = plain[::-1]
    seen: dict[int, Any] = {}  # by id, and kept, so that no id is given to something else meanwhile
    while waiting and len(seen) < _MOST:
        value = waiting.pop()
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif not isinstance(value, _NO_RESULT):
            leaves = _leaves(value)
            if len(leaves) == 1 and leaves[0] is value:
                leaves = [] if id(value) in seen else list(_held(value))
                seen[id(value)] = value
            waiting += reversed(leaves)
    return found


def _leaves(tree: Any) -> list[Any]:
    """Also of a list that holds itself, of which pytree says that Python's stack is too short."""
    try:
        return pytree.tree_leaves(tree)
    except RecursionError:
        return list(_leaves_once(tree))


def _leaves_once(tree: Any) -> Iterator[Any]:
    waiting, seen = [tree], dict[int, Any]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        parts = pytree.tree_leaves(node, is_leaf=_all_but_first())
        if len(parts) == 1 and parts[0] is node:
            yield node
        else:
            seen[id(node)] = node
            waiting += reversed(parts)


def _all_but_first() -> Callable[[Any], bool]:
    """Takes one level apart: pytree asks of the whole first."""
    asked = iter((False,))
    return lambda _: next(asked, True)


def with_tensors(values: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same tree with each tensor changed. An object that holds some is copied; one that cannot be copied stays as it is."""

    def changed(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return change(value)
        held = tensors_in(value)
        with contextlib.suppress(Exception):  # whatever copying an object of the user's raises
            return copy.deepcopy(value, {id(tensor): change(tensor) for tensor in held}) if held else value
        return value

    return pytree.tree_map(changed, values)


def values_in(result: Any) -> list[torch.Tensor]:
    """What a program that gives no tensors back says of them, as copies: ``loss.item()``, a count, an array of numpy's. A float is as
    precise here as what it was most likely read from.
    """
    return [found for value in _leaves(result) if (found := _number(value)) is not None]


def _number(value: Any) -> torch.Tensor | None:
    if type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") in {*"biufc"}:
        with contextlib.suppress(TypeError):  # a kind of integer that torch has not
            return torch.as_tensor(value, device="cpu").clone()
    dtype = _NUMBERS.get(type(value))
    if dtype is None or (dtype is torch.int64 and abs(value) >= 2**63):
        return None
    return torch.tensor(value, dtype=dtype, device="cpu")


def _held(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):  # a class of the user's, else pytree had taken it apart
        yield from dict.values(value)
    for own in _ROWS:
        if isinstance(value, own):
            yield from own.__iter__(value)
    yield from getattr(value, "__dict__", {}).values()
    for kind in reversed(type(value).__mro__):
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            member = vars(kind).get(name)
            if isinstance(member, types.MemberDescriptorType) and (inside := _filled(member, value)):
                yield inside[0]


def _filled(member: types.MemberDescriptorType, value: Any) -> tuple[Any, ...]:
    try:
        return (member.__get__(value),)
    except AttributeError:  # never set
        return ()
