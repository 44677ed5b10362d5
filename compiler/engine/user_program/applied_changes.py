"""The changes of a capture, resolved once: what it is compiled with, what its files say, and what is set, marked and disabled
while its program is compiled and run.
"""

import builtins
import contextlib
import dataclasses
import functools
import importlib
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest.mock import patch

import torch
from torch.utils.checkpoint import checkpoint

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.patch import changed_settings
from compiler.engine.torch_internals.patch.sizes_seen import SizesSeen
from compiler.engine.user_program.checked_loading import load_on_device
from compiler.engine.user_program.input_overrides import argument_at
from compiler.engine.user_program.program import Program
from compiler.engine.user_program.stepper import Stepper
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.capture.program_changes import (
    CHECKPOINT,
    COMPILE_ONCE,
    AddToConfig,
    AllowInGraph,
    Change,
    DisableFunction,
    MarkDynamic,
    ReplaceSource,
    SetCompileArgument,
    SetCompileOption,
    SetConfig,
    TraceNonstrictly,
    WrapFunction,
)
from compiler.model.experiments.compile_choices import applied_options
from compiler.model.ir.diagnostics import Problem


@dataclasses.dataclass(frozen=True)
class ResolvedChanges:
    """The changes of a spec, each where it counts. Made before the program is loaded; `on` is for the one that is."""

    options: CompileOptions
    """The arguments of torch.compile, with the changes to them."""
    texts: Mapping[str, str]
    """Of files that are loaded with another text, by path."""
    of_program: tuple[Change, ...]
    """What is applied to the loaded program."""

    def on(self, program: Program) -> "AppliedChanges":
        """For a program that was loaded with `texts`. Raises EngineError for a change that names what there is not."""
        return AppliedChanges(program, self.of_program)


def replaced_texts(changes: tuple[Change, ...]) -> dict[str, str]:
    """The files that are loaded with another text, by path; the last change of a file counts."""
    return {change.path: change.text for change in changes if isinstance(change, ReplaceSource)}


def resolve_changes(spec: CaptureSpec) -> ResolvedChanges:
    """Raises EngineError for an argument of torch.compile that there is not."""
    try:
        options = applied_options(spec.compile, spec.changes)
    except ValueError as error:
        raise _impossible(str(error)) from error
    rest = tuple(
        change
        for change in spec.changes
        if not isinstance(change, ReplaceSource | SetCompileArgument | SetCompileOption)
    )
    return ResolvedChanges(options, replaced_texts(spec.changes), rest)


class AppliedChanges:
    """The changes of one program. They count only while `active` is entered, so that two versions of a program can live
    side by side in one process.
    """

    def __init__(self, program: Program, changes: tuple[Change, ...] = ()) -> None:
        self._sizes = SizesSeen()
        self._ways = [way for change in changes if (way := _way(program, change)) is not None]

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Around everything that compiles or runs the program."""
        with self._sizes.active(), contextlib.ExitStack() as stack:
            for way in self._ways:
                stack.enter_context(way())
            yield


@dataclasses.dataclass(frozen=True)
class ChangedProgram:
    """Loaded, on its device and in its mode; nothing of it ran."""

    spec: CaptureSpec
    """With the device that it is on."""
    options: CompileOptions
    """Of torch.compile, the changes included."""
    program: Program
    stepper: Stepper
    changes: AppliedChanges
    """To be active around everything that compiles or runs it."""
    unasked: bool = False
    """Whether it was moved to a GPU that nobody asked for."""
    notes: tuple[Problem, ...] = ()


def load_changed(
    spec: CaptureSpec, check: Callable[[ResolvedChanges], None] = lambda changes: None
) -> ChangedProgram:
    """`check` may refuse the changes before anything is loaded. Raises EngineError."""
    changes = resolve_changes(spec)
    check(changes)
    program, spec, unasked, notes = load_on_device(spec, changes.texts)
    return ChangedProgram(
        spec, changes.options, program, Stepper(program, spec.run), changes.on(program), unasked, notes
    )


def _way(program: Program, change: Change) -> Callable[[], contextlib.AbstractContextManager[object]] | None:
    """How one change is applied. Raises EngineError where it names what there is not."""
    try:
        match change:
            case SetConfig():
                changed_settings.config_module(change.name)
                return lambda: changed_settings.setting(change.name, change.value)
            case AddToConfig():
                _, _, function = _find(program, change.function)
                return lambda: changed_settings.added(change.name, function)
            case AllowInGraph():
                _, _, function = _find(program, change.function)
                return lambda: changed_settings.allowed_in_graph(function)
            case DisableFunction():
                return _replacing(program, change.function, torch.compiler.disable)
            case TraceNonstrictly():
                return _replacing(program, change.function, changed_settings.nonstrict_trace())
            case WrapFunction():
                return _replacing(program, change.function, _wrapper(change.by))
            case MarkDynamic():
                _mark(program, change)
    except KeyError as error:
        raise _impossible(f"{error.args[0]}.") from error
    return None


def _replacing(
    program: Program, name: str, decorator: Callable[..., Any]
) -> Callable[[], contextlib.AbstractContextManager[object]]:
    """With a function decorated where the program finds it."""
    owner, attribute, function = _find(program, name)
    decorated = decorator(function)
    return lambda: patch.object(owner, attribute, decorated)


def _wrapper(by: str) -> Callable[..., Any]:
    """Raises KeyError where this torch has no such function, or it is none of those that may wrap."""
    if by == CHECKPOINT:
        return _checkpointed
    found: Callable[..., Any] | None = (
        getattr(torch.compiler, "nested_compile_region", None) if by == COMPILE_ONCE else None
    )
    if found is None:
        raise KeyError(f"this torch has no {by} that a function can be called through")
    return found


def _checkpointed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return checkpoint(function, *args, use_reentrant=False, **kwargs)

    return called


def _find(program: Program, name: str) -> tuple[Any, str, Callable[..., Any]]:
    """(owner, attribute, function) of a name as the target's file would find it. Raises KeyError."""
    first, *rest = name.split(".")
    owner: Any = program.namespace
    if owner is None or not hasattr(owner, first):
        owner = builtins if hasattr(builtins, first) else None
    if owner is None:
        owner, first, rest = _imported(name)
    for following in rest:
        owner, first = getattr(owner, first, None), following
    found = getattr(owner, first, None)
    if not callable(found):
        raise KeyError(f"there is no function {name} that the program's file could call")
    return owner, first, found


def _imported(name: str) -> tuple[types.ModuleType, str, list[str]]:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ImportError):
            module = importlib.import_module(".".join(parts[:length]))
            return module, parts[length], parts[length + 1 :]
    raise KeyError(f"there is no function {name} that the program's file could call")


def _mark(program: Program, change: MarkDynamic) -> None:
    try:
        value = argument_at(program, change.argument)
    except (LookupError, TypeError):
        raise KeyError(f"the program has no argument {change.argument}") from None
    if not isinstance(value, torch.Tensor) or not -value.dim() <= change.dimension < value.dim():
        raise KeyError(f"{change.argument} has no dimension {change.dimension}")
    changed_settings.mark_dynamic(value, change.dimension % value.dim())


def _impossible(what: str) -> EngineError:
    return EngineError(what[0].upper() + what[1:], "Take this change out, or correct it.")
