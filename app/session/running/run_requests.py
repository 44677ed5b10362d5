"""Asks the program that is followed, instead of an engine: about its graphs, and for edits of them."""

import dataclasses
import itertools
from collections.abc import Hashable

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import OnFailure, OnReply, failure_of
from app.session.captures.live_captures import runs_by_itself
from app.session.running.run_follower import RunFollower
from app.translation.texts import tr, tr_noop
from compiler.analysis.running.lanes import Lane
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import CancelRequest, Failure, Recompile, Reply, Request, RequestBody
from compiler.model.protocol.requests import row_of
from compiler.model.protocol.run_events import RUNNING
from compiler.model.protocol.run_requests import AnsweredByRun

_WAITING = tr_noop("Waiting until the program calls the graph again")


@dataclasses.dataclass
class _Request:
    body: RequestBody
    on_reply: OnReply
    on_failure: OnFailure
    key: Hashable
    lane: int
    given_up: bool = False


class RunRequests(QObject):
    """One for each session; it answers where the capture shown is of a program that can be edited."""

    changed = Signal()
    """`doing` or `busy` changed."""
    problem_found = Signal(object)

    def __init__(self, run: RunFollower, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self._numbers = itertools.count(1)
        self._asked: dict[int, _Request] = {}
        run.answered.connect(self._take_answer)
        run.changed.connect(self._mind_the_ended)

    @property
    def editable(self) -> bool:
        """Whether what is shown is of a program that runs now, and whose graphs it can edit."""
        lane = self._run.shown_lane
        return lane is not None and lane.ended is None and lane.began is not None and lane.began.editable

    def holds(self, capture: Capture | None) -> bool:
        """Whether the objects behind a capture of the session are in the program."""
        return capture is not None and self.editable

    @property
    def busy(self) -> bool:
        """Whether the program was asked something that it has not answered."""
        return any(not row.given_up for row in self._asked.values())

    @property
    def doing(self) -> str:
        """What it does for that, or empty."""
        if not self.busy:
            return ""
        lane = self._run.shown_lane
        doing = lane.doing if lane is not None else ""
        return doing if doing not in ("", RUNNING) else tr(_WAITING)

    def take(self, body: RequestBody, on_reply: OnReply, on_failure: OnFailure, key: Hashable) -> bool:
        """Ask the program, if it is its affair. What would have to run the program is refused."""
        number = self._run.shown_connection
        if number is None or not self._run.following or not row_of(body).is_live:
            return False
        if not isinstance(body, AnsweredByRun):
            on_failure(failure_of(runs_by_itself()))
            return True
        if not self.editable:
            return False
        for other in self._asked.values():
            other.given_up = other.given_up or (key is not None and other.key == key)
        self._ask(_Request(body, on_reply, on_failure, key, number))
        if isinstance(body, Recompile):
            self._ask_other_ranks(body, number)
        self.changed.emit()
        return True

    def cancel(self) -> None:
        """Wait no longer. What the program has begun is done to its end, and shown."""
        for number, row in self._asked.items():
            if not row.given_up:
                row.given_up = True
                self._run.send(row.lane, Request(next(self._numbers), CancelRequest(number)))
                unchanged = Problem(tr("Cancelled."), tr("Nothing was changed."), severity=Severity.NOTE)
                row.on_failure(failure_of(unchanged, cancelled=True))
        self.changed.emit()

    def _ask(self, asked: _Request) -> None:
        number = next(self._numbers)
        self._asked[number] = asked
        self._run.send(asked.lane, Request(number, asked.body))

    def _ask_other_ranks(self, body: Recompile, shown: int) -> None:
        """Ranks train one model: those that compiled the same graphs run the same edits."""
        own = self._run.lanes[shown].capture
        for number, lane in enumerate(self._run.lanes):
            began = lane.began
            if (
                number == shown
                or began is None
                or not began.rank
                or not began.editable
                or lane.ended is not None
            ):
                continue
            if own is None or not _same_graphs(own, lane, body.edits):
                what = tr("{title} compiled another graph there; it goes on without these edits.").format(
                    title=lane.title
                )
                self.problem_found.emit(
                    Problem(what, tr("Compare the ranks in the Run pane."), severity=Severity.WARNING)
                )
                continue
            self._ask(_Request(body, lambda _: None, self._other_failed(lane.title), None, number))

    def _other_failed(self, title: str) -> OnFailure:
        def fail(failure: Failure) -> None:
            what = tr("{title} goes on without these edits: {what}").format(
                title=title, what=failure.problem.what
            )
            self.problem_found.emit(msgspec.structs.replace(failure.problem, what=what))

        return fail

    def _take_answer(self, _lane: int, message: Reply | Failure) -> None:
        row = self._asked.pop(message.id, None)
        if row is not None and isinstance(message, Reply):
            if not row.given_up or row_of(row.body).request is Recompile:
                row.on_reply(message.body)  # an edit that had begun runs now, whoever gave it up
        elif row is not None and isinstance(message, Failure) and not row.given_up:
            row.on_failure(message)
        self.changed.emit()

    def _mind_the_ended(self) -> None:
        """A program that has ended answers nothing."""
        lanes = self._run.lanes
        for number, row in list(self._asked.items()):
            if row.lane >= len(lanes) or lanes[row.lane].ended is not None or not self._run.is_open(row.lane):
                del self._asked[number]
                if not row.given_up:
                    row.on_failure(failure_of(Problem(tr("The program has ended."), tr("Start it again."))))


def _same_graphs(own: Capture, lane: Lane, edits: tuple[Edit, ...]) -> bool:
    """Whether a rank has the same Dynamo graphs where edits are made."""
    if lane.capture is None:
        return False
    known = {stage.id: stage.compile_id for stage in own.stages}
    names = {known.get(stage, "") for edit in edits for stage in stages_of(edit)}
    return all(_calls(own, name) == _calls(lane.capture, name) for name in names)


def _calls(capture: Capture, compile_id: str) -> list[tuple[object, ...]]:
    return [
        (node.id, node.op, node.target, node.args, node.kwargs)
        for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)
        if stage.compile_id == compile_id and stage.graph is not None
        for node in stage.graph.nodes
    ]
