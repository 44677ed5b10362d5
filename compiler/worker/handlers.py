"""Request → engine verb → reply: one function for each request that the main thread takes, by its type."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, cast, get_args

from compiler.engine.errors import EngineError
from compiler.engine.failures.find_failure import find_failure
from compiler.engine.failures.shrink_break import shrink_break
from compiler.engine.kernel_code.disassembly import assemble
from compiler.engine.operators import dispatch_tables
from compiler.engine.torch_internals.patch.rare_collections import rare_collections
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.engine.verbs.engine import Engine
from compiler.model.capture.front_ends import find_front_end
from compiler.model.capture.translating import in_english
from compiler.model.experiments.causes import CauseStepDone, FindCause
from compiler.model.experiments.compile_choices import MeasureChoices
from compiler.model.experiments.costs import CostTrialDone, FindCost
from compiler.model.experiments.dynamic_shape_trial import MeasureStances
from compiler.model.experiments.failures import BreaksMet, FindFailure, ProgramEnded, ShrinkBreak
from compiler.model.experiments.least_programs import ShrinkProgram
from compiler.model.experiments.node_values import MeasureValues
from compiler.model.experiments.slowness import FindSlowness, SpeedTrialDone
from compiler.model.experiments.torch_compile_api import AskCompileInterface, TryBackend
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript
from compiler.model.gpu.kernel_checks import CheckKernels
from compiler.model.guard_testing.later_steps import RepeatSteps
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.lowered_kernel import LowerKernels
from compiler.model.operators.decompositions import DecomposeOperator
from compiler.model.operators.dispatching import ListKeySets, ListOperators, ShowOperator, TraceDispatch
from compiler.model.operators.lessons import RunLesson
from compiler.model.protocol import messages as ask
from compiler.model.protocol.absent_gpu import TestCrossCompilation
from compiler.model.protocol.front_end_requests import EditQuestion, FrontEndEdited
from compiler.model.protocol.isolated_jobs import Captured, IsolatedJob
from compiler.model.protocol.messages import EventBody, ReplyBody, RequestBody
from compiler.model.protocol.requests import REQUESTS, RequestType, RunsIn
from compiler.worker.child_processes import check_in_child, judge_in_child, lower_in_child, run_isolated
from compiler.worker.failure_trials import ChildTrials
from compiler.worker.front_end_work import FrontEndWork
from compiler.worker.self_test import try_cross_compilation

_HOOK_TRIAL = Path(__file__).with_name("hook_trial_program.py")


@dataclass(frozen=True)
class Work:
    """What a request is done with."""

    engine: Engine
    front_ends: FrontEndWork
    emit: Callable[[EventBody], None]
    report_progress: Callable[[str], None]
    stop_timings: threading.Event


_Request = TypeVar("_Request", bound=RequestBody)
_Edited = TypeVar("_Edited", bound=ask.Recompile | EditQuestion)
Handler = Callable[[RequestBody, Work], ReplyBody]
"""Raises EngineError."""


def _handler(
    request: type[_Request], do: Callable[[_Request, Work], ReplyBody]
) -> tuple[RequestType, Handler]:
    """A function with the request that it answers; mypy sees that they fit."""

    def answer(body: RequestBody, work: Work) -> ReplyBody:
        assert isinstance(body, request)
        return do(body, work)

    return cast("RequestType", request), answer


def _edits(request: type[_Edited], do: Callable[[_Edited, Work], ReplyBody]) -> tuple[RequestType, Handler]:
    """The same for a request about edits: those of another front end's capture are known to that one's process only."""

    def answer(request: _Edited, work: Work) -> ReplyBody:
        found = work.front_ends.answer(work.engine, request, work.report_progress)
        return do(request, work) if found is None else found

    return _handler(request, answer)


def _capture(request: ask.MakeCapture, work: Work) -> ReplyBody:
    work.front_ends.close()
    made = work.engine.capture(request.spec, request.id, work.report_progress, work.emit, request.kept)
    return ask.CaptureMade(made)


def _recompile(request: ask.Recompile, work: Work) -> ReplyBody:
    with rare_collections():  # the server has all objects looked through when nobody waits
        made = work.engine.recompile(
            request.capture, request.edits, request.id, request.judge, work.report_progress, work.emit
        )
    return ask.Recompiled(*made)


def _list_knobs(request: ask.ListKnobs, work: Work) -> ReplyBody:
    return work.engine.knobs(
        request.capture, request.stage, request.nodes, request.edits, work.report_progress
    )


def _explore_partition(request: ask.ExplorePartition, work: Work) -> ReplyBody:
    return work.engine.explore_partition(request.capture, request.stage, request.edits, work.report_progress)


def _measure_partition(request: ask.MeasurePartition, work: Work) -> ReplyBody:
    return work.engine.measure_partition(
        request.capture, request.stage, request.budgets, request.edits, work.report_progress
    )


def _find_cause(request: FindCause, work: Work) -> ReplyBody:
    return work.engine.search(
        request, work.report_progress, lambda step: work.emit(CauseStepDone(request.capture, step))
    )


def _find_slowness(request: FindSlowness, work: Work) -> ReplyBody:
    return work.engine.search(
        request, work.report_progress, lambda trial: work.emit(SpeedTrialDone(request.capture, trial))
    )


def _find_cost(request: FindCost, work: Work) -> ReplyBody:
    return work.engine.search(
        request, work.report_progress, lambda trial: work.emit(CostTrialDone(request.capture, trial))
    )


def _find_failure(request: FindFailure, work: Work) -> ReplyBody:
    with ChildTrials() as trials:
        return find_failure(request, trials, work.report_progress)


def _shrink_break(request: ShrinkBreak, work: Work) -> ReplyBody:
    with ChildTrials() as trials:
        return shrink_break(request, trials, work.report_progress)


def _time(request: ask.RunTimings, work: Work) -> ReplyBody:
    work.stop_timings.clear()
    stopped = work.stop_timings.is_set
    return work.engine.time(request.capture, request.settings, work.emit, stopped, work.report_progress)


def _time_states(request: ask.TimeStates, work: Work) -> ReplyBody:
    return work.engine.time_states(
        request.capture, request.first, request.second, request.seconds, work.report_progress
    )


def _try_changes(request: ask.TryChanges, work: Work) -> ReplyBody:
    return work.engine.try_changes(request.spec, request.changes, request.dimension, work.report_progress)


def _environment(request: ask.AskEnvironment, work: Work) -> ReplyBody:
    trial = _HOOK_TRIAL if request.try_hooks else None
    return ask.EnvironmentFound(work.engine.environment(trial, work.report_progress))


def _isolated(request: IsolatedJob, what: str, work: Work) -> ReplyBody:
    answer = run_isolated(request, what, work.report_progress)
    assert not isinstance(answer, Captured | FrontEndEdited | ProgramEnded | BreaksMet)
    return answer


def _describe(request: ask.DescribeTarget, work: Work) -> ReplyBody:
    if request.without_values or THIS_PROCESS.why_not(
        request.target, {}
    ):  # what is open stays live: to look at another program is not to open it
        return _isolated(request, request.target.name, work)
    return ask.TargetDescribed(work.engine.describe(request.target))


_ALL = (
    _handler(ask.DescribeTarget, _describe),
    _handler(ask.MakeCapture, _capture),
    _edits(ask.Recompile, _recompile),
    *(_edits(question, lambda it, work: work.engine.answer(it)) for question in get_args(EditQuestion)),
    _handler(ask.ListKnobs, _list_knobs),
    _handler(ask.ExplorePartition, _explore_partition),
    _handler(ask.MeasurePartition, _measure_partition),
    _handler(ask.TestGuards, lambda it, work: work.engine.test_guards(it.capture, it.change, it.compile_id)),
    _handler(ask.DescribeFrame, lambda it, work: work.engine.describe_frame(it.capture, it.compile_id)),
    _handler(ask.MeasureGuards, lambda it, work: work.engine.measure_guards(it.capture, it.compile_id)),
    _handler(ask.MeasureBreaks, lambda it, work: work.engine.measure_breaks(it.capture)),
    _handler(RepeatSteps, lambda it, work: work.engine.repeat_steps(it.capture)),
    _handler(FindCause, _find_cause),
    _handler(FindSlowness, _find_slowness),
    _handler(FindCost, _find_cost),
    _handler(FindFailure, _find_failure),
    _handler(ShrinkBreak, _shrink_break),
    _handler(ShrinkProgram, lambda it, work: work.engine.shrink(it, work.report_progress)),
    _handler(MeasureValues, lambda it, work: work.engine.measure_values(it.capture, it.edits)),
    _handler(ask.RunTimings, _time),
    _handler(ask.TimeStates, _time_states),
    _handler(ask.TryChanges, _try_changes),
    _handler(
        MeasureChoices,
        lambda it, work: work.engine.measure_choices(it.spec, it.choices, work.report_progress),
    ),
    _handler(
        MeasureStances,
        lambda it, work: work.engine.measure_stances(it.spec, it.dimension, work.report_progress),
    ),
    _handler(JudgeFrontEnd, lambda it, work: judge_in_child(it, work.report_progress)),
    _handler(RunScript, lambda it, work: _isolated(it, find_front_end(it.spec.front_end).title, work)),
    _handler(
        TraceDispatch,
        lambda it, work: _isolated(it, f"the dispatch trace of {it.spec.target.name}", work),
    ),
    _handler(ask.AssembleKernel, lambda it, work: assemble(it.source)),
    _handler(LowerKernels, lambda it, work: lower_in_child(it, work.report_progress)),
    _handler(CheckKernels, lambda it, work: check_in_child(it, work.report_progress)),
    _handler(TestCrossCompilation, lambda it, work: try_cross_compilation(work.report_progress)),
    _handler(AskCompileInterface, lambda it, work: work.engine.compile_interface()),
    _handler(TryBackend, lambda it, work: _isolated(it, f"backend {it.backend}", work)),
    _handler(
        ask.MeasureMachine,
        lambda it, work: work.engine.ceilings(it.threads, it.again, work.report_progress),
    ),
    _handler(ask.AskEnvironment, _environment),
    _handler(ListOperators, lambda it, work: dispatch_tables.operator_names()),
    _handler(ListKeySets, lambda it, work: dispatch_tables.key_sets()),
    _handler(ShowOperator, lambda it, work: dispatch_tables.operator_table(it.name)),
    # operators are tried with arguments that nobody chose; some of torch's kernels end the process over these
    _handler(DecomposeOperator, lambda it, work: _isolated(it, f"the decomposition of {it.name}", work)),
    _handler(RunLesson, lambda it, work: _isolated(it, f"the lesson {it.name}", work)),
)

HANDLERS: Mapping[RequestType, Handler] = MappingProxyType(dict(_ALL))


def check_handlers(handlers: Mapping[RequestType, Handler]) -> None:
    """Raise RuntimeError unless these are the requests that the table leaves to the main thread and to processes."""
    wanted = {row.request for row in REQUESTS.values() if row.runs_in is not RunsIn.CONNECTION_THREAD}
    wrong = ", ".join(sorted(row.__name__ for row in wanted ^ set(handlers)))
    if wrong:
        raise RuntimeError(f"compiler.model.protocol.requests and the worker's functions differ in: {wrong}")


check_handlers(HANDLERS)


def no_answer(body: object) -> Problem:
    """For a request that nobody does: it fails, so that nobody waits for it."""
    return Problem(
        f"The engine has no answer to {type(body).__name__}.",
        "This is a fault of Torch Loupe: please report it.",
    )


def answer_request(
    body: RequestBody, work: Work, handlers: Mapping[RequestType, Handler] = HANDLERS
) -> ReplyBody:
    """The reply that the table promises; a request that nobody does is refused, so that nobody waits. Raises EngineError."""
    row, handler = REQUESTS.get(type(body)), handlers.get(type(body))
    if row is None or handler is None:
        raise EngineError(no_answer(body))
    work.report_progress(row.status(body, in_english))
    reply = handler(body, work)
    if row.reply is None or not isinstance(reply, row.reply):
        raise TypeError(f"{type(body).__name__} was answered with {type(reply).__name__}")
    return reply
