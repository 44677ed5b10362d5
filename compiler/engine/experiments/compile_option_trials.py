"""Ways to call torch.compile on one program, live side by side in one process: code compared, results judged, steps timed interleaved."""

import contextlib
import io
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from compiler.engine.accuracy.eager_reference import Reference, eager_reference
from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError
from compiler.engine.experiments.ab_trial import side_of, time_interleaved
from compiler.engine.experiments.shared_values import share_values
from compiler.engine.guards.later_steps import watched
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.guards import first_reason
from compiler.model.capture.program_changes import SetCompileOption
from compiler.model.experiments.code_change import code_change
from compiler.model.experiments.compile_choices import (
    ChoiceOutcome,
    ChoicesMeasured,
    CodeChange,
    CompileChoice,
    has_settled,
)
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.protocol.progress import Doing, Phase, Step, prefixed
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.timings import summarise

ReportProgress = Callable[[str], None]
_CALLS = 7
"""Beside the first, which compiles."""
_SECONDS_EACH = 1.0
_FALLBACK = "fallback_random"


class _Tried:
    """One choice and what is known of it so far."""

    def __init__(self, choice: CompileChoice) -> None:
        self.choice = choice
        self.live: LiveCapture | None = None
        self.code = CodeChange()
        self.calls = _Calls()
        self.problem: Problem | None = None
        self.same_results: bool | None = None
        self.results = ""
        self.times: list[int] = []


def measure_choices(
    spec: CaptureSpec, choices: tuple[CompileChoice, ...], report_progress: ReportProgress
) -> ChoicesMeasured:
    """The program as in `spec` beside the same with each choice. Raises EngineError where it cannot be captured as it is."""
    if not choices:
        raise EngineError("There is nothing to measure.", "Choose a mode, a backend or an option.")
    base = _Tried(CompileChoice("as it is", ()))
    base.live = make_capture(spec, "before", lambda text: report_progress(prefixed("As it is", text)))
    if broken := _error_of(base.live):
        raise EngineError(broken)
    base.calls = _first_calls(base.live)
    reference = eager_reference(base.live.program, base.live.stepper)
    random = bool(base.live.graphs_that_draw())
    notes = _on_judging(random, reference)
    rows: list[_Tried] = []
    for number, row in enumerate((base, *map(_Tried, choices))):
        reported = _saying(
            report_progress, f"{number} of {len(choices)}, {row.choice.title}" if number else "As it is"
        )
        if row is not base:
            rows.append(row)
            _capture(spec, base.live, row, reported)
        if row.live is not None and row.problem is None and reference.exact is not None:
            judged = _as_eager_draws(spec, base.live, row, reported) if random else row.live
            if judged is not None:
                _judge(row, judged, reference)
    report_progress(Doing("Timing all of them interleaved", Step(Phase.TIMING)))
    load = MachineLoad()
    eager_times = _time(base, rows)
    others = load.others()
    return ChoicesMeasured(
        spec,
        _outcome(base, base, others),
        tuple(_outcome(base, row, others) for row in rows),
        summarise(eager_times),
        tuple(notes),
    )


def _saying(report_progress: ReportProgress, which: str) -> ReportProgress:
    return lambda text: report_progress(prefixed(which, text))


def _on_judging(random: bool, reference: Reference) -> list[str]:
    if reference.exact is None:
        return [reference.nothing_exact]
    if reference.why_not:
        return [f"Results were not judged: {reference.why_not}."]
    if random:
        return [
            "Random numbers: to compare results every choice was compiled once more with fallback_random=True, so that "
            "eager and compiled draw the same ones. Times and code are without it."
        ]
    return []


