"""The process before and after a program ran in it: what became another is reported, and no other program is loaded here then."""

from collections.abc import Callable

import msgspec

from compiler.engine.user_program.applied_changes import replaced_texts
from compiler.engine.user_program.device_placement import lost_gpu
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.engine.user_program.process_state import ProcessState
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import DYNAMO
from compiler.model.experiments.compile_choices import MeasureChoices
from compiler.model.experiments.dynamic_shape_trial import MeasureStances
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.messages import (
    CaptureMade,
    DescribeTarget,
    EventBody,
    MakeCapture,
    Recompile,
    Recompiled,
    ReplyBody,
    RequestBody,
    RunTimings,
    TryChanges,
)
from compiler.model.protocol.process_changes import ProcessChanged

LOADING = MakeCapture | TryChanges | MeasureChoices | MeasureStances
"""Requests that load the program of their `spec` into the worker's own process."""
_COMPARED = LOADING | DescribeTarget | Recompile | RunTimings
"""Requests that load or run a program, after which it is worth some milliseconds to compare."""


def why_not_here(body: RequestBody) -> str:
    """Why a request must be done by another worker; empty where this one can do it."""
    if not isinstance(body, LOADING) or not _runs_here(body.spec):
        return ""
    return THIS_PROCESS.why_not(body.spec.target, replaced_texts(body.spec.changes))


def _runs_here(spec: CaptureSpec) -> bool:
    return not spec.is_only_compiled and spec.front_end == DYNAMO


def compared(body: RequestBody, do: Callable[[], ReplyBody], emit: Callable[[EventBody], None]) -> ReplyBody:
    """Do it. What it changed is reported in the capture that it made, else as an event, also where it failed."""
    if not isinstance(body, _COMPARED):
        return do()
    before = ProcessState.now()
    try:
        reply = do()
    except BaseException:
        if (problem := _changed(before)) is not None:
            emit(ProcessChanged(problem))
        raise
    earlier = THIS_PROCESS.changes if isinstance(reply, Recompiled) else ()
    problem = _changed(before)
    reported = (*earlier, *([problem] if problem is not None else []))
    if not reported:
        return reply
    if isinstance(reply, CaptureMade | Recompiled):
        problems = (*reply.capture.problems, *reported)
        return msgspec.structs.replace(
            reply, capture=msgspec.structs.replace(reply.capture, problems=problems)
        )
    emit(ProcessChanged(reported[-1]))
    return reply


def _changed(before: ProcessState) -> Problem | None:
    if lost := lost_gpu():
        what = f"The GPU can be used no more in this process: {lost}."
        problem = Problem(what, "Capture again: that begins in a fresh process.", severity=Severity.WARNING)
        THIS_PROCESS.note_changed(problem)
        return problem
    changes = before.changes()
    if not changes:
        return None
    problem = Problem(
        f"The program changed the process: {'; '.join(changes)}.",
        "It is captured as it runs with this. The next program begins in a fresh process.",
        severity=Severity.NOTE,
    )
    THIS_PROCESS.note_changed(problem)
    return problem
