import pytest
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated
from compiler.model.protocol.progress import Phase, Step
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine


def begin(session: Session, engine: FakeEngine) -> None:
    """A first capture of which the stages are generated."""
    session.capture_target(sample_capture.capture().spec)
    asked = engine.last(MakeCapture).body
    early = sample_capture.capture(asked.id)
    built = KernelBuild(sample_capture.KERNELS, "cpp_fused_relu_0")
    for step in (Step(Phase.DYNAMO, 1), Step(Phase.AOT_AUTOGRAD, 1), Step(Phase.INDUCTOR, 1)):
        engine.step = step
        engine.set_state("busy", "Compiling")
    engine.event_arrived.emit(StagesGenerated(early, (built,), 2))
    engine.step = Step(Phase.KERNELS, 1, 3, 8)
    engine.set_state("busy", "Building kernels: 3 of 8 built")


def end(engine: FakeEngine) -> None:
    engine.step = None
    engine.set_state("ready", "Ready")


def test_the_work_is_a_checklist_in_the_row_of_the_result(
    window: MainWindow, session: Session, engine: FakeEngine, qtbot: QtBot
) -> None:
    begin(session, engine)
    work = window.row.work
    assert window.pages.currentWidget() is window.dock_area
    qtbot.waitUntil(work.isVisible)
    assert work.steps.text().endswith("graph 1: Dynamo ✓ · AOTAutograd ✓ · Inductor ✓ · kernels 3/8")
    assert "cpp_fused_relu_0" in work.steps.toolTip()
    assert "2 more were built before" in work.steps.toolTip()
    assert (work.bar.value(), work.bar.maximum()) == (375, 1000)
    assert not window.status.cancel.isVisible()
    work.cancel.click()
    assert engine.cancelled == 1
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    end(engine)
    assert not work.isVisible()


@pytest.mark.thorough
def test_panes_stay_where_they_are_while_work_begins_and_ends(
    window: MainWindow, session: Session, engine: FakeEngine, qtbot: QtBot
) -> None:
    begin(session, engine)
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    end(engine)
    before = window.pages.geometry()
    assert window.row.height() < 48
    session.capture_target(sample_capture.capture().spec)
    engine.step = Step(Phase.INDUCTOR, 2)
    engine.set_state("busy", "Inductor compiles the forward graph")
    qtbot.waitUntil(window.row.work.isVisible)
    assert window.pages.geometry() == before
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    end(engine)
    window.row.changes.show()
    qtbot.wait(20)
    assert window.pages.geometry() == before


def test_a_first_capture_given_up_stays_as_far_as_it_came(
    window: MainWindow, session: Session, engine: FakeEngine
) -> None:
    begin(session, engine)
    engine.last(MakeCapture).fail("Cancelled.", cancelled=True)
    end(engine)
    assert not window.row.work.isVisible()
    assert window.pages.currentWidget() is window.dock_area
