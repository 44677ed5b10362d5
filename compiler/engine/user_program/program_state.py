"""All that a run of a program may change and a later run may see, noted and put back: tensors, containers, attributes,
closures, names of its own files, settings of torch and of the process. What Python cannot look into (files, iterators, C objects) is not, nor sparse and nested tensors.
"""

import argparse
import collections
import contextlib
import functools
import random
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from compiler.engine.file_ownership import is_reloaded
from compiler.engine.user_program.held_state.places import (
    Named,
    Slots,
    attributed,
    fresh,
    holds,
    indexed,
    is_filled,
    keyed,
    kind_of,
    own_names,
    slots_of,
    standing,
)
from compiler.engine.user_program.held_state.restores import (
    Restore,
    attributes,
    cell,
    mapping,
    sequence,
    slotted,
    unordered,
)
from compiler.engine.user_program.process_state import put_back, settings_now
from compiler.engine.user_program.tensor_state import TensorAsItIs, is_comparable

_MOST = 500_000
"""Things that are looked at: vocabularies and the like end here."""
_CLOSED = {"torch", __name__.partition(".")[0], "builtins", *sys.stdlib_module_names} - {"__main__"}
"""Packages whose objects are theirs: their attributes are no state of the program, but for those of `_OPEN`."""
_OPEN = (
    *(torch.nn.Module, torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler, torch.amp.GradScaler),
    *(torch.distributions.Distribution, torch.distributions.Transform),
    *(types.SimpleNamespace, argparse.Namespace),
    *(collections.UserDict, collections.UserList, collections.ChainMap),
)
_OF_A_MODULE = re.compile(r"\._(?:modules|buffers|parameters)\['([^']*)'\]")
"""Where a module keeps what has a dotted name."""

_REFUSED = (AttributeError, RuntimeError, NotImplementedError, TypeError)
"""What objects raise that do not let themselves be looked into."""


