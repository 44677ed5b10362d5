"""A program with the changes of its spec: resolved once, before it is loaded, and handed to whoever compiles and runs it."""

import dataclasses
from collections.abc import Callable

import msgspec

from compiler.engine.user_program.applied_changes import AppliedChanges, ResolvedChanges, resolve_changes
from compiler.engine.user_program.device_placement import moved
from compiler.engine.user_program.loading import Program, load_program, require_values
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions


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


def load_changed(
    spec: CaptureSpec, check: Callable[[ResolvedChanges], None] = lambda changes: None
) -> ChangedProgram:
    """`check` may refuse the changes before anything is loaded. Raises EngineError."""
    changes = resolve_changes(spec)
    check(changes)
    require_values(spec)
    program = load_program(spec.target, spec.run.seed, texts=changes.texts)
    spec = msgspec.structs.replace(spec, run_on=moved(program, spec.run_on))
    set_mode(program, spec.run)
    return ChangedProgram(spec, changes.options, program, Stepper(program, spec.run), changes.on(program))
