"""Programs that are objects of this very process, such as a notebook's: named, so that they can be targets like any other."""

import inspect
import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.errors import EngineError
from compiler.engine.user_program.program import Program

PREFIX = "live:"


class LiveObject:
    """A callable and its arguments. The target is known as long as this is held."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raises EngineError for what torch.compile does not take, or quietly leaves as it is."""
        given = function
        function = getattr(function, "_orig_mod", function)  # what torch.compile made of a module
        _require_program(function)
        owner = type(function) if isinstance(function, torch.nn.Module) else inspect.unwrap(function)
        namespace = sys.modules.get(getattr(owner, "__module__", None) or "")
        kind = "module" if isinstance(function, torch.nn.Module) else "function"
        self.program = Program(kind, function, args, kwargs, _path(owner), namespace, given)
        self.name = f"{PREFIX}{getattr(owner, '__qualname__', type(owner).__name__)}#{len(_numbers) + 1}"
        _numbers.append(self.name)
        _known[self.name] = self


_known: weakref.WeakValueDictionary[str, LiveObject] = weakref.WeakValueDictionary()
_numbers: list[str] = []
"""Names that were given; none is given twice."""


def live_program(name: str) -> Program | None:
    """The program of that name; None where the name is no live object's. Raises EngineError where it is gone."""
    if not name.startswith(PREFIX):
        return None
    if name not in _known:
        what = f"{name.removeprefix(PREFIX)} was an object of the program that captured it, and is not here."
        raise EngineError(what, "Capture it again from there, or name a file: model.py:Net.")
    return _known[name].program


def _require_program(function: object) -> None:
    kind = type(function).__name__
    if isinstance(
        function, type
    ):  # torch would put compiled code into the class, for all its objects and for good
        name = function.__name__
        raise EngineError(
            f"{name} is a class, not a program.", f"Give an object of it: capture({name}(…), its arguments)."
        )
    if isinstance(function, torch.jit.ScriptModule | torch.jit.ScriptFunction):
        what = f"torch.compile does not compile what torch.jit made: this is a {kind}."
        raise EngineError(what, "Give the module or function that it was made of.")
    if isinstance(function, torch.export.ExportedProgram):
        raise EngineError("An exported program cannot be called.", "Give the module in it: program.module().")
    if not callable(function):
        what = f"A {kind} cannot be called, so there is nothing to capture."
        raise EngineError(what, "Give a module or a function, and what it is called with.")


def _path(owner: object) -> str:
    try:
        return inspect.getsourcefile(owner) or ""  # type: ignore[arg-type]  # what has no source raises TypeError
    except (TypeError, OSError):
        return ""
