"""The one way to ask: what waits for the program, what replaces what, and that nobody waits for ever."""

from app.session.facade.session import Session
from compiler.model.experiments.costs import COMPILE_TIME, FindCost
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.operators.dispatching import OperatorTable, ShowOperator
from compiler.model.protocol.messages import (
    CaptureMade,
    Done,
    ListOps,
    MakeCapture,
    MeasureBreaks,
    RunTimings,
)
from compiler.model.protocol.requests import REQUESTS, Needs
from compiler.model.timing.timings import TimingSettings
from tests.helpers import sample_capture as sample
from tests.helpers.fake_engine import FakeEngine


def test_a_row_needs_the_capture_that_its_request_names() -> None:
    for kind, row in REQUESTS.items():
        assert row.is_live == ("capture" in kind.__struct_fields__), kind
    assert REQUESTS[RunTimings].needs is Needs.RUNNING_CAPTURE


def test_what_is_about_a_program_fails_where_none_is_open(session: Session, engine: FakeEngine) -> None:
    reported: list[object] = []
    session.asking.operations("0/0:dynamo", "relu", reported.append)
    session.breaks.measure()
    session.timings.start(TimingSettings())
    problems = [*reported, *session.problems]
    assert len(problems) == 2  # one that is reported again is not listed twice
    assert {problem.what for problem in problems} == {"Nothing is captured yet."}  # type: ignore[attr-defined]
    assert engine.asked == []
    assert not session.breaks.searching
    assert not session.timings.running


def test_what_waits_for_a_program_fails_when_another_one_is_opened(
    open_session: Session, engine: FakeEngine
) -> None:
    """It would be asked about the one that is gone, so it was never answered, and the pane waited for ever."""
    engine.die()
    reported: list[object] = []
    open_session.asking.operations(sample.DYNAMO, "relu", reported.append)
    assert isinstance(engine.asked[-1].body, MakeCapture)  # the program is captured again first
    assert reported == []
    open_session.capture_again()
    engine.last(MakeCapture).reply(CaptureMade(sample.capture("capture-2")))
    (problem,) = reported
    assert isinstance(problem, Problem)
    assert "not open any more" in problem.what
    assert engine.count(ListOps) == 0


def test_a_search_that_waits_ends_when_the_program_cannot_be_captured_again(
    open_session: Session, engine: FakeEngine
) -> None:
    engine.die()
    open_session.causes.costs.search(COMPILE_TIME, None)
    assert open_session.causes.costs.searching
    engine.last(MakeCapture).fail("It raises now.")
    assert not open_session.causes.costs.searching
    assert engine.count(FindCost) == 0
    assert open_session.problems[-1].what == "It raises now."


def test_what_waits_for_a_program_is_cancelled_with_it_also_where_the_program_was_just_made(
    open_session: Session, engine: FakeEngine
) -> None:
    """The capture's answer may be under way when the person cancels; what waited for it began then."""
    engine.die()
    reported: list[object] = []
    open_session.asking.operations(sample.DYNAMO, "relu", reported.append)
    open_session.cancel()
    (problem,) = reported
    assert isinstance(problem, Problem)
    assert problem.severity is Severity.NOTE
    engine.last(MakeCapture).reply(CaptureMade(sample.capture()))
    assert engine.count(ListOps) == 0
    assert not open_session.live.doing
    open_session.asking.operations(sample.DYNAMO, "relu", reported.append)  # the capture is there now
    assert (engine.count(MakeCapture), engine.count(ListOps)) == (
        2,
        1,
    )  # the first was before the engine died


def test_an_answer_of_another_kind_is_a_failure(open_session: Session, engine: FakeEngine) -> None:
    open_session.breaks.measure()
    engine.last(MeasureBreaks).reply(Done())
    assert not open_session.breaks.searching
    assert open_session.problems[-1].what == "The engine answered MeasureBreaks with Done."


def test_a_newer_request_replaces_one_of_its_kind_and_purpose(
    open_session: Session, engine: FakeEngine
) -> None:
    open_session.asking.operations(sample.DYNAMO, "relu", lambda _answer: None)
    open_session.asking.operations(sample.DYNAMO, "linear", lambda _answer: None)
    older, newer = (asked for asked in engine.asked if isinstance(asked.body, ListOps))
    assert (older.replaced, newer.replaced) == (True, False)


def test_different_operators_are_different_questions(open_session: Session, engine: FakeEngine) -> None:
    for name in ("aten::add.Tensor", "aten::mul.Tensor"):
        assert open_session.operators.table(name) is None
    asked = [row for row in engine.asked if isinstance(row.body, ShowOperator)]
    assert [row.replaced for row in asked] == [False, False]
    table = OperatorTable("aten::add.Tensor", "", (), ())
    asked[0].reply(table)
    assert open_session.operators.table("aten::add.Tensor") is table


def test_cancelled_is_no_error(open_session: Session, engine: FakeEngine) -> None:
    open_session.breaks.measure()
    engine.last(MeasureBreaks).fail("Cancelled.", cancelled=True)
    assert open_session.problems[-1].severity.name == "NOTE"
