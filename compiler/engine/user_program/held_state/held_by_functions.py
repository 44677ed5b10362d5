"""The modules and tensors that a function finds by itself: in its closure, in globals, in the object that it is a method of, and those of
the functions that it calls. A live function's globals are somebody's whole session, of which only this is the program.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import torch

_Put: TypeAlias = Callable[[Any], None]
_Found: TypeAlias = Iterator[tuple[str, Any, _Put]]
_NOT_THE_PROGRAMS = {"torch", "builtins"}
_MOST = 10_000
"""Things that are looked at."""


class Held(NamedTuple):
    """A module or a tensor, where it is held."""

    name: str
    value: torch.nn.Module | torch.Tensor
    put: Callable[[Any], None]
    """Puts another in its place."""


def held_by(target: Any) -> Iterator[Held]:
    """Nothing of a module, whose tensors are found otherwise. Where several names hold one thing, each is given."""
    names = {"__call__"}
    waiting: list[tuple[str, Any]] = [("", target)]
    seen, given = set[tuple[int, ...]](), set[tuple[str, int]]()
    while waiting and len(seen) < _MOST:
        within, value = waiting.pop()
        known = _identity(value)
        if known in seen or isinstance(value, torch.nn.Module):
            continue
        seen.add(known)
        for name, held, put in list(_in(value, names)):
            whole = f"{within}.{name}" if within else name
            if isinstance(held, torch.Tensor | torch.nn.Module):
                if (whole, id(held)) not in given:
                    given.add((whole, id(held)))
                    yield Held(whole, held, put)
            else:
                waiting.append((_where(held, within, whole), held))


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
    return ((f"{within}.{name}", value) for name, value in tensors_of(module))


def _in(value: Any, names: set[str]) -> _Found:
    """`names` are those that the functions met so far write: what nothing writes is not looked at."""
    match value:
        case functools.partial():
            yield "", value.func, _nowhere
        case types.MethodType(__func__=types.FunctionType() as function) if _is_the_programs(function):
            yield "", function, _nowhere
            yield from _in_object(value.__self__, names | _written_in(function))
        case types.FunctionType() if _is_the_programs(value):
            names |= _written_in(value)
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
                if cell != types.CellType():
                    yield name, cell.cell_contents, functools.partial(setattr, cell, "cell_contents")
            yield from _in_dict(value.__globals__, names)
        case types.ModuleType() if _is_the_programs(value):
            yield from _in_dict(vars(value), names)
        case list():
            yield from (
                (str(at), held, functools.partial(value.__setitem__, at)) for at, held in enumerate(value)
            )
        case dict():
            yield from _in_dict(value, {name for name in value if isinstance(name, str)})
        case _ if _is_the_programs(type(value)) and not isinstance(value, type):
            yield from _in_object(value, names)


def _in_object(owner: Any, names: set[str]) -> _Found:
    if isinstance(owner, torch.nn.Module):
        for table in (owner._parameters, owner._buffers, owner._modules):  # noqa: SLF001  its own
            yield from _in_dict(table, set(table))
    if isinstance(held := getattr(owner, "__dict__", None), dict):
        yield from _in_dict(held, names)
    for name in sorted(names):
        method = inspect.getattr_static(type(owner), name, None)
        if isinstance(method, types.FunctionType):
            yield name, types.MethodType(method, owner), _nowhere


def _in_dict(held: dict[str, Any], names: set[str]) -> _Found:
    for name in sorted(names & held.keys()):
        yield name, held[name], functools.partial(held.__setitem__, name)


def _written_in(function: types.FunctionType) -> set[str]:
    codes, names = [function.__code__], set[str]()
    for code in codes:  # grows: functions within it
        names.update(code.co_names)
        codes += [held for held in code.co_consts if isinstance(held, types.CodeType)]
    return names


def _is_the_programs(value: Any) -> bool:
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return str(name).partition(".")[0] not in _NOT_THE_PROGRAMS


def _where(value: Any, within: str, whole: str) -> str:
    """What names of things in it begin with: a function's stand for themselves, a method's are its object's."""
    match value:
        case types.MethodType():
            return within
        case types.FunctionType() | types.ModuleType() | functools.partial():
            return ""
        case _:
            return whole


def _identity(value: Any) -> tuple[int, ...]:
    """Of a method, which is made anew each time, what it is made of."""
    return (id(value.__func__), id(value.__self__)) if isinstance(value, types.MethodType) else (id(value),)


def _nowhere(_value: Any) -> None:
    """What a method or a partial is of cannot be another."""
