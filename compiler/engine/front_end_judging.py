"""One cell of the comparison: a program captured by one front end, run, timed, and compared with eager on more inputs.

Eager is a second copy of the program, loaded from the same seed, so that what a capture does to its own is not seen.
"""

import contextlib
import dataclasses
import io
import signal
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch.utils import _pytree as pytree

from compiler.engine.alternate_inputs import Call, OtherCall, other_calls, own_copy
from compiler.engine.failures import EngineError, is_users_file, users_place
from compiler.engine.front_end_capturing import assembled, loaded, run_front_end
from compiler.engine.front_end_results import FrontEndResult
from compiler.engine.program import Program, load_program
from compiler.engine.rounding_apart import rounding_explains
from compiler.engine.running import set_mode, unchanged_state
from compiler.engine.same_results import prints_differ, what_differs
from compiler.engine.timed_by_turns import by_turns
from compiler.engine.torch_internals.step_profile import profile_step
from compiler.model.front_end_matrix import (
    EXAMPLE,
    AlternateInput,
    FrontEndCell,
    JudgeFrontEnd,
    Judgement,
    Outcome,
)
from compiler.model.kept_captures import LARGEST, keep_capture
from compiler.model.paired_ratios import paired_ratio
from compiler.model.problems import Severity
from compiler.model.targets import CaptureSpec
from compiler.model.timings import summarise
from compiler.model.values import describe_bytes

_SEARCH_SECONDS = 15.0
"""No further input is tried after this time."""
_LONGEST_TRY = 5.0
"""Seconds that an input which was made up may keep the program busy: a loop on data may never end."""
_TIMING_SECONDS = 0.6

Say = Callable[[str], None]


class _TooLongError(Exception):
    """The program did not end."""


@dataclasses.dataclass
class _Ran:
    """What came of one call."""

    values: Any = None
    printed: str = ""
    error: Exception | None = None


def judge_front_end(order: JudgeFrontEnd, say: Say) -> FrontEndCell:
    """The whole cell; what cannot be captured is told in it."""
    spec = order.spec
    try:
        program = loaded(spec, say)
        # a capture that runs the program moves its averages, and eager's copy has not run yet
        with warnings.catch_warnings(record=True) as warned, unchanged_state(program.module):
            warnings.simplefilter("always")
            result = run_front_end(spec, program, say)
    except EngineError as error:
        return FrontEndCell(spec.front_end, error.problem)
    judge = _Judge(program, result, spec)
    path, not_kept = _kept_capture(order, program, result)
    say("Comparing with eager")
    judgements = [judge.on(OtherCall(EXAMPLE, lambda: own_copy((program.args, program.kwargs))))]
    cell = FrontEndCell(
        spec.front_end,
        None,
        result.graphs,
        result.operations,
        result.seconds,
        warnings=_told(warned, result),
        kept=path,
        not_kept=not_kept,
    )
    if order.timed and judgements[0] is not None and judgements[0].outcome is not Outcome.REFUSED:
        say("Timing")
        cell = judge.timed(cell)
    judgements += [judge.on_given(alternate) for alternate in order.alternates]
    untried = 0
    if order.search:
        say("Looking for inputs that show a difference")
        found, untried = judge.search()
        judgements += found
    kept = tuple(judgement for judgement in judgements if judgement is not None)
    return msgspec.structs.replace(cell, judgements=kept, untried=untried)


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


