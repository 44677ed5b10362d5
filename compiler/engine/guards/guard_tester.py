"""Trying changed inputs on the guards of any compiled frame, without running the model, and timing the guards."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import EngineError
from compiler.engine.guards.frame_inputs import RecordedFrame, entry_of, met_frame
from compiler.engine.torch_internals.dynamo_guards import cache_entries
from compiler.engine.user_program.input_overrides import (
    changed_argument,
    evaluate,
    frame_arguments,
    path_of,
    replaced,
)
from compiler.model.capture.guards import MeasuredGuards
from compiler.model.guard_testing.guard_tests import GuardChange, GuardTestResult, NewValue, TestedEntry

_NOTHING = GuardChange()


def test_guards(live: LiveCapture, change: GuardChange, compile_id: str) -> GuardTestResult:
    """Which compiled code of the frame of a compile would run; of the first frame where none is named. Raises
    EngineError.
    """
    met = met_frame(live, compile_id)
    names = _changed_names(met, change)
    with _changed_state(live, met, change):
        tested = tuple(_tested(live, entry, names) for entry in met.entries)
    hit = next((entry.compile_id for entry in tested if entry.hit), "")
    note = met.note
    if not hit and change == _NOTHING:
        note = f"{note} Something these guards look at is not what it was when the frame was called.".strip()
    return GuardTestResult(met.code.co_name, tested, hit, note)


def first_not_held(live: LiveCapture, compile_ids: Iterable[str]) -> tuple[str, ...]:
    """Of each compile the guard that does not hold now, ``0/0: len(G['MEMO']) != 1``: no step fails for it where other code was
    compiled since.
    """
    found = []
    for name in sorted(compile_ids):
        with contextlib.suppress(EngineError):
            tested = test_guards(live, _NOTHING, name).entries
            found += [f"{name}: {row.first}" for row in tested if row.compile_id == name and row.first]
    return tuple(found)


def _tested(live: LiveCapture, entry: Any, names: dict[str, Any]) -> TestedEntry:
    name = str(entry.compile_id)
    first, failed = cache_entries.all_failures(entry, names, live.recorder.guards.get(name))
    return TestedEntry(name, not first, first, failed)


def measure_guards(live: LiveCapture, compile_id: str) -> MeasuredGuards:
    """Time the guards of one compile with the values they meet; the program is run once to get those of a frame further
    in. Raises EngineError.
    """
    entry = entry_of(live, compile_id)
    note = "A guard alone, less what calling it from Python costs; torch skips parts of the tree that did not change."
    met = met_frame(live, compile_id)
    with _changed_state(live, met, _NOTHING):
        if cache_entries.first_failure(entry, met.names) is not None:
            note = f"{note} {met.note} The guards do not hold for them: what comes after the first that fails is not in the sum."
        total, cold, leaves = cache_entries.measure(entry, met.names)
    return MeasuredGuards(compile_id, total, cold, leaves, note)


def guards_after(live: LiveCapture, compile_id: str, step: Callable[[], object]) -> Callable[[], int]:
    """Takes a step and gives the nanoseconds that one check of a compile's guards takes after it. Torch skips parts of the
    tree that did not change (2.11 nearly all of it), and a step may change them. Raises EngineError.
    """
    entry, met = entry_of(live, compile_id), met_frame(live, compile_id)

    def sample() -> int:
        step()
        with _changed_state(live, met, _NOTHING):
            return cache_entries.check_time(entry, met.names)

    return sample


def _changed_names(met: RecordedFrame, change: GuardChange) -> dict[str, Any]:
    """The frame's names with the changes in them."""
    names = dict(met.names)
    for tensor in change.tensors:
        root, path = path_of(tensor.argument)
        old = _named(root, names)
        names[root] = replaced(old, path, changed_argument(old, path, tensor))
    for value in change.values:
        root, path = path_of(value.name)
        names[root] = replaced(_named(root, names), path, evaluate(value.text, value.name))
    return names


def _named(name: str, names: dict[str, Any]) -> Any:
    if name not in names:
        known = ", ".join(item.name for item in frame_arguments(names)) or "none"
        raise EngineError(f"The frame has no argument {name!r}.", f"It has: {known}.")
    return names[name]


@contextlib.contextmanager
def _changed_state(live: LiveCapture, met: RecordedFrame, change: GuardChange) -> Iterator[None]:
    """Modes, attributes and globals as they are to be, put back afterwards."""
    with contextlib.ExitStack() as stack:
        if change.training is not None:
            for module in _modules(live, met):
                for part in module.modules():
                    stack.callback(setattr, part, "training", part.training)
                module.train(change.training)
        for item in change.attributes:
            stack.enter_context(_attribute(met.names, item))
        for item in change.globals:
            stack.enter_context(_global(met, item))
        if met.modes is not None:
            stack.enter_context(met.modes.active_modes(change.gradients))
        else:
            wanted = live.stepper.options.gradients if change.gradients is None else change.gradients
            stack.enter_context(torch.set_grad_enabled(wanted))
        yield


def _modules(live: LiveCapture, met: RecordedFrame) -> list[torch.nn.Module]:
    """The program's modules, or else those the frame was called with or finds among its globals."""
    if own := live.program.modules():
        return [module for _, module in own]
    held = [*met.names.values(), *met.scope.values()]
    found = [value for value in held if isinstance(value, torch.nn.Module)]
    if not found:
        raise EngineError(
            f"{met.code.co_name} has no module that could be set to training.", "Leave training as it is."
        )
    return found


@contextlib.contextmanager
def _attribute(names: dict[str, Any], item: NewValue) -> Iterator[None]:
    root, *path = item.name.split(".")
    if not path or root not in names:
        raise EngineError(f"There is no {item.name} in the frame.", "Write self.flag.")
    with _set(names[root], path, item):
        yield


@contextlib.contextmanager
def _global(met: RecordedFrame, item: NewValue) -> Iterator[None]:
    """Another value for ``SCALE``, ``CONFIG.flag``, or ``package.module.SCALE`` of a module that is loaded."""
    scope, path = met.scope, item.name.split(".")
    if path[0] not in scope:
        module = next(
            (name for end in range(len(path) - 1, 0, -1) if (name := ".".join(path[:end])) in sys.modules), ""
        )
        if not module:
            raise EngineError(f"There is no global {item.name} in {met.code.co_filename}.", "Check its name.")
        with _set(sys.modules[module], path[module.count(".") + 1 :], item):
            yield
    elif len(path) > 1:
        with _set(scope[path[0]], path[1:], item):
            yield
    else:
        before = scope[item.name]
        scope[item.name] = evaluate(item.text, item.name)
        try:
            yield
        finally:
            scope[item.name] = before


@contextlib.contextmanager
def _set(owner: Any, path: list[str], item: NewValue) -> Iterator[None]:
    *parents, name = path
    try:
        for parent in parents:
            owner = getattr(owner, parent)
        before = getattr(owner, name)
        setattr(owner, name, evaluate(item.text, item.name))
    except (AttributeError, TypeError) as error:
        raise EngineError(f"{item.name} cannot be changed: {error}.", "Check its name.") from error
    try:
        yield
    finally:
        setattr(owner, name, before)
