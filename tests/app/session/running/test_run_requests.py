"""Edits in the window go to the program that is followed; each answer, each refusal and each end arrives."""

from collections.abc import Iterator

import msgspec
import pytest

from app.session.facade.session import Session
from compiler.analysis.running.listener import Listener
from compiler.model.capture.run_story import RunEdit
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import (
    CancelRequest,
    Failure,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    Reply,
    Request,
    RequestBody,
)
from compiler.model.protocol.run_events import RunCaptured, RunEdited, RunEnded
from compiler.model.timing.timings import TimingSettings
from tests.helpers import sample_capture
from tests.helpers.recorded_run import ScriptedProcess, Until, counted, recorded_capture

D = sample_capture.DYNAMO
TO_GELU = ReplaceTarget(D, "z", "call_function", "torch.nn.functional.gelu", sample_capture.args("y"))


class Answering(ScriptedProcess):
    """A process that is asked."""

    def __init__(self, listener: Listener, until: Until, *ranks: str) -> None:
        super().__init__(listener, 4711, *ranks, editable=True)
        self._until = until
        self.asked: list[Request] = []

    def next(self, kind: type[RequestBody]) -> Request:
        """The next question of a kind; what else was asked is left out."""

        def came() -> bool:
            self.asked += [row for row in self.heard() if isinstance(row, Request)]
            return any(isinstance(row.body, kind) for row in self.asked)

        self._until(came)
        found = next(row for row in self.asked if isinstance(row.body, kind))
        self.asked = self.asked[self.asked.index(found) + 1 :]
        return found

    def recompiled(self, request: Request) -> None:
        assert isinstance(request.body, Recompile)
        made = msgspec.structs.replace(recorded_capture(), id=request.body.id, parent="run")
        self.send(Reply(request.id, Recompiled(made, None)))


@pytest.fixture
def process(listener: Listener, session: Session, until: Until) -> Iterator[Answering]:
    session.run.follow(str(listener.place))
    made = Answering(listener, until)
    made.emit(RunCaptured(recorded_capture()), counted(1.0, 3))
    until(lambda: session.capture is not None)
    yield made
    made.close()


def test_an_edit_goes_to_the_program_and_back(process: Answering, session: Session, until: Until) -> None:
    assert session.run_requests.editable
    session.make_edit(TO_GELU)
    asked = process.next(PreviewEdits)
    process.send(Reply(asked.id, Preview((), (Problem("planted", "nothing"),))))
    until(lambda: any(problem.what == "planted" for problem in session.problems))
    session.recompile()
    asked = process.next(Recompile)
    assert isinstance(asked.body, Recompile)
    assert (asked.body.capture, asked.body.edits) == ("run", (TO_GELU,))
    until(lambda: session.busy)
    assert "Waiting until the program calls" in session.status_text
    process.recompiled(asked)
    until(lambda: len(session.captures) == 2)
    assert not session.has_uncompiled_edits
    assert not session.busy
    process.emit(RunEdited(RunEdit(2.0, ("z: call gelu",))), counted(3.0, 9))
    until(lambda: len(session.run.rows[0].story.edits) == 1)

    process.emit(RunCaptured(recorded_capture(3)), counted(4.0, 12))
    until(lambda: session.capture is not None and len(session.capture.frames) == 3)
    assert session.capture is session.captures[1], (
        "what was edited stays in front, with what was compiled since"
    )

    session.take_back_in_program()
    asked = process.next(Recompile)
    assert isinstance(asked.body, Recompile)
    assert (asked.body.edits, asked.body.id) == ((), "run")
    process.recompiled(asked)
    until(lambda: not session.busy)
    assert session.capture is session.captures[0]
    process.heard()
    assert not process.asked, "it is told once"


def test_what_the_program_refuses_is_reported(process: Answering, session: Session, until: Until) -> None:
    session.make_edit(TO_GELU)
    session.recompile()
    process.send(Failure(process.next(Recompile).id, Problem("Not this.", "Try another.")))
    until(lambda: any(problem.what == "Not this." for problem in session.problems))
    assert session.has_uncompiled_edits
    assert len(session.captures) == 1


def test_what_would_run_the_program_is_refused_here(
    process: Answering, session: Session, until: Until
) -> None:
    session.timings.start(TimingSettings())
    until(lambda: any("runs by itself" in problem.what for problem in session.problems))
    assert not [row for row in process.heard() if isinstance(row, Request)]


def test_giving_up_to_wait_is_asked_to_the_program(
    process: Answering, session: Session, until: Until
) -> None:
    session.make_edit(TO_GELU)
    session.recompile()
    asked = process.next(Recompile)
    session.cancel()
    assert not session.busy
    cancelled = [process.next(CancelRequest).body for _ in range(2)]  # of the preview, too
    assert asked.id in [body.request for body in cancelled if isinstance(body, CancelRequest)]
    process.recompiled(asked)  # it had begun: what runs now is shown
    until(lambda: len(session.captures) == 2)


def test_a_program_that_ends_answers_nothing(process: Answering, session: Session, until: Until) -> None:
    session.make_edit(TO_GELU)
    session.recompile()
    process.next(Recompile)
    process.emit(RunEnded())
    until(lambda: any("has ended" in problem.what for problem in session.problems))
    assert not session.busy
    assert not session.run_requests.editable
    assert session.edits == (TO_GELU,)


def test_ranks_with_the_same_graph_run_the_same_edit(
    listener: Listener, session: Session, until: Until
) -> None:
    session.run.follow(str(listener.place))
    ranks = [Answering(listener, until, rank) for rank in "012"]
    other = msgspec.structs.replace(
        recorded_capture(), stages=tuple(row for row in recorded_capture().stages if row.id != D)
    )
    for rank, capture in zip(ranks, (recorded_capture(), recorded_capture(), other), strict=True):
        rank.emit(RunCaptured(capture), counted(1.0, 3))
    until(lambda: len([row for row in session.run.rows if row.capture is not None]) == 3)
    until(lambda: session.capture is not None)
    session.make_edit(TO_GELU)
    session.recompile()
    first, second = (rank.next(Recompile) for rank in ranks[:2])
    ranks[0].recompiled(first)
    ranks[1].send(Failure(second.id, Problem("Not here.", "Look.")))
    until(lambda: any("rank 1 goes on without" in problem.what for problem in session.problems))
    assert any("rank 2 compiled another graph" in problem.what for problem in session.problems)
    assert not [row for row in ranks[2].heard() if isinstance(row, Request)]
    for rank in ranks:
        rank.close()