class _Judge:
    """A captured program beside a fresh copy of the program."""

    def __init__(self, program: Program, result: FrontEndResult, spec: CaptureSpec) -> None:
        self._captured, self._result, self._spec = program, result, spec
        self._eager = load_program(spec.target, spec.run.seed)
        set_mode(self._eager, spec.run)

    def on(self, call: OtherCall) -> Judgement | None:
        """The outcome; None where the program itself does not take this call, or not in time."""
        seed = self._spec.run.seed + call.seed
        eager = self._run_eager(call, seed)
        if eager.error is not None:
            return None
        if call.seed and not what_differs(eager.values, self._run_eager(call, seed - call.seed).values):
            return None  # it draws no random numbers
        found, note = self._run_captured(call, seed)
        if found.error is not None:
            return Judgement(call.words, Outcome.REFUSED, _in_words(found.error))
        lost = prints_differ(found.printed, eager.printed) and not found.printed.strip()
        differs = what_differs(found.values, eager.values)
        if not differs and not lost and prints_differ(found.printed, eager.printed):
            return Judgement(call.words, Outcome.SAME, "prints something else")
        if not differs:
            return Judgement(call.words, Outcome.SAME, "what it prints is lost" if lost else "", lost)
        outcome, why = self._why(call, seed, eager, found)
        return Judgement(call.words, outcome, "; ".join(filter(None, (differs, why, note))), lost)

    def on_given(self, alternate: AlternateInput) -> Judgement:
        """On an input that a person wrote."""
        words = alternate.words
        try:
            call = self._evaluated(alternate)
        except Exception as error:  # noqa: BLE001  the person's text may raise anything
            return Judgement(words, Outcome.FAILED, f"it could not be evaluated: {_in_words(error)}")
        other = OtherCall(words, lambda: own_copy(call), alternate.training)
        failed = Judgement(words, Outcome.FAILED, "the program itself does not take it")
        return self.on(other) or failed

    def search(self) -> tuple[list[Judgement], int]:
        """Calls that were made up and that the program takes, as far as there is time; how many were not tried."""
        started, found, untried = time.perf_counter(), [], 0
        for call in other_calls(self._eager):
            if time.perf_counter() - started > _SEARCH_SECONDS:
                untried += 1
                continue
            judgement = self.on(call)
            if judgement is not None:
                found.append(msgspec.structs.replace(judgement, found=True))
        return found, untried

    def timed(self, cell: FrontEndCell) -> FrontEndCell:
        """With the times of captured and eager taken by turns, and the memory of one run."""
        with torch.set_grad_enabled(self._spec.run.gradients), contextlib.redirect_stdout(io.StringIO()):
            captured = lambda: self._result.call(*self._captured.args, **self._captured.kwargs)  # noqa: E731
            eager = lambda: self._eager.callable(*self._eager.args, **self._eager.kwargs)  # noqa: E731
            with (
                unchanged_state(self._captured.module),
                unchanged_state(self._eager.module),
                torch.random.fork_rng(devices=[]),
            ):
                theirs, ours = by_turns(eager, captured, _TIMING_SECONDS)
                peak = _peak(profile_step(captured).memory)
        return msgspec.structs.replace(
            cell, run=summarise(ours), ratio=paired_ratio(theirs, ours), peak_bytes=peak
        )

    def _why(self, call: OtherCall, seed: int, eager: _Ran, found: _Ran) -> tuple[Outcome, str]:
        """Whether another result is wrong: not where eager gives another one each time, or both draw numbers anew."""
        if what_differs(self._run_eager(call, seed).values, eager.values):
            return Outcome.UNJUDGED, "eager does not repeat its own result"
        if not what_differs(self._run_eager(call, seed + 1).values, eager.values):
            with _mode(self._eager.module, call.training):
                words = rounding_explains(found.values, eager.values, self._eager, call.make(), seed)
            return (Outcome.UNJUDGED, words) if words else (Outcome.WRONG, "")
        again, _ = self._run_captured(call, seed + 1)
        if again.error is None and not what_differs(again.values, found.values):
            return Outcome.WRONG, "random numbers are baked in"
        return Outcome.UNJUDGED, "it draws random numbers of its own"

    def _run_eager(self, call: OtherCall, seed: int) -> _Ran:
        module = self._eager.module
        with _mode(module, call.training), _ending_after(_LONGEST_TRY):
            return self._run(self._eager.callable, (module,), call.make(), seed)

    def _run_captured(self, call: OtherCall, seed: int) -> tuple[_Ran, str]:
        """What it gave, and a word on a mode that it could not be switched to."""
        module, function = self._captured.module, self._result.call
        own = function if isinstance(function, torch.nn.Module) else None
        note = ""
        with _mode(module, call.training):
            try:
                switch = contextlib.ExitStack()
                if call.training is not None and self._result.set_training is not None:
                    self._result.set_training(call.training)
                    before = not call.training
                    switch.callback(self._result.set_training, before)
                else:
                    switch.enter_context(_mode(own, call.training))
            except Exception as error:  # noqa: BLE001  torch.export's modules refuse; the person may go on all the same
                note = f".{'train' if call.training else 'eval'}() raises {type(error).__name__}"
            with switch:
                return self._run(function, (module, own), call.make(), seed), note

    def _run(
        self,
        function: Callable[..., Any],
        modules: tuple[torch.nn.Module | None, ...],
        call: Call,
        seed: int,
    ) -> _Ran:
        printed = io.StringIO()
        with contextlib.ExitStack() as stack:
            for module in modules:
                stack.enter_context(unchanged_state(module))
            stack.enter_context(contextlib.redirect_stdout(printed))
            stack.enter_context(torch.random.fork_rng(devices=[]))
            stack.enter_context(torch.set_grad_enabled(self._spec.run.gradients))
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
            torch.manual_seed(seed)
            args, kwargs = call
            try:
                values = _kept(function(*args, **kwargs))
                return _Ran(values, printed.getvalue())
            except Exception as error:  # noqa: BLE001  whatever the program, or what was made of it, raises is its answer
                return _Ran(error=error, printed=printed.getvalue())

    def _evaluated(self, alternate: AlternateInput) -> Call:
        if not alternate.text:
            return self._eager.args, self._eager.kwargs
        namespace = vars(self._eager.namespace) if self._eager.namespace is not None else {}
        taken: Callable[..., Call] = lambda *args, **kwargs: (args, kwargs)  # noqa: E731
        call: Call = eval(f"_taken({alternate.text})", {**namespace, "torch": torch, "_taken": taken})
        return call


