"""A session in which a program was captured."""

from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers.fake_engine import FakeEngine


def open_capture(session: Session, capture: Capture) -> Session:
    """Let the session ask for a program, and its engine, which is a fake, answer with this capture."""
    assert isinstance(session.engine, FakeEngine)
    session.capture_target(capture.spec)
    session.engine.last(MakeCapture).reply(CaptureMade(capture))
    return session
