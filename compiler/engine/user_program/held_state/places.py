"""What Python holds and where: the values of a container, an object, a class or a file by the name that each is reported by, and what
stands there later.
"""

import ast
import collections
import operator
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from compiler.engine.user_program.tensor_state import is_dense

_TORCHS = ("_torchdynamo", "_is_torch", "_dynamo", "__", "_compiled_call_impl")
"""How names begin that torch.compile and Python leave in a user's objects and modules."""
_INSTALLED = re.compile(r"_\d+_c\d+$")
"""How names end that Dynamo installs among a file's names: an object's id and the number of a compile."""
Named = Iterator[tuple[str, Any]]
"""(what stands behind the owner's name to name it, what an owner holds)."""
_PLAIN = (str, int, float, bytes, type(None))
"""What holds nothing, of which a vocabulary has very many."""


def indexed(values: Any) -> Named:
    """The items of a sequence."""
    return ((f"[{index}]", value) for index, value in enumerate(values) if not isinstance(value, _PLAIN))


def keyed(values: dict[Any, Any]) -> Named:
    """Keys that are objects (the parameters of an optimizer's state, members of an enumeration) are named by their place."""
    for index, (key, value) in enumerate(values.items()):
        if not isinstance(value, _PLAIN):
            yield f"[{key!r}]" if type(key) in (str, int) else f"[{index}]", value


def standing(owner: Any, name: str, before: torch.Tensor) -> torch.Tensor:
    """The tensor that stands now where one stood; that one, where none does or another kind of owner holds it."""
    now: Any = before
    match owner:
        case dict():
            key = ast.literal_eval(name[1:-1])
            known = key in dict.keys(owner)
            now = dict.__getitem__(owner, key) if known else _at(list(dict.values(owner)), key)
        case list():
            now = _at(owner, ast.literal_eval(name[1:-1]))
        case types.CellType():
            now = owner.cell_contents if is_filled(owner) else before
        case types.FunctionType():
            key = name.removeprefix(".")
            now = vars(owner).get(key, owner.__globals__.get(key))
        case type():
            now = vars(owner).get(name.removeprefix(f".{owner.__name__}."))
        case _:
            now = _attribute(owner, name.removeprefix("."))
    return now if isinstance(now, torch.Tensor) and is_dense(now) else before


def _attribute(owner: Any, name: str) -> Any:
    """What an object holds by a name itself, asking none of its code."""
    own = getattr(owner, "__dict__", None)
    if isinstance(own, dict) and name in own:
        return own[name]
    place = getattr(type(owner), name, None)
    return (
        place.__get__(owner)
        if isinstance(place, types.MemberDescriptorType) and holds(place, owner)
        else None
    )


def fresh(
    owner: Any, container: Any, before: Any, known: Callable[[str, Any], bool]
) -> Iterator[tuple[str, Any]]:
    """(how it is named, what stands there) for what stands where something else stood, or nothing. `known`: whether it is reported anyhow
    what stands in place of what stood there.
    """
    now = _held_now(container)
    was = before.values() if isinstance(before, dict) else before
    held = now.values() if isinstance(now, dict) else now
    if len(now) == len(before) and not any(map(operator.is_not, held, was)):
        return  # at the speed of C: a vocabulary has very many
    named = _names_of(owner, container)
    old = dict(named(before))
    for name, value in named(now):
        if value is not old.get(name) and not known(name, old.get(name)):
            yield name, value


def _names_of(owner: Any, container: Any) -> Callable[[Any], Named]:
    if isinstance(container, types.CellType):
        return lambda values: (("", value) for value in values)
    if isinstance(container, type):
        return lambda values: ((f".{container.__name__}.{key}", value) for key, value in values.items())
    if isinstance(container, dict | Slots):
        return keyed if owner is container else attributed
    return indexed


def _held_now(container: Any) -> Any:
    if isinstance(container, types.CellType):
        return [container.cell_contents] if is_filled(container) else []
    if isinstance(container, type):
        return own_names(container)
    if isinstance(container, Slots):
        return container.filled()
    kind = kind_of(container)
    return dict(kind.items(container)) if isinstance(container, dict) else list(kind.__iter__(container))


def attributed(values: dict[str, Any]) -> Named:
    """The attributes of an object, or the names of a file."""
    return ((f".{key}", value) for key, value in values.items() if not is_torchs(key))


def _at(values: list[Any], index: Any) -> Any:
    return (
        list.__getitem__(values, index) if isinstance(index, int) and index < list.__len__(values) else None
    )


def own_names(owner: type) -> dict[str, Any]:
    """What a class itself holds."""
    return {key: value for key, value in vars(owner).items() if not key.startswith("__")}


class Slots:
    """The attributes of an object that it has places for, as a container."""

    def __init__(self, owner: Any, places: tuple[types.MemberDescriptorType, ...]) -> None:
        self._owner, self._places = owner, places

    def filled(self) -> dict[str, Any]:
        return {
            place.__name__: place.__get__(self._owner) for place in self._places if holds(place, self._owner)
        }


def slots_of(owner: type) -> tuple[types.MemberDescriptorType, ...]:
    """The places of ``__slots__`` in objects of a class; set through these, since a frozen class refuses to be set."""
    return tuple(
        place
        for base in owner.__mro__
        if "__slots__" in vars(base)
        for place in vars(base).values()
        if isinstance(place, types.MemberDescriptorType)
    )


def holds(slot: types.MemberDescriptorType, value: Any) -> bool:
    """Whether an object has something in a slot."""
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def kind_of(value: Any) -> Any:
    """The container of Python's own that something is. Its methods are asked: those of a subclass are the program's code, which
    may import, compute or raise (transformers' lazy mappings do), and say another thing than what is held.
    """
    kinds = collections.OrderedDict, dict, list, collections.deque
    return next(kind for kind in kinds if isinstance(value, kind))


def is_torchs(key: Any) -> bool:
    """Whether torch.compile or Python put it there."""
    return isinstance(key, str) and (key.startswith(_TORCHS) or _INSTALLED.search(key) is not None)


def is_filled(cell: types.CellType) -> bool:
    """Whether the variable is bound."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
