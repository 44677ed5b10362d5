"""Further steps of a captured program: what its own step changes may be guarded on, so that each step compiles again."""

import contextlib
import io
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch

from compiler.engine.capture.assemble import recompiles_of
from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import failure_from
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.registry.listening import listening
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.frames import BreakCategory
from compiler.model.capture.guards import RecompileRecord
from compiler.model.guard_testing.later_steps import LaterSteps

STEPS = 2
"""Forwards after the captured one. The captured one was called on the same state, so the first is its repetition and the next
finds what a step changed; a counter that is symbolic from the second compile on compiles no third time.
"""


class StepCompiles(NamedTuple):
    """What one call compiled again."""

    frames: int
    nanoseconds: int
    recompiles: tuple[RecompileRecord, ...]
    limit_reached: bool


def repeat_steps(live: LiveCapture) -> LaterSteps:
    """Forwards with the arguments of the capture. Raises EngineError."""
    try:
        found = repeated(live)
    except Exception as error:
        raise failure_from(
            error, "The program failed when it was called again", "Correct it and capture again."
        ) from error
    recompiles = tuple(row for step in found for row in step.recompiles)
    return LaterSteps(STEPS, recompiles, any(step.limit_reached for step in found))


def repeated(live: LiveCapture) -> list[StepCompiles]:
    """Of each further forward. The first repeats the captured one on the state that it found."""
    found = []
    with (
        live.changes.active(),
        unchanged_state(live.program),
        torch.random.fork_rng(devices=[]),
        contextlib.redirect_stdout(io.StringIO()),
        torch.set_grad_enabled(live.stepper.options.gradients),
    ):
        trees = dict(live.recorder.guards)
        for _ in range(1 + STEPS):
            recorder = Recorder()
            recorder.guards = trees  # they tell which line made a guard
            found.append(watched(recorder, partial(live.compiled, *live.program.args, **live.program.kwargs)))
    return found


def watched(recorder: Recorder, call: Callable[[], object]) -> StepCompiles:
    """A call of compiled code, and what it compiled. The program's changes are active and its state is put back by whoever asks."""
    clock = step_clock()
    with settings.capturing(), listening(recorder):
        begin = clock()
        call()
        spent = clock() - begin
    limited = any(row.sort is BreakCategory.RECOMPILE_LIMIT for row in recorder.breaks)
    return StepCompiles(len(recorder.frames), spent, recompiles_of(recorder), limited)
