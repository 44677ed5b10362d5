"""A capture of one stage of a pipeline: the Ranks pane lists all of them, captures the others, and goes back without doing so."""

import msgspec
import pytest

from app.panes.ranks_pane import RanksPane
from app.session.facade.session import Session
from app.session.ranks.plan_stages import MOST_RANKS
from compiler.analysis.text_format.result_line import result_line
from compiler.model.capture.capture import Capture
from compiler.model.prediction.parallel_plan import ParallelPlan, checked
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture
from tests.helpers.changed_capture import with_source
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import seen_rows


def of_rank(rank: int, mesh: tuple[tuple[str, int], ...] = (("dp", 2), ("pp", 2))) -> Capture:
    made = sample_capture.capture()
    plan = checked(ParallelPlan(4, mesh, rank=rank))
    return msgspec.structs.replace(
        made, spec=msgspec.structs.replace(made.spec, parallel=plan, without_values=True)
    )


@pytest.fixture
def pane(session: Session, qtbot) -> RanksPane:
    return on_screen(qtbot, RanksPane(session), 700, 400)


def rows(pane: RanksPane) -> list[list[str]]:
    return [row.texts() for row in seen_rows(pane.plan.table)]


def test_stages_are_listed_captured_and_gone_back_to(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    session.ranks.stages.wanted.connect(session.ranks.stages.show)  # as the window does
    open_capture(session, first := of_rank(0))
    assert pane.plan.isVisible()
    assert pane.plan.headline.text() == "Rank 0 of 4 as dp=2, pp=2 is shown: stage 0 of 2"
    assert rows(pane) == [["0", "0, 2", "shown, as rank 0"], ["1", "1, 3", "not captured"]]
    assert pane.plan.go.text() == "Capture stage 1"
    pane.plan.go.click()
    asked = engine.last(MakeCapture)
    assert asked.body.spec == of_rank(1).spec
    asked.reply(CaptureMade(second := of_rank(1)))
    assert session.capture is second
    assert session.changes.diff is None, "another stage is no change of this one"
    assert rows(pane) == [["0", "0, 2", "captured, as rank 0"], ["1", "1, 3", "shown, as rank 1"]]
    assert not pane.plan.all.isEnabled()
    pane.plan.table.make_current(0)
    assert pane.plan.go.text() == "Show stage 0"
    pane.plan.go.click()
    assert session.capture is first
    assert engine.last(MakeCapture) is asked, "nothing is captured again"


def test_all_stages_are_captured_one_after_the_other(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    mesh = (("pp", 4),)
    open_capture(session, of_rank(0, mesh))
    pane.plan.all.click()
    for rank in (1, 2, 3):
        asked = engine.last(MakeCapture)
        assert asked.body.spec.parallel.rank == rank
        asked.reply(CaptureMade(of_rank(rank, mesh)))
    assert [row[2] for row in rows(pane)] == ["captured", "captured", "captured", "shown"]


def test_a_stage_of_another_text_of_the_program_is_not_kept(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    open_capture(session, of_rank(0))
    changed = of_rank(1)
    open_capture(session, with_source(changed, text="# changed\n"))
    assert [row[2] for row in rows(pane)] == ["not captured", "shown, as rank 1"]


def test_ranks_of_a_plan_without_stages_are_listed(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    open_capture(session, one := of_rank(2, (("dp", 4),)))
    assert pane.plan.headline.text() == "Rank 2 of 4 as dp=4 is shown"
    assert [row[2] for row in rows(pane)] == ["not captured", "not captured", "shown", "not captured"]
    assert "rank 2 of 4" in result_line(one)
    assert "stage 1 of 2, rank 1 of 4" in result_line(of_rank(1))


def test_all_ranks_of_a_large_world_are_listed_and_found_by_number(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    world = 512
    made = of_rank(0)
    plan = checked(ParallelPlan(world, (("dp", world),), rank=300))
    open_capture(
        session, msgspec.structs.replace(made, spec=msgspec.structs.replace(made.spec, parallel=plan))
    )
    assert len(rows(pane)) == world
    assert pane.plan.table.field.isVisible()
    pane.plan.table.field.setText("511")
    assert [row[1] for row in rows(pane)] == ["511"]


def test_of_more_ranks_than_are_listed_the_rest_is_counted(
    session: Session, engine: FakeEngine, pane: RanksPane
) -> None:
    world = MOST_RANKS + 100
    made = of_rank(0)
    plan = checked(ParallelPlan(world, (("dp", world),), rank=world - 1))
    open_capture(
        session, msgspec.structs.replace(made, spec=msgspec.structs.replace(made.spec, parallel=plan))
    )
    assert "99 more rank" in pane.plan.words.text()
    assert rows(pane)[-1][1:] == [str(world - 1), "shown"]
