"""All that a run of a program may change and a later run may see, noted and put back: tensors, containers, attributes,
closures, names of its own files, settings of torch and of the process. What Python cannot look into (files, iterators, C objects) is not, nor sparse and nested tensors.
"""

import ast
import collections
import contextlib
import functools
import operator
import random
import re
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

from compiler.engine.file_ownership import is_reloaded
from compiler.engine.user_program.process_state import put_back, settings_now
from compiler.engine.user_program.tensor_state import TensorAsItIs, is_comparable, is_dense

_MOST = 500_000
"""Things that are looked at: vocabularies and the like end here."""
_TORCHS = ("_torchdynamo", "_is_torch", "_dynamo", "__", "_compiled_call_impl")
"""How names begin that torch.compile and Python leave in a user's objects and modules."""
_INSTALLED = re.compile(r"_\d+_c\d+$")
"""How names end that Dynamo installs among a file's names: an object's id and the number of a compile."""
_CLOSED = {"torch", __name__.partition(".")[0], "builtins", *sys.stdlib_module_names} - {"__main__"}
"""Packages whose objects are theirs: their attributes are no state of the program."""
_OPEN = (torch.nn.Module, torch.optim.Optimizer, types.SimpleNamespace)
_OF_A_MODULE = re.compile(r"\._(?:modules|buffers|parameters)\['([^']*)'\]")
"""Where a module keeps what has a dotted name."""

_REFUSED = (AttributeError, RuntimeError, NotImplementedError, TypeError)
"""What objects raise that do not let themselves be looked into."""

Restore = Callable[[], object]
_Named = Iterator[tuple[str, Any]]
"""(what stands behind the owner's name to name it, what an owner holds)."""


