"""The modules and tensors that a function finds by itself: in its closure, in globals, in the object that it is a method of, and those of
the functions that it calls. A live function's globals are somebody's whole session, of which only this is the program.
"""

import argparse
import collections
import dis
import functools
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Set
from typing import Any, NamedTuple, TypeAlias

import torch

from compiler.engine.file_ownership import file_of, is_mine
from compiler.engine.user_program.held_state.places import holds, kind_of, slots_of

_Put: TypeAlias = Callable[[Any], None]
_Found: TypeAlias = Iterator[tuple[str, Any, _Put]]
_NOT_THE_PROGRAMS = {"torch", "numpy", "builtins", *sys.stdlib_module_names} - {"__main__"}
_OPEN = (types.SimpleNamespace, argparse.Namespace)
"""Python's own whose objects hold what a program puts into them."""
_HAS_STATE = (torch.nn.Module, torch.optim.Optimizer)
_KEPT = (torch.Tensor, *_HAS_STATE)
_MOST = 10_000
"""Things that are looked at."""
_ROUNDS = 3
"""A library's functions write ever more names, which are of no program."""


class Held(NamedTuple):
    """A module or a tensor, where it is held."""

    name: str
    value: Any
    """A module or a tensor, but of `roots`."""
    put: Callable[[Any], None]
    """Puts another in its place."""


def held_by(target: Any) -> Iterator[Held]:
    """Nothing of a module, whose tensors are found otherwise. Where several names hold one thing, each is given."""
    yield from _Walk(target).held()


def lone_tensors(target: Any) -> list[Held]:
    """Those that a function holds as they are, in no module."""
    walk = _Walk(target)
    held = list(walk.held())
    modules = [module for _, module in _modules_among(walk, held)]
    within = {id(tensor) for one in modules for tensor in (*one.parameters(), *one.buffers())}
    return [one for one in held if isinstance(one.value, torch.Tensor) and id(one.value) not in within]


def roots_of(target: Any) -> list[Held]:
    """What is to be copied, with the target unless that is code, for a function to find copies of all that it holds."""
    walk = _Walk(target)
    list(walk.held())
    return list(walk.roots.values())


def modules_of(target: Any) -> list[tuple[str, torch.nn.Module]]:
    """(what stands before the names of its state, a module): a module itself, the one that a method is of, and those that a function
    holds. Each once; one that is in another is not distinguished.
    """
    if isinstance(target, torch.nn.Module):
        return [("", target)]
    walk = _Walk(target)
    return _modules_among(walk, list(walk.held()))


def _modules_among(walk: "_Walk", held: list[Held]) -> list[tuple[str, torch.nn.Module]]:
    named = [(one.name, one.value) for one in held if isinstance(one.value, torch.nn.Module)]
    found: dict[int, tuple[str, torch.nn.Module]] = {}
    for name, module in (*walk.owners, *named):
        found.setdefault(id(module), (f"{name}." if name else "", module))
    within = {id(part) for _, module in found.values() for part in list(module.modules())[1:]}
    return [row for at, row in found.items() if at not in within]


