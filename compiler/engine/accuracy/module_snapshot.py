"""What a call may change in a module: parameters, buffers, and attributes that are plain values. Noted, and put back."""

import contextlib
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.result_equality import what_differs
from compiler.engine.equal_tensors import same_numbers
from compiler.engine.torch_internals.patch.wrapped_tensors import stands_in

_OWN = frozenset(vars(torch.nn.Module()))
"""Attributes that every module has."""
_TORCHS = "_torchdynamo", "_is_torch", "_dynamo"
"""How attributes begin that torch.compile leaves on a user's module."""
_PLAIN = (bool, int, float, str, type(None), torch.Tensor, list, dict, tuple)
_MOST_LEAVES = 1000
"""Larger containers hold vocabularies and the like, and are not looked through after every call."""


class _Noted:
    """A value as it is now: the very objects in it, and copies of the numbers of its tensors."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.copy = copied(value)
        self._inside: Any = None
        if isinstance(value, dict):
            self._inside = {key: _Noted(item) for key, item in value.items()}
        elif isinstance(value, list | tuple):
            self._inside = [_Noted(item) for item in value]

    def differs(self, now: Any) -> bool:
        """Whether another value stands there now, bit for bit but for NaN."""
        if any(isinstance(leaf, torch.Tensor) and stands_in(leaf) for leaf in pytree.tree_leaves(now)):
            return True
        if isinstance(now, torch.Tensor) and isinstance(self.copy, torch.Tensor):
            return not same_numbers(now.detach().cpu(), self.copy)
        return bool(what_differs(now, self.copy))

    def put_back(self) -> Any:
        """The very object, with what was in it: a list of parameters holds these parameters again, not copies of them."""
        if isinstance(self.value, torch.Tensor):
            if isinstance(self.copy, torch.Tensor):  # a tracer's own tensor has no numbers to put back
                self.value.copy_(self.copy)
        elif isinstance(self.value, list):
            self.value[:] = [item.put_back() for item in self._inside]
        elif isinstance(self.value, dict):
            inside = {key: item.put_back() for key, item in self._inside.items()}
            self.value.clear()
            self.value.update(inside)
        elif isinstance(self.value, tuple):
            for item in self._inside:
                item.put_back()
        return self.value


@dataclasses.dataclass
class _Place:
    """One attribute of one module."""

    owner: torch.nn.Module
    key: str
    noted: _Noted

    def now(self) -> Any:
        return getattr(self.owner, self.key, None)

    def changed(self) -> bool:
        return self.noted.differs(self.now())

    def replaced(self) -> bool:
        """Whether another tensor of the same values stands there; equal numbers are the same number."""
        now = pytree.tree_leaves(self.now())
        before = pytree.tree_leaves(self.noted.value)
        return any(
            isinstance(old, torch.Tensor) and new is not old for new, old in zip(now, before, strict=False)
        )

    def restore(self) -> None:
        value = self.noted.put_back()
        if self.now() is not value:
            setattr(self.owner, self.key, value)


class ModuleState:
    """A module as it is now. Names are dotted, with `prefix` before them."""

    def __init__(self, module: torch.nn.Module, prefix: str = "", also: Iterable[str] = ()) -> None:
        """`also` are attributes of the program that a module of another kind may have taken over."""
        self._prefix = prefix
        self._parts = dict(module.named_modules())
        self._script = isinstance(module, torch.jit.ScriptModule)
        self._places: dict[str, _Place] = {}
        self._tensors: set[str] = set()
        for path, part in self._parts.items():
            tensors = (*part.named_parameters(recurse=False), *part.named_buffers(recurse=False))
            for key, value in tensors:
                if not torch.nn.parameter.is_lazy(value):
                    self._tensors.add(self._named(path, key))
                    self._note(path, part, key, value)
            for key, value in self._plain(part):
                self._note(path, part, key, value)
        for name in also if self._script else ():
            path, _, key = name.removeprefix(prefix).rpartition(".")
            with contextlib.suppress(Exception):  # a script need not have it
                self._note(path, self._parts[path], key, getattr(self._parts[path], key))

    @property
    def tensors(self) -> frozenset[str]:
        """Names of parameters and buffers."""
        return frozenset(self._tensors)

    @property
    def initial(self) -> dict[str, Any]:
        """Values as they were at first, by name."""
        return {name: place.noted.copy for name, place in self._places.items()}

    def changed(self) -> dict[str, Any]:
        """Copies of the values that are others now, new attributes among them."""
        found = {name: copied(place.now()) for name, place in self._places.items() if place.changed()}
        return found | {self._named(path, key): copied(value) for path, _, key, value in self._new()}

    def restore(self) -> None:
        """Everything as it was at first."""
        with torch.no_grad():
            for place in self._places.values():
                if place.changed() or place.replaced():
                    place.restore()
            for _, part, key, _ in list(self._new()):
                delattr(part, key)

    def _note(self, path: str, part: torch.nn.Module, key: str, value: Any) -> None:
        self._places[self._named(path, key)] = _Place(part, key, _Noted(value))

    def _named(self, path: str, key: str) -> str:
        return f"{self._prefix}{path}.{key}" if path else f"{self._prefix}{key}"

    def _plain(self, part: torch.nn.Module) -> Iterator[tuple[str, Any]]:
        if isinstance(part, torch.fx.GraphModule | torch.jit.ScriptModule):
            return
        for key, value in list(vars(part).items()):
            if key not in _OWN and isinstance(value, _PLAIN) and not key.startswith(_TORCHS):
                if isinstance(value, list | dict | tuple) and len(pytree.tree_leaves(value)) > _MOST_LEAVES:
                    continue
                yield key, value

    def _new(self) -> Iterator[tuple[str, torch.nn.Module, str, Any]]:
        for path, part in self._parts.items():
            for key, value in self._plain(part):
                if self._named(path, key) not in self._places:
                    yield path, part, key, value


def copied(values: Any) -> Any:
    """The same tree with tensors of its own on the CPU, without gradients; where a tracer left one of its own, its name."""

    def copy(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return (
            f"a {type(value).__name__} that a tracer left"
            if stands_in(value)
            else value.detach().cpu().clone()
        )

    return pytree.tree_map(copy, values)