class ProgramState:
    """What is reachable from some objects, as it is now."""

    def __init__(self, *roots: Any, names: tuple[str, ...] = ()) -> None:
        """`names` are those of the roots; of the first, and of all without one, what is in it is named alone."""
        self._restores: list[Restore] = []
        self._settings = settings_now()
        self._slots: dict[type, tuple[types.MemberDescriptorType, ...]] = {}
        self._kept: dict[int, Any] = {}
        """By id, so that no id is given to something else meanwhile."""
        self._came: dict[int, tuple[int, str]] = {}
        """By id, the owner that it was found in first, and its name there."""
        self._tensors: list[TensorAsItIs] = []
        self._held: list[tuple[Any, Any, Any]] = []
        """(an owner, the container that is its own or itself, what was in it), for what a step adds."""
        known = (*names, *("" for _ in roots))
        waiting = [(0, name, root) for name, root in zip(known, roots, strict=False)]
        while waiting and len(self._kept) < _MOST:
            owner, name, value = waiting.pop()
            if id(value) not in self._kept:
                self._kept[id(value)] = value
                self._came[id(value)] = owner, name
                with contextlib.suppress(*_REFUSED):
                    found = [(id(value), *item) for item in self._note(value)]
                    last = isinstance(value, torch.optim.Optimizer)  # parameters are named as in their module
                    at = 0 if last else len(waiting)
                    waiting[at:at] = found

    def restore(self) -> None:
        """Everything as it was: the very objects, with what was in them."""
        put_back(self._settings)  # first: a default device would say where copies are made
        with torch.no_grad():
            for restore in self._restores:
                restore()

    def tensors(self) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """(what has changed since, what has not) of the tensors that can be compared, by names as ``bn.running_mean`` and ``args[0]``:
        those whose numbers are others, what stands where another tensor stood, and what came anew (a gradient, an optimizer's
        first averages, a list that grew). They are the program's own.
        """
        changed: dict[str, torch.Tensor] = {}
        same: dict[str, torch.Tensor] = {}
        for noted in self._tensors:
            owner, name = self._came[id(noted.tensor)]
            with contextlib.suppress(*_REFUSED):  # torch does not compare every dtype
                if noted.compared:
                    now = _standing(self._kept.get(owner), name, noted.tensor)
                    found = changed if now is not noted.tensor or noted.changed() else same
                    found[self._whole(owner, name)] = now.detach()
        for whole, added in self._added():
            same.pop(whole, None)
            changed[whole] = added.detach()
        return changed, same

    def _added(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Tensors that nothing held before, in what stands where no tensor stood."""
        fresh: list[tuple[int, str, Any]] = [
            (id(noted.tensor), ".grad", noted.gradient_if_new()) for noted in self._tensors
        ]
        for owner, container, before in self._held:
            fresh += [(id(owner), name, value) for name, value in _fresh(owner, container, before)]
        seen = set[int]()
        while fresh:
            at, name, value = fresh.pop()
            if value is None or id(value) in self._kept or id(value) in seen:
                continue
            seen.add(id(value))
            match value:
                case torch.Tensor():
                    comparable = False
                    with contextlib.suppress(*_REFUSED):
                        comparable = is_comparable(value)
                    if comparable:
                        yield self._whole(at, name), value
                case dict():
                    fresh += [(at, name + key, held) for key, held in _keyed(dict(_kind(value).items(value)))]
                case list() | collections.deque():
                    fresh += [(at, name + key, held) for key, held in _indexed(_kind(value).__iter__(value))]
                case tuple():
                    fresh += [(at, name + key, held) for key, held in _indexed(tuple.__iter__(value))]

    def _whole(self, owner: int, name: str) -> str:
        return _OF_A_MODULE.sub(r".\1", self._path(owner) + name).removeprefix(".")

    def _path(self, value: int) -> str:
        names: list[str] = []
        while value:
            value, name = self._came[value]
            names.append(name)
        return "".join(reversed(names))

    def _note(self, value: Any) -> _Named:
        """Note how a value is put back, and give what is in it."""
        match value:
            case None | bool() | int() | float() | str() | bytes() | types.ModuleType():
                return
            case torch.Tensor():
                noted = TensorAsItIs(value)
                self._tensors.append(noted)
                self._restores.append(noted.restore)
                yield ".grad", value.grad if value.is_leaf else None
            case torch.Generator():
                self._restores.append(functools.partial(value.set_state, value.get_state()))
            case random.Random():
                self._restores.append(functools.partial(value.setstate, value.getstate()))
            case list() | collections.deque() | dict() | set() | tuple() | types.CellType():
                yield from self._container(value)
            case type():
                yield from self._class(value)
            case _:
                yield from self._callable(value)

    def _container(self, value: Any) -> _Named:
        match value:
            case dict():
                before = dict(_kind(value).items(value))
                self._restores.append(_mapping(value, before, ordered=True))
                self._held.append((value, value, before))
                yield from _keyed(before)
            case set():
                self._restores.append(_set(value, set(set.__iter__(value))))
            case tuple():
                yield from _indexed(tuple.__iter__(value))
            case types.CellType():
                self._restores.append(_cell(value))
                held = value.cell_contents if _is_filled(value) else None
                self._held.append((value, value, [held]))
                yield "", held
            case _:
                held = list(_kind(value).__iter__(value))
                self._restores.append(_sequence(value, held))
                self._held.append((value, value, held))
                yield from _indexed(held)

    def _callable(self, value: Any) -> _Named:
        match value:
            case types.FunctionType():
                yield from self._function(value)
            case types.MethodType():
                yield from (("", value.__self__), ("", value.__func__))
            case functools.partial():
                yield from (("", value.func), (".args", value.args), (".keywords", value.keywords))
            case staticmethod() | classmethod():
                yield "", value.__func__
            case property():
                yield from ((".fget", value.fget), (".fset", value.fset))
            case _:
                yield from self._object(value)

    def _function(self, function: types.FunctionType) -> _Named:
        free = function.__code__.co_freevars
        yield from ((f".{name}", cell) for name, cell in zip(free, function.__closure__ or (), strict=False))
        yield from ((".defaults", function.__defaults__), (".defaults", function.__kwdefaults__))
        if is_reloaded(function.__code__.co_filename):
            names = function.__globals__
            if id(names) not in self._kept:
                self._kept[id(names)] = names
                self._came[id(names)] = 0, ""
                self._restores.append(_mapping(names, dict(names)))
                for name, value in names.items():
                    if not name.startswith("__"):
                        yield f".{name}", value

    def _class(self, owner: type) -> _Named:
        file = getattr(sys.modules.get(owner.__module__), "__file__", None) or ""
        if is_reloaded(file):
            own = {key: value for key, value in vars(owner).items() if not key.startswith("__")}
            self._restores.append(_attributes(owner, own))
            yield from ((f".{owner.__name__}.{key}", value) for key, value in own.items())
        yield from (("", base) for base in owner.__bases__)

    def _object(self, value: Any) -> _Named:
        if type(value).__module__ == "numpy" and hasattr(value, "copy") and hasattr(value, "flat"):
            self._restores.append(functools.partial(value.__setitem__, ..., value.copy()))
            return
        package = type(value).__module__.partition(".")[0]
        if package in _CLOSED and not isinstance(value, _OPEN):
            return
        kind = type(value)
        slots = self._slots[kind] if kind in self._slots else self._slots.setdefault(kind, _slots(kind))
        filled = {slot: slot.__get__(value) for slot in slots if _holds(slot, value)}
        if slots:
            self._restores.append(_slotted(value, slots, filled))
            yield from ((f".{slot.__name__}", held) for slot, held in filled.items())
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict):
            if any(map(torch.nn.parameter.is_lazy, getattr(value, "_parameters", {}).values())):
                return  # its first run makes another of it for good
            before = dict(own)
            self._restores.append(_mapping(own, before))
            self._held.append((value, own, before))
            yield from ((f".{key}", held) for key, held in before.items())
        if slots or isinstance(own, dict):
            yield "", type(value)


_PLAIN = (str, int, float, bytes, type(None))
"""What holds nothing, of which a vocabulary has very many."""


def _indexed(values: Any) -> _Named:
    return ((f"[{index}]", value) for index, value in enumerate(values) if not isinstance(value, _PLAIN))


def _keyed(values: dict[Any, Any]) -> _Named:
    """Keys that are objects (the parameters of an optimizer's state, members of an enumeration) are named by their place."""
    for index, (key, value) in enumerate(values.items()):
        if not isinstance(value, _PLAIN):
            yield f"[{key!r}]" if type(key) in (str, int) else f"[{index}]", value


def _standing(owner: Any, name: str, before: torch.Tensor) -> torch.Tensor:
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
            now = owner.cell_contents if _is_filled(owner) else before
        case _ if isinstance(getattr(owner, "__dict__", None), dict):
            now = vars(owner).get(name.removeprefix("."), before)
    return now if isinstance(now, torch.Tensor) and is_dense(now) else before


def _fresh(owner: Any, container: Any, before: Any) -> Iterator[tuple[str, Any]]:
    """(how it is named, what stands there) for what stands where something else than a tensor stood, or nothing."""
    now = _held_now(container)
    was = before.values() if isinstance(before, dict) else before
    held = now.values() if isinstance(now, dict) else now
    if len(now) == len(before) and not any(map(operator.is_not, held, was)):
        return  # at the speed of C: a vocabulary has very many
    named = _names_of(owner, container)
    old = dict(named(before))
    for name, value in named(now):
        if value is not old.get(name) and not isinstance(old.get(name), torch.Tensor):
            yield name, value


def _names_of(owner: Any, container: Any) -> Callable[[Any], _Named]:
    if isinstance(container, types.CellType):
        return lambda values: (("", value) for value in values)
    if isinstance(container, dict):
        return _keyed if owner is container else _attributed
    return _indexed


def _held_now(container: Any) -> Any:
    if isinstance(container, types.CellType):
        return [container.cell_contents] if _is_filled(container) else []
    kind = _kind(container)
    return dict(kind.items(container)) if isinstance(container, dict) else list(kind.__iter__(container))


def _attributed(values: dict[str, Any]) -> _Named:
    return ((f".{key}", value) for key, value in values.items() if not _is_torchs(key))


def _at(values: list[Any], index: Any) -> Any:
    return (
        list.__getitem__(values, index) if isinstance(index, int) and index < list.__len__(values) else None
    )


def _slots(owner: type) -> tuple[types.MemberDescriptorType, ...]:
    """The places of ``__slots__`` in objects of a class; set through these, since a frozen class refuses to be set."""
    return tuple(
        place
        for base in owner.__mro__
        if "__slots__" in vars(base)
        for place in vars(base).values()
        if isinstance(place, types.MemberDescriptorType)
    )


def _holds(slot: types.MemberDescriptorType, value: Any) -> bool:
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def _slotted(
    value: Any,
    slots: tuple[types.MemberDescriptorType, ...],
    before: dict[types.MemberDescriptorType, Any],
) -> Restore:
    def restore() -> None:
        for slot in slots:
            holds = _holds(slot, value)
            if slot not in before:
                if holds:
                    slot.__delete__(value)
            elif not holds or slot.__get__(value) is not before[slot]:
                slot.__set__(value, before[slot])

    return restore


def _kind(value: Any) -> Any:
    """The container of Python's own that something is. Its methods are asked: those of a subclass are the program's code, which
    may import, compute or raise (transformers' lazy mappings do), and say another thing than what is held.
    """
    kinds = collections.OrderedDict, dict, list, collections.deque
    return next(kind for kind in kinds if isinstance(value, kind))


def _mapping(names: dict[Any, Any], before: dict[Any, Any], ordered: bool = False) -> Restore:
    kind = _kind(names)

    def restore() -> None:
        if kind.__len__(names) == len(before) and all(
            key is old and value is was
            for (key, value), (old, was) in zip(kind.items(names), before.items(), strict=True)
        ):
            return
        now = dict(kind.items(names))
        kept = {key: value for key, value in now.items() if key not in before and _is_torchs(key)}
        for key in [key for key in now if key not in before and key not in kept]:
            kind.__delitem__(names, key)
        if ordered and list(before) != [key for key in now if key in before]:
            kind.clear(names)
            for key, value in {**before, **kept}.items():
                kind.__setitem__(names, key, value)
            return
        for key, value in before.items():
            if key not in now or now[key] is not value:
                kind.__setitem__(names, key, value)

    return restore


def _is_torchs(key: Any) -> bool:
    return isinstance(key, str) and (key.startswith(_TORCHS) or _INSTALLED.search(key) is not None)


def _attributes(owner: type, before: dict[str, Any]) -> Restore:
    def restore() -> None:
        now = {key: value for key, value in vars(owner).items() if not _is_torchs(key)}
        for key in now.keys() - before.keys():
            delattr(owner, key)
        for key, value in before.items():
            if not _is_torchs(key) and now.get(key) is not value:
                setattr(owner, key, value)

    return restore


def _sequence(values: Any, before: list[Any]) -> Restore:
    kind = _kind(values)

    def restore() -> None:
        if kind.__len__(values) != len(before) or any(
            one is not other for one, other in zip(kind.__iter__(values), before, strict=True)
        ):
            kind.clear(values)
            kind.extend(values, before)

    return restore


def _set(values: set[Any], before: set[Any]) -> Restore:
    def restore() -> None:
        if not set.__eq__(values, before):
            set.clear(values)
            set.update(values, before)

    return restore


def _is_filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _cell(cell: types.CellType) -> Restore:
    filled = _is_filled(cell)
    before = cell.cell_contents if filled else None

    def restore() -> None:
        if filled and (not _is_filled(cell) or cell.cell_contents is not before):
            cell.cell_contents = before
        elif not filled and _is_filled(cell):
            del cell.cell_contents

    return restore
