"""At which step a program fails to be compiled, and the least part of it that fails for the same reason.

Torch's minifiers (`TORCHDYNAMO_REPRO_AFTER`) start torch for each trial, are reported beforehand which level to look at, and take
any error of the same type for the same. Here the level is found, the reason is an exception with the function that raised it,
a signal or a time, and each trial is a process that may die.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from compiler.engine.causes.least_program import Drawn, UnprintableError, with_names_hidden
from compiler.engine.causes.smaller_programs import Shrinking
from compiler.engine.causes.subprograms import Subprogram
from compiler.engine.errors import EngineError
from compiler.engine.failures.failing_file import failing_file
from compiler.engine.failures.recorded_graphs import RecordedGraph, recorded_graphs
from compiler.engine.failures.trials import Trials
from compiler.engine.user_program.applied_changes import resolve_changes
from compiler.model.capture.capture_spec import CompileOptions
from compiler.model.experiments.causes import CauseStep
from compiler.model.experiments.failures import (
    AOT,
    DECOMPOSED,
    EAGER,
    HANGS,
    OWN,
    CompileCall,
    Failure,
    FailureFound,
    FindFailure,
)
from compiler.model.experiments.least_programs import LeastProgram

ReportProgress = Callable[[str], None]

_LEVELS = (EAGER, AOT, DECOMPOSED, OWN)
_WORDS = {
    EAGER: "traced by Dynamo and run op by op",
    AOT: "traced by AOTAutograd too, and run op by op",
    DECOMPOSED: "decomposed and partitioned too, and run op by op",
}
_AT_FAULT = {
    EAGER: "Dynamo, which traces it",
    AOT: "AOTAutograd, which traces Dynamo's graph",
    DECOMPOSED: "a decomposition or the partition into forward and backward",
}
_LEAST_SECONDS = 10.0


def find_failure(request: FindFailure, trials: Trials, report_progress: ReportProgress) -> FailureFound:
    """Raises EngineError where the program fails by itself, or cannot be loaded."""
    started = time.perf_counter()
    options = resolve_changes(request.spec).options
    by_itself = trials.level(request.spec, None, request.seconds)
    if by_itself is not None:
        what = (
            f"Without torch.compile the program {by_itself.words}: {by_itself.message or 'no more is known'}."
        )
        raise EngineError(what, "Correct the program or its inputs.")
    steps: list[CauseStep] = []
    found: Failure | None = None
    level = OWN
    for level in _LEVELS:
        words = _WORDS.get(level, f"compiled with {options.backend}")
        report_progress(f"Looking for what fails: {words}")
        found = trials.level(request.spec, level, request.seconds)
        what = f"{words}: it {found.words if found is not None else 'runs'}"
        steps.append(CauseStep(what, found is not None))
        if found is not None:
            break
    if found is None:
        return FailureFound(
            "It compiles and runs.", steps=tuple(steps), seconds=time.perf_counter() - started
        )
    answer = FailureFound(_sentence(found, level, options), found, level, tuple(steps))
    if request.shrink:
        answer = _with_least(answer, request, options, trials, report_progress)
    return msgspec.structs.replace(answer, seconds=time.perf_counter() - started)


def _sentence(failure: Failure, level: str, options: CompileOptions) -> str:
    at_fault = _AT_FAULT.get(level, f"the backend {options.backend}")
    message = f": {failure.message.rstrip('.')}" if failure.message else ""
    return (
        f"Compiling fails in {at_fault}, which {failure.words}{message}."
        if level != EAGER
        else (f"Compiling fails in Dynamo, which traces the program; it {failure.words}{message}.")
    )


class _StuckError(Exception):
    """Why there is no least program, in words."""


def _with_least(
    answer: FailureFound,
    request: FindFailure,
    options: CompileOptions,
    trials: Trials,
    report_progress: ReportProgress,
) -> FailureFound:
    if answer.level == EAGER:
        why = "There is no least program: what fails is Dynamo, before there is a graph."
        return msgspec.structs.replace(answer, why_not=why)
    try:
        least = _GraphSearch(answer, request, options, trials, report_progress).least()
    except _StuckError as stuck:
        return msgspec.structs.replace(answer, why_not=f"There is no least program: {stuck}.")
    except UnprintableError as error:
        return msgspec.structs.replace(
            answer, why_not=f"The least program cannot be written as one file: {error}."
        )
    return msgspec.structs.replace(answer, least=least)


class _Case(NamedTuple):
    """A program, how its inputs come about, and how it is compiled."""

    least: Subprogram
    drawn: Drawn | None
    call: CompileCall


class _GraphSearch:
    """The least part of the graph that fails."""

    def __init__(
        self,
        answer: FailureFound,
        request: FindFailure,
        options: CompileOptions,
        trials: Trials,
        report_progress: ReportProgress,
    ) -> None:
        assert answer.failure is not None
        self._failure, self._sentence = answer.failure, answer.sentence
        self._spec, self._seconds = request.spec, request.seconds
        self._trials, self._report_progress = trials, report_progress
        own = answer.level == OWN
        self._call = CompileCall(
            options.backend if own else answer.level,
            options.mode if own else None,
            options.options if own else (),
            options.dynamic,
        )
        self._each = self._seconds
        if (
            self._failure.how == HANGS
        ):  # what is smaller is compiled sooner, and each that hangs takes all of its time
            self._each = max(_LEAST_SECONDS, self._seconds / 4)
        self._started = time.perf_counter()
        self._count = 0

    def least(self) -> LeastProgram:
        """Raises _StuckError and UnprintableError."""
        try:
            graphs = recorded_graphs(self._spec)
        except Exception as error:
            raise _StuckError(f"its graphs could not be recorded ({type(error).__name__})") from error
        for graph in graphs:
            found = self._of(graph)
            if found is not None:
                return found
        raise _StuckError(
            "no graph of the program fails by itself with the values it had"
            if graphs
            else "Dynamo made no graph of it"
        )

    def _of(self, graph: RecordedGraph) -> LeastProgram | None:
        nodes = [
            node.name for node in graph.module.graph.nodes if node.op in ("call_function", "call_method")
        ]
        shrinking = Shrinking(
            graph.module,
            graph.values,
            lambda tried: self._fails(_Case(tried, None, self._call)),
            self._report_progress,
        )
        least = shrinking.nodes(nodes, [])
        if least is None:
            return None
        least = shrinking.sizes(least)
        least = shrinking.gradients(least)
        least = shrinking.dtypes(least)
        least, drawn = shrinking.plain_inputs(least)
        case = self._fewer_options(_Case(least, drawn, self._call))
        text = self._text(case)
        again = self._trials.fresh(text, self._seconds)
        if again is None or not again.same_as(self._failure):
            words = again.words if again is not None else "runs"
            raise _StuckError(f"what was found {words} in a fresh process, which is something else")
        hidden, why_not = "", "the inputs that show it are your own"
        if drawn is not None and all(map(drawn.covers, least.inputs)):
            other = _Case(with_names_hidden(least), drawn, case.call)
            hidden, why_not = self._text(other, hide=True), ""
        return LeastProgram(
            text,
            before=len(nodes),
            after=least.calls,
            trials=self._count,
            hidden=hidden,
            why_not_hidden=why_not,
            seconds=time.perf_counter() - self._started,
            shows=f"In a fresh process it fails for the same reason: it {again.words}.",
        )

    def _text(self, case: _Case, hide: bool = False) -> str:
        message = self._failure.message
        why = self._sentence.replace(f": {message.rstrip('.')}", "") if hide and message else self._sentence
        return failing_file(case.least, case.drawn, case.call, why, self._failure)

    def _fails(self, case: _Case) -> bool:
        """Raises UnprintableError where the program has no spelling."""
        self._count += 1
        failure = self._trials.text(self._text(case), self._each)
        return failure is not None and failure.same_as(self._failure)

    def _fewer_options(self, case: _Case) -> _Case:
        """With what torch.compile is called with taken out, one by one."""
        calls = [msgspec.structs.replace(case.call, mode=None)] if case.call.mode is not None else []
        for call in calls:
            case = self._if_fails(case, call)
        for name, _ in case.call.options:
            rest = tuple(row for row in case.call.options if row[0] != name)
            case = self._if_fails(case, msgspec.structs.replace(case.call, options=rest))
        if case.call.dynamic is not None:
            case = self._if_fails(case, msgspec.structs.replace(case.call, dynamic=None))
        return case

    def _if_fails(self, case: _Case, call: CompileCall) -> _Case:
        other = case._replace(call=call)
        return other if self._fails(other) else case
