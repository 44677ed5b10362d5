"""Request → engine verb → reply. Here is the process's boundary: whatever user code raises ends here as a `Failure`."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.kernel_code.disassembly import assemble
from compiler.engine.verbs.engine import Engine, torch_version
from compiler.model.capture.front_ends import find_front_end
from compiler.model.experiments.compile_choices import MeasureChoices
from compiler.model.experiments.dynamic_shape_trial import MeasureStances
from compiler.model.experiments.torch_compile_api import AskCompileInterface, BackendTried, TryBackend
from compiler.model.front_end_comparison.front_end_matrix import JudgeFrontEnd
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.gpu.kernel_checks import CheckKernels
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.lowered_kernel import LowerKernels
from compiler.model.protocol.absent_gpu import TestCrossCompilation
from compiler.model.protocol.messages import (
    AskEnvironment,
    AssembleKernel,
    CancelRequest,
    CaptureMade,
    DescribeFrame,
    DescribeTarget,
    Done,
    EditedGraphs,
    EnvironmentFound,
    ExplorePartition,
    Failure,
    FindMatches,
    ListEditedGraphs,
    ListKnobs,
    ListOps,
    ListSignatures,
    MakeCapture,
    MeasureBreaks,
    MeasureGuards,
    MeasureMachine,
    MeasurePartition,
    Preview,
    PreviewEdits,
    Progress,
    Ready,
    Recompile,
    Recompiled,
    Reply,
    ReplyBody,
    Request,
    RequestBody,
    RunTimings,
    ShutDown,
    StopTimings,
    TargetDescribed,
    TestGuards,
    TimeStates,
    TryChanges,
)
from compiler.worker.child_processes import edit_in_child, lower_in_child, run_isolated
from compiler.worker.child_work import work_in_child
from compiler.worker.connection import Connection
from compiler.worker.front_end_work import FrontEndWork
from compiler.worker.interrupting import Interrupter
from compiler.worker.operator_answers import answer_about_operators

_HOOK_TRIAL = Path(__file__).with_name("hook_trial_program.py")


class Server:
    """Serves one client until it is gone."""

    def __init__(self, path: str) -> None:
        self._front_ends = FrontEndWork()
        self._engine = Engine(self._front_ends.capture, lower_in_child, edit_in_child)
        self._current = 0
        self._cancelled: set[int] = set()
        self._stop_timings = threading.Event()
        self._guard = threading.Lock()
        self._interrupter = Interrupter()
        self._connection = Connection(path, self._urgent, self._lost)

    def serve(self) -> None:
        """Take requests one by one, for ever."""
        self._connection.tell(Ready(torch_version()))
        while True:
            try:
                request = self._connection.requests.get()
                self._answer(request)
            except KeyboardInterrupt:
                continue  # a cancel that came just after the work was done

    def _answer(self, request: Request) -> None:
        with self._guard:
            if request.id in self._cancelled:
                self._connection.send(_cancelled(request.id, ""))
                return
            self._current = request.id
        doing = ["working"]

        def report_progress(text: str) -> None:
            doing[0] = text
            self._connection.tell(Progress(request.id, text))

        try:
            try:
                answer: Reply | Failure = Reply(request.id, self._do(request, report_progress))
            finally:
                with self._guard:
                    self._current = 0
        except KeyboardInterrupt as interrupt:
            answer = _cancelled(request.id, problem_from(interrupt, doing[0], "").path and _where(interrupt))
        except EngineError as error:
            answer = Failure(request.id, error.problem)
        except SystemExit as error:
            problem = problem_from(
                error, f"The program called sys.exit({error.code})", "Remove the call and try again."
            )
            answer = Failure(request.id, problem)
        except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
            answer = Failure(
                request.id, problem_from(error, f"Failed while: {doing[0]}", "The detail has the traceback.")
            )
        self._connection.send(answer)

    def _do(self, request: Request, report_progress: Callable[[str], None]) -> ReplyBody:
        engine, body = self._engine, request.body
        if (answer := self._front_ends.done(engine, body, report_progress)) is not None:
            return answer
        match body:
            case DescribeTarget():
                report_progress(f"Loading {body.target.name}")
                return TargetDescribed(engine.describe(body.target))
            case MakeCapture():
                return CaptureMade(
                    engine.capture(body.spec, body.id, report_progress, self._connection.tell, body.kept)
                )
            case PreviewEdits():
                return Preview(*engine.preview(body.capture, body.edits))
            case Recompile():
                tell = self._connection.tell
                return Recompiled(
                    *engine.recompile(body.capture, body.edits, body.id, body.judge, report_progress, tell)
                )
            case RunTimings():
                self._stop_timings.clear()
                report_progress("Timing")
                return engine.time(
                    body.capture,
                    body.settings,
                    self._connection.tell,
                    self._stop_timings.is_set,
                    report_progress,
                )
            case AskEnvironment():
                return EnvironmentFound(
                    engine.environment(_HOOK_TRIAL if body.try_hooks else None, report_progress)
                )
            case _:
                return self._ask(body, report_progress)

    def _ask(self, body: RequestBody, report_progress: Callable[[str], None]) -> ReplyBody:
        """Questions about what is captured; their answers are replies as they come."""
        engine = self._engine
        match body:
            case ListOps():
                report_progress("Trying out operations")
                return engine.op_choices(body.capture, body.stage, body.node, body.edits)
            case ListSignatures():
                return engine.signatures(body.capture, body.stage, body.node, body.edits)
            case ListKnobs():
                report_progress("Trying Inductor's knobs")
                return engine.knobs(body.capture, body.stage, body.nodes, body.edits, report_progress)
            case AssembleKernel():
                report_progress("Compiling the kernel to list its instructions")
                return assemble(body.source)
            case LowerKernels() | CheckKernels() | TestCrossCompilation() | JudgeFrontEnd():
                return work_in_child(body, report_progress)
            case ListEditedGraphs():
                return EditedGraphs(
                    engine.edited_graphs(body.capture, body.edits),
                    engine.edited_inductor_graphs(body.capture, body.edits),
                )
            case FindMatches():
                return engine.find_matches(body.capture, body.stage, body.pattern, body.edits)
            case TestGuards():
                report_progress("Trying the guards")
                return engine.test_guards(body.capture, body.change, body.compile_id)
            case ExplorePartition():
                return engine.explore_partition(body.capture, body.stage, body.edits, report_progress)
            case _:
                return self._measure(body, report_progress)

    def _measure(self, body: RequestBody, report_progress: Callable[[str], None]) -> ReplyBody:
        """Questions that are answered by running something and looking at the clock."""
        engine = self._engine
        match body:
            case MeasurePartition():
                return engine.measure_partition(
                    body.capture, body.stage, body.budgets, body.edits, report_progress
                )
            case DescribeFrame():
                report_progress(f"ViewState at what {body.compile_id} is called with")
                return engine.describe_frame(body.capture, body.compile_id)
            case MeasureGuards():
                report_progress(f"Timing the guards of {body.compile_id}")
                return engine.measure_guards(body.capture, body.compile_id)
            case MeasureBreaks():
                report_progress("Timing what runs outside compiled graphs")
                return engine.measure_breaks(body.capture)
            case MeasureMachine():
                return engine.ceilings(body.threads, body.again, report_progress)
            case TimeStates():
                return engine.time_states(
                    body.capture, body.first, body.second, body.seconds, report_progress
                )
            case TryChanges():
                return engine.try_changes(body.spec, body.changes, body.dimension, report_progress)
            case _:
                return self._interface(body, report_progress)

    def _interface(self, body: RequestBody, report_progress: Callable[[str], None]) -> ReplyBody:
        """Questions about what torch.compile can be told."""
        match body:
            case AskCompileInterface():
                return self._engine.compile_interface()
            case RunScript():
                ran = run_isolated(body, find_front_end(body.spec.front_end).title, report_progress)
                assert isinstance(ran, ScriptRun)
                return ran
            case TryBackend():
                tried = run_isolated(body, f"backend {body.backend}", report_progress)
                assert isinstance(tried, BackendTried)
                return tried
            case MeasureChoices():
                return self._engine.measure_choices(body.spec, body.choices, report_progress)
            case MeasureStances():
                return self._engine.measure_stances(body.spec, body.dimension, report_progress)
            case _:
                return answer_about_operators(body, report_progress)

    def _urgent(self, request: Request) -> None:
        """On the connection's thread, while the main thread works."""
        body = request.body
        if isinstance(body, ShutDown):
            os._exit(0)
        if isinstance(body, StopTimings):
            self._stop_timings.set()
            self._connection.send(Reply(request.id, Done()))
        if isinstance(body, CancelRequest):
            with self._guard:
                self._cancelled.add(body.request)
                if self._current == body.request:
                    self._interrupter.interrupt(lambda: self._current == body.request)

    def _lost(self) -> None:
        """Nobody listens any more."""
        os._exit(0)


def _where(interrupt: BaseException) -> str:
    problem = problem_from(interrupt, "", "")
    return f"{problem.path}:{problem.line}" if problem.path else ""


def _cancelled(request: int, where: str) -> Failure:
    text = f"Cancelled while the program was at {where}." if where else "Cancelled."
    return Failure(request, Problem(text, "Nothing was changed."), cancelled=True)