def _kept(values: Any) -> Any:
    """Copies, since a result may be a view of what the next call writes to."""
    return pytree.tree_map(
        lambda value: value.detach().clone() if isinstance(value, torch.Tensor) else value, values
    )


@contextlib.contextmanager
def _mode(module: torch.nn.Module | None, training: bool | None) -> Iterator[None]:
    """Train or eval meanwhile. Raises what the module raises."""
    if module is None or training is None:
        yield
        return
    before = {part: part.training for part in module.modules()}
    module.train(training) if training else module.eval()
    try:
        yield
    finally:
        for part, mode in before.items():
            part.training = mode


@contextlib.contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """Raise in the program when it takes longer, where signals can be had; the process has a limit of its own."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: types.FrameType | None) -> None:
        raise _TooLongError(f"it did not end within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _peak(changes: list[tuple[int, int]]) -> int | None:
    """Most bytes held at a time, above what was there when the run began."""
    held = most = 0
    for _, count in changes:
        held += count
        most = max(most, held)
    return most if changes else None


def _in_words(error: Exception) -> str:
    """``RuntimeError: ... (line 12)``: the first line that says something."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    path, line = users_place(error)
    where = f" (line {line})" if path else ""
    return f"{type(error).__name__}: {lines[0] if lines else ''}".rstrip(": ")[:300] + where


def _told(warned: list[warnings.WarningMessage], result: FrontEndResult) -> tuple[str, ...]:
    """Warnings about lines of the user's, torch's and those that the front end made of them, once each."""
    mine = [item for item in warned if is_users_file(item.filename)]
    lines = [f"line {item.lineno}: {' '.join(str(item.message).split())[:300]}" for item in mine]
    lines += [
        f"line {problem.line}: {problem.what}"
        for problem in result.problems
        if problem.line and problem.severity is not Severity.NOTE and is_users_file(problem.path)
    ]
    return tuple(dict.fromkeys(lines))
