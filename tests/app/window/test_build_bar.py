from app.session.facade.session import Session
from app.window.main_window import MainWindow
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine


def begin(session: Session, engine: FakeEngine) -> None:
    """A first capture of which the stages are generated."""
    session.capture_target(sample_capture.capture().spec)
    asked = engine.last(MakeCapture).body
    assert isinstance(asked, MakeCapture)
    early = sample_capture.capture(asked.id)
    built = KernelBuild(sample_capture.KERNELS, "cpp_fused_relu_0")
    engine.event_arrived.emit(StagesGenerated(early, (built,), 2))
    engine.set_state("busy", "Building kernels: 0 of 1 built")


def test_what_is_built_is_said_above_the_panes(
    window: MainWindow, session: Session, engine: FakeEngine
) -> None:
    begin(session, engine)
    assert window.pages.currentWidget() is window.dock_area
    assert window.build_bar.isVisible()
    assert "0 of 1 built (2 more were built before)" in window.build_bar.text.text()
    assert "cpp_fused_relu_0" in window.build_bar.toolTip()
    window.build_bar.cancel.click()
    assert engine.cancelled == 1
    engine.last(MakeCapture).reply(CaptureMade(sample_capture.capture()))
    assert not window.build_bar.isVisible()


def test_a_first_capture_given_up_stays_as_far_as_it_came(
    window: MainWindow, session: Session, engine: FakeEngine
) -> None:
    begin(session, engine)
    engine.last(MakeCapture).fail("Cancelled.", cancelled=True)
    assert not window.build_bar.isVisible()
    assert window.pages.currentWidget() is window.dock_area
