"""The same graph of another capture has the colours of that capture."""

import msgspec

from app.session.facade.session import Session
from compiler.model.capture.capture import Capture
from compiler.model.ir.links import LinkTable
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.app.panes.graph.conftest import settle
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine

D = sample_capture.DYNAMO


def _capture(session: Session, engine: FakeEngine, capture: Capture) -> None:
    session.capture_target(capture.spec)
    body = engine.last(MakeCapture).body
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, id=body.id)))


def test_tints_are_read_again_where_only_the_links_are_others(
    make_pane, session: Session, engine: FakeEngine, qtbot
) -> None:
    whole = sample_capture.capture()
    source = next(stage.id for stage in whole.stages if stage.id.startswith("source:"))
    _capture(session, engine, whole)
    pane = make_pane(session)
    before = dict(pane._tints)
    assert before
    # a line above all others is linked too, so every line's colour moves on by one
    table = LinkTable(source, D, "more", "torch", (("L1", "output"),))
    _capture(session, engine, msgspec.structs.replace(whole, links=(table, *whole.links)))
    settle(qtbot, pane)
    assert pane._tints != before
    assert all(tint == session.color_index(D, node) for node, tint in pane._tints.items())
