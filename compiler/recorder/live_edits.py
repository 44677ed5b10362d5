"""Questions about graphs of the running program and edits of them, done on the thread that is about to call a graph."""

import contextlib
import time
from collections.abc import Callable, Iterator

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.recompile.graph_questions import answer_about
from compiler.engine.run_recording.edited_run import EditedRun
from compiler.engine.run_recording.run_recorder import RunRecorder
from compiler.engine.torch_internals.live.editable_program import EditableGraph
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, describe_edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.memory_budget_curve import PartitionCurve
from compiler.model.protocol import messages as ask
from compiler.model.protocol.front_end_requests import EditQuestion
from compiler.model.protocol.messages import CancelRequest, Failure, Reply, ReplyBody, Request
from compiler.model.protocol.requests import status_of
from compiler.model.protocol.run_events import RUNNING
from compiler.model.protocol.run_requests import AnsweredByRun

_PATIENCE = 3.0
"""Seconds for which an edit waits for a call of its own graph, before which all is as it was when that was compiled; then it
is compiled before the call of any graph."""
_NOT_HERE = Problem(
    "A program that runs by itself is not asked this: it would have to be run for it.",
    "Open its model by itself for that.",
)
_NOT_HELD = Problem(
    "This program was started without what is needed to edit it while it runs.",
    "Start it with loupe run --editable.",
)


class LiveEdits:
    """What was asked, in order. Whatever goes wrong is the answer, and the program goes on."""

    def __init__(
        self,
        recorder: RunRecorder,
        answer: Callable[[Reply | Failure], None],
        report_progress: Callable[[str], None],
        edited: Callable[[tuple[str, ...], float], None],
        waited: Callable[[float], None],
    ) -> None:
        """`edited` is told what edits the program runs with from now on, and for how many seconds they were compiled; `waited`
        for how many seconds the program stood still, which are none of its own.
        """
        self._recorder = recorder
        self._answer = answer
        self._report_progress = report_progress
        self._edited = edited
        self._waited = waited
        self._asked: list[tuple[Request, float]] = []

    def take(self, request: Request) -> None:
        """Somebody asks this."""
        if isinstance(request.body, CancelRequest):
            self._cancel(request.body.request)
        elif not isinstance(request.body, AnsweredByRun):
            self._answer(Failure(request.id, _NOT_HERE))
        elif not self._recorder.editable:
            self._answer(Failure(request.id, _NOT_HELD))
        else:
            self._asked.append((request, time.monotonic()))
            self._recorder.at_call(self._at_call)

    def clear(self) -> None:
        """In a process that was forked: it was asked of its parent."""
        self._asked.clear()
        self._recorder.at_call(None)

    def _cancel(self, number: int) -> None:
        """What has begun is done to its end."""
        left = [row for row in self._asked if row[0].id != number]
        if len(left) < len(self._asked):
            self._asked = left
            self._answer(Failure(number, Problem("Cancelled.", "Nothing was changed."), cancelled=True))

    def _at_call(self, graph: EditableGraph) -> None:
        """`graph` is about to be called, and nothing of it is under way."""
        run = self._recorder.edited()
        while self._asked and run is not None:
            request, since = self._asked[0]
            own = True
            if isinstance(request.body, ask.Recompile):
                wanted = run.graph_of((*request.body.edits, *run.edits))
                own = wanted is graph
                if not own and wanted is not None and time.monotonic() - since < _PATIENCE:
                    return  # what is asked after it is about what it leads to
            del self._asked[0]
            with self._standing_still():
                self._do(request, graph, run, own)
                self._report_progress(RUNNING)
        self._recorder.at_call(None)

    @contextlib.contextmanager
    def _standing_still(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self._waited(time.monotonic() - began)

    def _do(self, request: Request, graph: EditableGraph, run: EditedRun, own: bool) -> None:
        began = time.monotonic()
        self._report_progress(status_of(request.body))
        try:
            with self._recorder.compiling_again(graph):
                reply = self._reply(request, graph, run, own, began)
        except EngineError as error:
            self._answer(Failure(request.id, error.problem))
        except Exception as error:  # noqa: BLE001  nothing of this may reach the program
            problem = problem_from(error, "The running program could not do this", "It goes on as before.")
            self._answer(Failure(request.id, problem))
        else:
            if reply is not None:
                self._answer(Reply(request.id, reply))

    def _reply(
        self, request: Request, graph: EditableGraph, run: EditedRun, own: bool, began: float
    ) -> ReplyBody | None:
        """None: the answer follows when the graph was called. Raises EngineError."""
        match request.body:
            case ask.Recompile(edits=edits, id=made):
                before = run.edits
                capture = run.apply(edits, made, self._report_progress)
                waited = time.monotonic() - began
                if own:
                    graph.on_trial = lambda error: self._tried(request, run, capture, before, waited, error)
                    return None
                self._send_edited(edits, waited)
                return ask.Recompiled(capture, None)
            case ask.ListKnobs(stage=stage, nodes=nodes, edits=edits):
                return run.try_knobs(stage, nodes, edits, self._report_progress)
            case ask.ExplorePartition(stage=stage, edits=edits):
                return PartitionCurve(stage, run.explore(stage, edits, self._report_progress))
        assert isinstance(request.body, EditQuestion)
        return answer_about(run, request.body)

    def _tried(
        self,
        request: Request,
        run: EditedRun,
        capture: Capture,
        before: tuple[Edit, ...],
        waited: float,
        error: Exception | None,
    ) -> None:
        """The graph was called for the first time as it was edited."""
        if error is None:
            self._send_edited(run.edits, waited)
            self._answer(Reply(request.id, ask.Recompiled(capture, None)))
            return
        run.take_back(before)
        remedy = "What ran before runs again; undo the edit or change it."
        self._answer(
            Failure(request.id, problem_from(error, "The edited graph fails when it is called", remedy))
        )

    def _send_edited(self, edits: tuple[Edit, ...], waited: float) -> None:
        self._edited(tuple(map(describe_edit, edits)), waited)