def tensors_of(target: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """(name, tensor) of a module's parameters and buffers, or of what a function holds: each once."""
    if isinstance(target, torch.nn.Module):
        yield from (*target.named_parameters(), *target.named_buffers())
        return
    seen = set[int]()
    for name, value, _ in held_by(target):
        own = ((name, value),) if isinstance(value, torch.Tensor) else _named(name, value)
        for whole, tensor in own:
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield whole, tensor


def _named(within: str, module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    return ((_joined(within, name), value) for name, value in tensors_of(module))


def _joined(within: str, name: str) -> str:
    return ".".join(filter(None, (within, name)))


class _Walk:
    """Through all that a target holds."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self._names = {"__call__"}
        """Those that the functions met so far write: what nothing writes is not looked at."""
        self.owners: list[tuple[str, torch.nn.Module]] = []
        """Modules that methods are of, as they are named where the method is."""
        self.roots: dict[int, Held] = {}
        """By id, what holds tensors, modules or optimizers and is itself held by no object: in a function, a file or a class."""

    def held(self) -> Iterator[Held]:
        """Until no function is met that writes a name more, which may be one of something that was looked at before."""
        given, known = dict[str, Any](), 0
        for _ in range(_ROUNDS):
            if known == len(self._names):
                break
            known = len(self._names)
            for held in self._once():
                names = itertools.chain((held.name,), (f"{held.name}_{at}" for at in itertools.count(1)))
                name = next(name for name in names if given.get(name, held.value) is held.value)
                if name not in given:
                    given[name] = held.value
                    yield held._replace(name=name)

    def _once(self) -> Iterator[Held]:
        waiting: list[tuple[str, Any, _Put, Held | None]] = [("", self._target, _nowhere, None)]
        seen: dict[tuple[int, ...], Any] = {}
        while waiting and len(seen) < _MOST:
            within, value, put_whole, root = waiting.pop()
            known = _identity(value)
            if known in seen or isinstance(value, _HAS_STATE):
                if root is not None:
                    self.roots[id(root.value)] = root
                continue
            seen[known] = value  # held: no other has its id meanwhile
            if isinstance(value, types.MethodType) and isinstance(value.__self__, torch.nn.Module):
                self.owners.append((within, value.__self__))
            for name, held, put in list(_in(value, self._names, put_whole)):
                whole = _joined(within, name)
                of = Held(whole, held, put) if _holds_as_it_is(value) else root
                if _holds_as_it_is(held):
                    of = None
                if isinstance(held, torch.Tensor | torch.nn.Module):
                    if of is not None:
                        self.roots[id(of.value)] = of
                    yield Held(whole, held, put)
                else:
                    waiting.append((_where(held, within, whole), held, put, of))


def _in(value: Any, names: set[str], put_whole: _Put) -> _Found:
    match value:
        case functools.partial() | types.MethodType() | types.FunctionType():
            yield from _in_function(value, names)
        case types.ModuleType() if _is_the_programs(value):
            yield from _in_dict(vars(value), names)
        case list() | collections.deque() | tuple() | dict():
            yield from _in_container(value, put_whole)
        case staticmethod() | classmethod():
            yield "", value.__func__, _nowhere
        case property():
            yield "", value.fget, _nowhere
        case type() if _is_the_programs(value):
            yield from _in_class(value, names)
        case _ if isinstance(wrapped := _attributes(value).get("__wrapped__"), types.FunctionType):
            yield "", wrapped, _nowhere  # as of a cache, which Python has in C
        case _ if not isinstance(value, type):
            yield from _in_object(value, names)


def _in_function(value: Any, names: set[str]) -> _Found:
    match value:
        case functools.partial():
            yield "", value.func, _nowhere
            yield from _in_tuple(value.args, functools.partial(_put_arguments, value))
            yield from _in_dict(value.keywords, set(value.keywords))
        case types.MethodType():
            if isinstance(value.__func__, types.FunctionType) and _is_the_programs(value.__func__):
                yield "", value.__func__, _nowhere
                names |= _written_in(value.__func__)
            yield from _in_object(value.__self__, names)
        case types.FunctionType() if _is_the_programs(value):
            names |= _written_in(value)
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
                if cell != types.CellType():
                    yield name, cell.cell_contents, functools.partial(setattr, cell, "cell_contents")
            yield from _in_tuple(value.__defaults__ or (), functools.partial(setattr, value, "__defaults__"))
            yield from _in_dict(value.__kwdefaults__ or {}, set(value.__kwdefaults__ or ()))
            yield from _in_dict(value.__globals__, _globals_of(value))


def _in_container(value: Any, put_whole: _Put) -> _Found:
    if isinstance(value, tuple):
        yield from _in_tuple(value, put_whole)
        return
    kind = kind_of(value)  # a subclass of the program's may make what it is asked for
    pairs = kind.items(value) if issubclass(kind, dict) else enumerate(kind.__iter__(value))
    for key, held in list(pairs):
        yield str(key), held, functools.partial(kind.__setitem__, value, key)


def _attributes(value: Any) -> dict[str, Any]:
    held = getattr(value, "__dict__", None)
    return held if isinstance(held, dict) else {}


def _holds_as_it_is(value: Any) -> bool:
    """Whether it is code: no copy is made of it, but in what it holds others are put."""
    return isinstance(
        value, types.FunctionType | types.ModuleType | type | staticmethod | classmethod | property
    )


def _in_object(owner: Any, names: set[str]) -> _Found:
    if isinstance(owner, type):
        yield from _in_class(owner, names)
        return
    if isinstance(owner, torch.nn.Module):
        for table in (owner._parameters, owner._buffers, owner._modules):  # noqa: SLF001  its own
            yield from _in_dict(table, set(table))
    if not (_is_the_programs(type(owner)) or isinstance(owner, (*_OPEN, torch.nn.Module))):
        if type(owner).__module__.partition(".")[0] not in _NOT_THE_PROGRAMS:
            yield from _in_dict(
                {at: held for at, held in _attributes(owner).items() if isinstance(held, _KEPT)}
            )
        return
    yield from _in_dict(_attributes(owner), names)
    for place in slots_of(type(owner)):
        if place.__name__ in names and holds(place, owner):
            yield place.__name__, place.__get__(owner), functools.partial(place.__set__, owner)
    for name, value, put in _in_class(type(owner), names):
        method = isinstance(value, types.FunctionType)
        yield name, types.MethodType(value, owner) if method else value, put


def _in_class(owner: type, names: set[str]) -> _Found:
    """A torch's class is no program's, though a module of the program's may be of one that is made of it."""
    seen = set[str]()
    for kind in filter(_is_the_programs, owner.__mro__):
        for name in sorted((names & vars(kind).keys()) - seen):
            seen.add(name)
            if not isinstance(value := vars(kind)[name], types.MemberDescriptorType):
                yield name, value, functools.partial(setattr, kind, name)


def _in_tuple(held: tuple[Any, ...], put_whole: _Put) -> _Found:
    """Which is another one, where another thing is in it."""
    now = list(tuple.__iter__(held))

    def put(at: int, value: Any) -> None:
        now[at] = value
        put_whole(type(held)._make(now) if hasattr(held, "_make") else tuple(now))

    yield from ((str(at), value, functools.partial(put, at)) for at, value in enumerate(tuple(now)))


def _put_arguments(function: Any, args: tuple[Any, ...]) -> None:
    """Into a partial."""
    function.__setstate__((function.func, args, function.keywords, vars(function)))


def _in_dict(held: dict[str, Any], names: Set[str] | None = None) -> _Found:
    for name in sorted(held.keys() if names is None else names & held.keys()):
        yield name, held[name], functools.partial(held.__setitem__, name)


def _codes_of(code: types.CodeType) -> list[types.CodeType]:
    codes = [code]
    for one in codes:  # grows: functions within it
        codes += [held for held in one.co_consts if isinstance(held, types.CodeType)]
    return codes


def _written_in(function: types.FunctionType) -> frozenset[str]:
    return _names_in(function.__code__)[0]


def _globals_of(function: types.FunctionType) -> frozenset[str]:
    """Of the names that are written, those that are looked up in its file: what is written behind a dot is somebody's own."""
    return _names_in(function.__code__)[1]


@functools.lru_cache(10_000)
def _names_in(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """(all, those that are looked up in its file)."""
    codes = _codes_of(code)
    found = {
        step.argval
        for one in codes
        for step in dis.get_instructions(one)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    return frozenset(name for one in codes for name in one.co_names), frozenset(found)


def _is_the_programs(value: Any) -> bool:
    """Code of an installed package leads through all of it, and to nothing that a program holds: what that gives to a package's objects
    is in these.
    """
    name = str(value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None))
    if name.partition(".")[0] in _NOT_THE_PROGRAMS:
        return False
    path = file_of(sys.modules.get(name))
    return not path or is_mine(path)


def _where(value: Any, within: str, whole: str) -> str:
    """What names of things in it begin with: a function's stand for themselves, a method's are its object's."""
    match value:
        case types.MethodType():
            return within
        case types.FunctionType() | types.ModuleType() | functools.partial() | type():
            return ""
        case property() | staticmethod() | classmethod():
            return within
        case _:
            return whole


def _identity(value: Any) -> tuple[int, ...]:
    """Of a method, which is made again each time, what it is made of."""
    return (id(value.__func__), id(value.__self__)) if isinstance(value, types.MethodType) else (id(value),)


def _nowhere(_value: Any) -> None:
    """What a method or a partial is of cannot be another."""
