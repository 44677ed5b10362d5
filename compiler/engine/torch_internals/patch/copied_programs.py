"""Deep copies of a user's program whose functions reach the copy.

GIVES: copies of modules with hooks that are closures.
NEEDS: nothing of torch: Python's ``copy`` leaves functions as they are, so that a hook of the copy, which reaches its module by a
closure, changes the module that was copied.
"""

import contextlib
import copy
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from unittest.mock import patch

_Copied = TypeVar("_Copied")
_Function = types.FunctionType
_CONTAINERS = (list, tuple, set, frozenset)


def copied_program(value: _Copied, memo: dict[int, Any] | None = None) -> _Copied:
    """``copy.deepcopy``, except that functions whose closure or defaults hold something that is copied, by itself or in a list, a
    tuple, a set or a dict, hold the copy. `memo` is left as deepcopy leaves it. Raises what copying raises.
    """
    memo = {} if memo is None else memo
    given = dict(memo)
    met: dict[int, _Function] = {}
    with _functions_copied_by(lambda function, _: met.setdefault(id(function), function)):
        copied = copy.deepcopy(value, memo)
    reaching = _Reaching(memo)
    if not any(map(reaching.value, met.values())):
        return copied
    again = _Again(reaching, memo)
    memo.clear()
    memo.update(given)
    with _functions_copied_by(again.copied):
        copied = copy.deepcopy(value, memo)
        again.fill()
    return copied


@contextlib.contextmanager
def _functions_copied_by(copier: Callable[[_Function, dict[int, Any]], _Function]) -> Iterator[None]:
    changed = {_Function: copier}
    atomic: frozenset[type] = getattr(copy, "_atomic_types", frozenset())  # Python 3.14 asks these first
    with (
        patch.dict(copy._deepcopy_dispatch, changed),
        patch.object(copy, "_atomic_types", atomic - {_Function}, create=True),
    ):
        yield


class _Reaching:
    """Which values hold something that was copied, by themselves or in what is in them."""

    def __init__(self, memo: dict[int, Any]) -> None:
        self._copied = dict(memo)  # holds the objects, so that no other gets one of their numbers
        self._copied.pop(id(memo), None)
        self._kept = memo.get(id(memo))

    def value(self, value: Any) -> bool:
        """Each object is looked at once: functions and lists may hold themselves."""
        seen, todo = set[int](), [value]
        while todo:
            value = todo.pop()
            if id(value) in self._copied:
                return True
            if id(value) not in seen:
                seen.add(id(value))
                todo += _held(value)
        return False


class _Again:
    """Copies of the functions that reach something: made when they are met, filled when all else is copied."""

    def __init__(self, reaching: _Reaching, memo: dict[int, Any]) -> None:
        self._reaching, self._memo = reaching, memo
        self._cells: dict[int, types.CellType] = {}
        self._unfilled: list[Callable[[], None]] = []

    def copied(self, function: _Function, _: dict[int, Any]) -> _Function:
        """Of one that reaches nothing, itself."""
        if not self._reaching.value(function):
            return function
        cells = tuple(map(self._cell, function.__closure__ or ()))
        made = _Function(function.__code__, function.__globals__, function.__name__, None, cells or None)
        made.__qualname__, made.__module__, made.__doc__ = (
            function.__qualname__,
            function.__module__,
            function.__doc__,
        )
        made.__dict__.update(function.__dict__)

        def fill() -> None:
            made.__defaults__ = self._of(function.__defaults__)
            made.__kwdefaults__ = self._of(function.__kwdefaults__)

        self._unfilled.append(fill)
        return made

    def fill(self) -> None:
        """Let them hold the copies of what the others hold; copying that may meet more of them."""
        while self._unfilled:
            self._unfilled.pop()()

    def _of(self, held: Any) -> Any:
        return copy.deepcopy(held, self._memo) if self._reaching.value(held) else held

    def _cell(self, cell: types.CellType) -> types.CellType:
        if not any(map(self._reaching.value, _contents(cell))):
            return cell  # shared with whoever else has it
        made = self._cells.get(id(cell))
        if made is None:
            self._cells[id(cell)] = made = types.CellType()
            self._unfilled.append(lambda: setattr(made, "cell_contents", self._of(cell.cell_contents)))
        return made


def _held(value: Any) -> Iterator[Any]:
    if isinstance(value, _Function):
        for cell in value.__closure__ or ():
            yield from _contents(cell)
        yield from (value.__defaults__, value.__kwdefaults__)
    elif isinstance(value, types.MethodType):
        yield value.__self__
    elif isinstance(value, functools.partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, _CONTAINERS):
        yield from value


def _contents(cell: types.CellType) -> Iterator[Any]:
    """What is in it: nothing where its variable was never set."""
    with contextlib.suppress(ValueError):
        yield cell.cell_contents