class ProgramState:
    """What is reachable from some objects, as it is now."""

    def __init__(
        self, *roots: Any, names: tuple[str, ...] = (), known: Mapping[int, str] | None = None
    ) -> None:
        """`names` are those of the roots; of the first, and of all without one, what is in it is named alone. `known` are names of
        things by their ids, in whatever else they are found first.
        """
        self._named_so = known or {}
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
        of_roots = (*names, *("" for _ in roots))
        waiting = [(0, name, root) for name, root in zip(of_roots, roots, strict=False)]
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
        those whose numbers are others, what stands where another tensor stood, and what came again (a gradient, an optimizer's
        first averages, a list that grew). They are the program's own.
        """
        changed: dict[str, torch.Tensor] = {}
        same: dict[str, torch.Tensor] = {}
        for noted in self._tensors:
            owner, name = self._came[id(noted.tensor)]
            with contextlib.suppress(*_REFUSED):  # torch does not compare every dtype
                if noted.compared:
                    now = standing(self._kept.get(owner), name, noted.tensor)
                    found = changed if now is not noted.tensor or noted.changed() else same
                    found[self._whole(id(noted.tensor))] = now.detach()
        for whole, came in self._added():
            same.pop(whole, None)
            changed[whole] = came.detach()
        return changed, same

    def name_of(self, tensor: torch.Tensor) -> str | None:
        """Where it is held, by the names that `tensors` gives; None of what was not found."""
        return self._whole(id(tensor)) if id(tensor) in self._came else None

    def _added(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Tensors that nothing held before, in what stands where no tensor stood."""
        added: list[tuple[int, str, Any]] = [
            (id(noted.tensor), ".grad", noted.gradient_if_new()) for noted in self._tensors
        ]
        for owner, container, before in self._held:
            known = self._known_in(id(owner))
            added += [(id(owner), name, value) for name, value in fresh(owner, container, before, known)]
        seen = set[int]()
        while added:
            at, name, value = added.pop()
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
                    added += [
                        (at, name + key, held) for key, held in keyed(dict(kind_of(value).items(value)))
                    ]
                case list() | collections.deque():
                    added += [(at, name + key, held) for key, held in indexed(kind_of(value).__iter__(value))]
                case tuple():
                    added += [(at, name + key, held) for key, held in indexed(tuple.__iter__(value))]

    def _known_in(self, owner: int) -> Callable[[str, Any], bool]:
        """Whether it is a tensor that was first found here, so that `tensors` looks at what stands in its place."""
        return lambda name, value: (
            isinstance(value, torch.Tensor) and self._came.get(id(value)) == (owner, name)
        )

    def _whole(self, owner: int, name: str = "") -> str:
        return _OF_A_MODULE.sub(r".\1", self._path(owner) + name).removeprefix(".")

    def _path(self, value: int) -> str:
        names: list[str] = []
        while value:
            if value in self._named_so:
                names.append(self._named_so[value])
                break
            value, name = self._came[value]
            names.append(name)
        return "".join(reversed(names))

    def _note(self, value: Any) -> Named:
        """Note how a value is put back, and give what is in it."""
        match value:
            case None | bool() | int() | float() | str() | bytes():
                return
            case types.ModuleType():
                if is_reloaded(getattr(value, "__dict__", {}).get("__file__") or ""):
                    yield from self._names(value, value.__dict__)
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

    def _container(self, value: Any) -> Named:
        match value:
            case dict():
                before = dict(kind_of(value).items(value))
                self._restores.append(mapping(value, before, ordered=True))
                self._held.append((value, value, before))
                yield from keyed(before)
            case set():
                self._restores.append(unordered(value, set(set.__iter__(value))))
            case tuple():
                yield from indexed(tuple.__iter__(value))
            case types.CellType():
                self._restores.append(cell(value))
                held = value.cell_contents if is_filled(value) else None
                self._held.append((value, value, [held]))
                yield "", held
            case _:
                held = list(kind_of(value).__iter__(value))
                self._restores.append(sequence(value, held))
                self._held.append((value, value, held))
                yield from indexed(held)

    def _callable(self, value: Any) -> Named:
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

    def _function(self, function: types.FunctionType) -> Named:
        free = function.__code__.co_freevars
        yield from ((f".{name}", cell) for name, cell in zip(free, function.__closure__ or (), strict=False))
        yield from ((".defaults", function.__defaults__), (".defaults", function.__kwdefaults__))
        own = dict(vars(function))
        if own:
            self._restores.append(mapping(vars(function), own))
            self._held.append((function, vars(function), own))
            yield from attributed(own)
        if is_reloaded(function.__code__.co_filename):
            yield from self._names(function, function.__globals__)

    def _names(self, owner: Any, names: dict[str, Any]) -> Named:
        """Those of a file, once, by whatever leads to it first."""
        if id(names) not in self._kept:
            self._kept[id(names)] = names
            self._came[id(names)] = 0, ""
            before = dict(names)
            self._restores.append(mapping(names, before))
            self._held.append((owner, names, before))
            yield from attributed(before)

    def _class(self, owner: type) -> Named:
        file = getattr(sys.modules.get(owner.__module__), "__file__", None) or ""
        if is_reloaded(file):
            own = own_names(owner)
            self._held.append((owner, owner, own))
            self._restores.append(attributes(owner, own))
            yield from ((f".{owner.__name__}.{key}", value) for key, value in own.items())
        yield from (("", base) for base in owner.__bases__)

    def _object(self, value: Any) -> Named:
        if type(value).__module__ == "numpy" and hasattr(value, "copy") and hasattr(value, "flat"):
            with contextlib.suppress(
                *_REFUSED, ValueError
            ):  # strings, objects, strides that torch does not know
                if value.flags.writeable:
                    yield "", torch.from_numpy(value)  # the same memory: compared and put back as a tensor
                    return
            self._restores.append(functools.partial(value.__setitem__, ..., value.copy()))
            return
        package = type(value).__module__.partition(".")[0]
        if package in _CLOSED and not isinstance(value, _OPEN):
            return
        kind = type(value)
        slots = self._slots[kind] if kind in self._slots else self._slots.setdefault(kind, slots_of(kind))
        filled = {slot: slot.__get__(value) for slot in slots if holds(slot, value)}
        if slots:
            self._restores.append(slotted(value, slots, filled))
            self._held.append(
                (value, Slots(value, slots), {slot.__name__: held for slot, held in filled.items()})
            )
            yield from ((f".{slot.__name__}", held) for slot, held in filled.items())
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict):
            if any(map(torch.nn.parameter.is_lazy, getattr(value, "_parameters", {}).values())):
                return  # its first run makes another of it for good
            before = dict(own)
            self._restores.append(mapping(own, before))
            self._held.append((value, own, before))
            yield from ((f".{key}", held) for key, held in before.items())
        if slots or isinstance(own, dict):
            yield "", type(value)
