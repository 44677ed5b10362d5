"""One cell of the comparison: a program captured by one front end, run, timed, and compared with eager on more inputs.

Eager is a second copy of the program, loaded from the same seed, so that what a capture does to its own is not seen.
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec
import torch

from compiler.engine.accuracy.differential_test import DifferentialTest, describe
from compiler.engine.accuracy.side_effects import Side
from compiler.engine.errors import EngineError
from compiler.engine.file_ownership import is_mine
from compiler.engine.front_ends.capture import assembled, run_front_end
from compiler.engine.front_ends.compare_checkpoint import CellSoFar
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.measuring.interleaved_timing import interleave, sampler
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.torch_internals.patch import settings
from compiler.engine.torch_internals.profiler.peak_memory import peak_memory
from compiler.engine.user_program.alternate_inputs import OtherCall, given_call, other_calls, own_copy
from compiler.engine.user_program.checked_loading import loaded
from compiler.engine.user_program.device_placement import device_of
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.front_end_matrix import (
    EXAMPLE,
    AlternateInput,
    FrontEndCell,
    JudgeFrontEnd,
    Judgement,
    Outcome,
)
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.protocol.progress import Doing, Phase, Step
from compiler.model.session_file.capture_file import LARGEST, keep_capture
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.timings import summarise

_SEARCH_SECONDS = 15.0
"""No further input is tried after this time."""
_TIMING_SECONDS = 0.6
_NOTE = (
    "Random numbers: what is compared was compiled with fallback_random=True, so that it draws those that eager draws. "
    "What is timed was not."
)
AGAIN = "the example, again and again"
"""What it is called with while it is timed."""

ReportProgress = Callable[[str], None]


def judge_front_end(order: JudgeFrontEnd, report_progress: ReportProgress) -> FrontEndCell:
    """The whole cell; what cannot be captured is reported in it."""
    spec = order.spec
    try:
        program, spec, *_ = loaded(spec, report_progress)
        # a capture that runs the program moves its averages, and eager's copy has not
        with warnings.catch_warnings(record=True) as warned, Side(program).unchanged():
            warnings.simplefilter("always")
            result = run_front_end(spec, program, report_progress)
        eager = loaded(spec, lambda _: None).program
    except EngineError as error:
        return FrontEndCell(spec.front_end, error.problem)
    path, not_kept = _kept_capture(order, program, result)
    cell = FrontEndCell(
        spec.front_end,
        None,
        result.graphs,
        result.operations,
        result.seconds,
        warnings=_reported(warned, result),
        kept=path,
        not_kept=not_kept,
    )
    so_far = CellSoFar(order.folder, cell)
    judge = DifferentialTest(side_of(program, result), Side(eager), spec.run, result.set_training)
    report_progress(Doing("Comparing with eager", Step(Phase.JUDGING)))
    so_far.begin(EXAMPLE)
    own = OtherCall(EXAMPLE, lambda: own_copy((eager.args, eager.kwargs)))
    with contextlib.ExitStack() as stack:
        timed = judge
        if _has_numbers_of_its_own(spec) and judge.draws_random_numbers(own):
            stack.enter_context(settings.eager_random())
            with contextlib.suppress(EngineError):  # then it stays as it is, and nothing can be judged
                judge = _drawing_as_eager(judge, spec, report_progress)
                so_far.cell = msgspec.structs.replace(so_far.cell, note=_NOTE)
        _judge_all(order, judge, timed, own, so_far, report_progress)
    return msgspec.structs.replace(so_far.cell, untried=judge.untried)


def _has_numbers_of_its_own(spec: CaptureSpec) -> bool:
    """Whether Inductor compiles, whose kernels draw other random numbers than eager does."""
    return spec.compile.backend == "inductor" and spec.is_of_dynamo


def _drawing_as_eager(
    judge: DifferentialTest, spec: CaptureSpec, report_progress: ReportProgress
) -> DifferentialTest:
    """With a copy of the program, compiled to draw the random numbers that eager draws. Raises EngineError."""
    report_progress("Compiling with eager's random numbers, to compare results")
    program = loaded(spec, lambda _: None).program
    with Side(program).unchanged():
        result = run_front_end(spec, program, lambda _: None)
    return DifferentialTest(side_of(program, result), judge.eager, judge.run)


def _judge_all(
    order: JudgeFrontEnd,
    judge: DifferentialTest,
    timed: DifferentialTest,
    own: OtherCall,
    so_far: CellSoFar,
    report_progress: ReportProgress,
) -> None:
    """On the example, and then in order; `timed` has what is timed."""
    example = judge.on(own)
    so_far.add(example)
    if order.timed and example is not None and example.outcome is not Outcome.REFUSED:
        report_progress(Doing("Timing", Step(Phase.TIMING)))
        so_far.begin(AGAIN)
        try:
            so_far.cell = _timed(timed, so_far.cell)
        except Exception as error:  # noqa: BLE001  what torch raises when it is called often is an answer
            so_far.add(Judgement(AGAIN, Outcome.REFUSED, describe(error)))
    for number, alternate in enumerate(order.alternates):
        step = Step(Phase.JUDGING, 0, number, len(order.alternates))
        report_progress(Doing(f"Comparing with eager: {alternate.words}", step))
        so_far.begin(alternate.words)
        so_far.add(_on_given(judge, alternate))
    if order.search:
        report_progress(Doing("Looking for inputs that show a difference", Step(Phase.JUDGING)))
        for call in judge.in_time(other_calls(judge.eager.program), _SEARCH_SECONDS):
            so_far.begin(call.words)
            judgement = judge.on(call)
            if judgement is None and judge.lost:
                judgement = Judgement(call.words, Outcome.FAILED, judge.not_taken(call))
            so_far.add(judgement, found=True)


def side_of(program: Program, result: FrontEndResult) -> Side:
    """What a front end made, with the modules that it keeps state in."""
    holds = result.holds
    if holds is None and isinstance(result.call, torch.nn.Module) and not hasattr(result.call, "_orig_mod"):
        holds = result.call
    return Side(program, result.call, (holds,) if holds is not None else (), result.copies)


def _on_given(judge: DifferentialTest, alternate: AlternateInput) -> Judgement:
    """On an input that a person wrote."""
    words, eager = alternate.words, judge.eager.program
    try:
        call = given_call(eager, alternate.text)
    except Exception as error:  # noqa: BLE001  the person's text may raise anything
        return Judgement(words, Outcome.FAILED, f"it could not be evaluated: {describe(error)}")
    other = OtherCall(words, lambda: own_copy(call), alternate.training)
    return judge.on(other) or Judgement(words, Outcome.FAILED, judge.not_taken(other))


def _timed(judge: DifferentialTest, cell: FrontEndCell) -> FrontEndCell:
    """With the times of captured and eager taken interleaved, and the memory of one run."""
    ours, theirs = judge.found, judge.eager
    captured = lambda: ours.call(*ours.program.args, **ours.program.kwargs)  # noqa: E731
    eager = lambda: theirs.call(*theirs.program.args, **theirs.program.kwargs)  # noqa: E731
    with (
        torch.set_grad_enabled(judge.run.gradients),
        contextlib.redirect_stdout(io.StringIO()),
        ours.unchanged(),
        theirs.unchanged(),
        torch.random.fork_rng(devices=[]),
    ):
        load = MachineLoad()
        clock = step_clock()
        slow, fast = interleave([sampler(eager, clock), sampler(captured, clock)], _TIMING_SECONDS)
        others = load.others()
        peak = peak_memory(captured, device_of(ours.program).type == "cuda")
    return msgspec.structs.replace(
        cell, run=summarise(fast), ratio=paired_ratio(slow, fast, others), peak_bytes=peak
    )


def _kept_capture(order: JudgeFrontEnd, program: Program, result: FrontEndResult) -> tuple[str, str]:
    """The file that the capture is in, or empty and why it is not kept."""
    if not order.folder:
        return "", ""
    if not result.stages:
        return "", "its live graphs are needed for edits"
    path = Path(order.folder) / f"{order.spec.front_end}.capture"
    try:
        fits = keep_capture(assembled(order.spec, "", result, program.path), path)
    except OSError as error:
        return "", f"it could not be written ({error.strerror})"
    return (str(path), "") if fits else ("", f"it is larger than {describe_bytes(LARGEST)}")


def _reported(warned: list[warnings.WarningMessage], result: FrontEndResult) -> tuple[str, ...]:
    """Warnings about lines of the user's, torch's and those that the front end made of them, once each."""
    mine = [item for item in warned if is_mine(item.filename)]
    lines = [
        f"{Path(item.filename).name}:{item.lineno}: {' '.join(str(item.message).split())[:300]}"
        for item in mine
    ]
    lines += [
        f"{Path(problem.path).name}:{problem.line}: {problem.what}"
        for problem in result.problems
        if problem.line and problem.severity is not Severity.NOTE and is_mine(problem.path)
    ]
    return tuple(dict.fromkeys(lines))