def _as_eager_draws(
    spec: CaptureSpec, base: LiveCapture, row: _Tried, report_progress: ReportProgress
) -> LiveCapture | None:
    """The choice compiled so that it draws eager's random numbers; None where it cannot be, and the row says why."""
    if _FALLBACK in {change.name for change in row.choice.changes if isinstance(change, SetCompileOption)}:
        row.results = f"it sets {_FALLBACK} itself, and draws other random numbers than eager"
        return None
    report_progress("Compiling with eager's random numbers, to compare results")
    wanted = msgspec.structs.replace(spec, changes=(*spec.changes, *row.choice.changes))
    try:
        with settings.eager_random():
            judged = make_capture(wanted, "judged", report_progress, alone=False)
    except EngineError as error:
        row.results = f"with {_FALLBACK}=True it does not compile: {error.problem.what}"
        return None
    share_values(base.program, judged.program)
    return judged


def _capture(spec: CaptureSpec, base: LiveCapture, row: _Tried, report_progress: ReportProgress) -> None:
    wanted = msgspec.structs.replace(spec, changes=(*spec.changes, *row.choice.changes))
    try:
        live = make_capture(wanted, "after", report_progress, alone=False)
    except EngineError as error:
        row.problem = error.problem
        return
    row.live = live
    share_values(base.program, live.program)
    row.problem = _error_of(live)
    if row.problem is None:
        row.calls = _first_calls(live)
        row.code = code_change(base.capture, live.capture)


def _error_of(live: LiveCapture) -> Problem | None:
    return next(iter(live.capture.failures()), None)


class _Calls(NamedTuple):
    nanoseconds: tuple[int, ...] = ()
    """Of the call that compiled and of those right after it."""
    compiling: tuple[int, ...] = ()
    failed_guard: str = ""
    gave_up: bool = False

    @property
    def is_steady(self) -> bool:
        return has_settled(self.nanoseconds, self.compiling, self.gave_up)


def _first_calls(live: LiveCapture) -> _Calls:
    """The capture put back what its call changed, so the first call here repeats it: of a program that counts its calls, the second
    call is the one after that.
    """
    step = partial(live.stepper.step, live.compiled)
    printed = contextlib.redirect_stdout(io.StringIO())
    with live.changes.active(), unchanged_state(live.program), printed:
        steps = [watched(Recorder(), step) for _ in range(_CALLS)]
    calls = [round(live.capture.seconds * 1e9), *(step.nanoseconds for step in steps)]
    compiling = [number for number, step in enumerate(steps, 1) if step.frames]
    if compiling and compiling[0] > 1:
        del calls[1]
        compiling = [number - 1 for number in compiling]
    recompiles = [row for step in steps for row in step.recompiles]
    limited = any(step.limit_reached for step in steps)
    return _Calls(tuple(calls), tuple(compiling), first_reason(recompiles), limited)


def _judge(row: _Tried, live: LiveCapture, reference: Reference) -> None:
    with live.changes.active():
        results = live.stepper.compared_step(live.compiled)
    comparison = reference.judge(row.choice.title, results, "float64")
    row.same_results, worst = comparison.agrees, comparison.worst
    if comparison.agrees is None:
        row.results = comparison.note
    elif not comparison.agrees and worst is not None:
        row.results = worst.sentence


def _time(base: _Tried, rows: list[_Tried]) -> list[int]:
    """Fill in the times of all that work and have done compiling, and give those of eager steps."""
    assert base.live is not None
    working = [row for row in (base, *rows) if row.problem is None and row.calls.is_steady]
    sides = [(row.live, row.live.compiled) for row in working if row.live is not None]
    samples = time_interleaved(
        [(base.live, base.live.program.callable), *sides], _SECONDS_EACH * (len(sides) + 1)
    )
    for row, times in zip(working, samples[1:], strict=True):
        row.times = times
    return samples[0]


def _outcome(base: _Tried, row: _Tried, others: float) -> ChoiceOutcome:
    if row.live is None or row.problem is not None:
        return ChoiceOutcome(row.choice, problem=row.problem)
    return ChoiceOutcome(
        row.choice,
        side_of(row.live, row.times, (), failed=True),
        row.code,
        row.calls.nanoseconds,
        row.calls.compiling,
        row.calls.failed_guard,
        row.calls.gave_up,
        paired_ratio(base.times, row.times, others) if row is not base else None,
        row.same_results,
        notes=tuple(item for item in row.live.capture.problems if item.severity is Severity.NOTE),
        results=row.results,
    )
