"""Trying changed inputs on the guards, without running the model, and timing the guards."""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

from compiler.engine.capturing import LiveCapture
from compiler.engine.changed_inputs import changed_argument, evaluate, frame_arguments, path_of, replaced
from compiler.engine.failures import EngineError
from compiler.engine.torch_internals import cache_entries, guard_checks
from compiler.model.graph import SourceLine
from compiler.model.guard_tests import GuardChange, GuardTestResult, NewValue, TestedEntry
from compiler.model.guards import FailedGuard, MeasuredGuards
from compiler.model.problems import Problem


def test_guards(live: LiveCapture, change: GuardChange) -> GuardTestResult:
    """Which compiled code of the first frame would run. Raises EngineError."""
    code = live.recorder.top_code
    entries = cache_entries.entries_of(code) if code is not None else []
    if code is None or not entries:
        raise EngineError(
            Problem("There is no compiled code to try the inputs on.", "Capture a program that compiles.")
        )
    names = _changed_locals(live, change)
    with _changed_state(live, change):
        tested = tuple(_tested(live, entry, names) for entry in entries)
    hit = next((entry.compile_id for entry in tested if entry.hit), "")
    return GuardTestResult(code.co_name, tested, hit)


def _tested(live: LiveCapture, entry: Any, names: dict[str, Any]) -> TestedEntry:
    name = str(entry.compile_id)
    first = cache_entries.first_failure(entry, names)
    if first is None:
        return TestedEntry(name, hit=True)
    failed = guard_checks.failing_guards(entry.guard_manager, names, _lines(live, name))
    if not failed or (first.startswith("len(") and all(item.code != first for item in failed)):
        failed = (
            FailedGuard("", "", first, first),
            *failed,
        )  # lengths of dicts are checked outside all leaves
    return TestedEntry(name, False, first, failed)


def _lines(live: LiveCapture, compile_id: str) -> dict[str, SourceLine]:
    tree = live.recorder.guards.get(compile_id)
    return guard_checks.lines_by_code(tree) if tree is not None else {}


def measure_guards(live: LiveCapture, compile_id: str) -> MeasuredGuards:
    """Time the guards of one compile with the values they meet; the program is run once to get these."""
    entry = _entry(live, compile_id)
    note = "A guard alone, less what calling it from Python costs; torch skips parts of the tree that did not change."
    names = dict(live.recorder.top_locals)
    if entry.guard_manager is None or cache_entries.first_failure(entry, names) is not None:
        stepper = live.stepper
        found = cache_entries.locals_of(entry, lambda: stepper.compared_step(live.compiled))
        if found is None:
            raise EngineError(
                Problem(
                    f"The code of {compile_id} does not run with these inputs, so its guards have nothing to check.",
                    "Choose a compile that the program uses.",
                )
            )
        names = found
    with torch.set_grad_enabled(live.stepper.options.gradients):
        total, cold, leaves = cache_entries.measure(entry, names)
    return MeasuredGuards(compile_id, total, cold, leaves, note)


def _entry(live: LiveCapture, compile_id: str) -> Any:
    for record in live.recorder.frames:
        if record.id == compile_id:
            for entry in cache_entries.entries_of(record.code):
                if str(entry.compile_id) == compile_id:
                    return entry
    raise EngineError(
        Problem(f"There is no compiled code {compile_id}.", "Choose a compile that was kept; see the frames.")
    )


def _changed_locals(live: LiveCapture, change: GuardChange) -> dict[str, Any]:
    """The first frame's names with the changes in them."""
    names = dict(live.recorder.top_locals)
    for tensor in change.tensors:
        root, path = path_of(tensor.argument)
        names[root] = replaced(_named(root, names), path, changed_argument(names[root], path, tensor))
    for value in change.values:
        root, path = path_of(value.name)
        names[root] = replaced(_named(root, names), path, evaluate(value.text, value.name))
    return names


def _named(name: str, names: dict[str, Any]) -> Any:
    if name not in names:
        known = ", ".join(item.name for item in frame_arguments(names)) or "none"
        raise EngineError(
            Problem(f"The first frame that was compiled has no argument {name!r}.", f"It has: {known}.")
        )
    return names[name]


@contextlib.contextmanager
def _changed_state(live: LiveCapture, change: GuardChange) -> Iterator[None]:
    """Modes, attributes and globals as they are to be, put back afterwards."""
    module, code = live.program.module, live.recorder.top_code
    scope = live.recorder.top_globals
    gradients = live.stepper.options.gradients if change.gradients is None else change.gradients
    with contextlib.ExitStack() as stack:
        if change.training is not None and module is not None:
            for part in module.modules():
                stack.callback(setattr, part, "training", part.training)
            module.train(change.training)
        for item in change.attributes:
            stack.enter_context(_attribute(live.recorder.top_locals, item))
        for item in change.globals:
            if item.name not in scope:
                where = code.co_filename if code is not None else "the frame's file"
                raise EngineError(Problem(f"There is no global {item.name} in {where}.", "Check its name."))
            stack.callback(scope.__setitem__, item.name, scope[item.name])
            scope[item.name] = evaluate(item.text, item.name)
        stack.enter_context(torch.set_grad_enabled(gradients))
        yield


@contextlib.contextmanager
def _attribute(names: dict[str, Any], item: NewValue) -> Iterator[None]:
    root, *parents = item.name.split(".")
    if not parents or root not in names:
        raise EngineError(Problem(f"There is no {item.name} in the first frame.", "Write self.flag."))
    *parents, name = parents
    owner = names[root]
    try:
        for parent in parents:
            owner = getattr(owner, parent)
        before = getattr(owner, name)
        setattr(owner, name, evaluate(item.text, item.name))
    except (AttributeError, TypeError) as error:
        raise EngineError(Problem(f"{item.name} cannot be changed: {error}.", "Check its name.")) from error
    try:
        yield
    finally:
        setattr(owner, name, before)
