"""Another program is opened: whoever is informed meanwhile sees the old one or the new one, whole."""

import msgspec

from app.session.facade.session import Session
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from tests.helpers import sample_capture
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture

D = sample_capture.DYNAMO


def test_what_waits_for_the_old_program_is_refused_before_the_new_one_is_there(
    open_session: Session, engine: FakeEngine
) -> None:
    """The inspector read the histories of one program in the stages of the other, and raised."""
    seen: list[bool] = []

    def refused(problem: Problem | None) -> None:
        assert problem is not None
        open_session.report(problem)

    def look() -> None:
        known = {stage.id for stage in open_session.capture.stages}
        seen.append({event.stage for event in open_session.passes.history(place(D, "z"))} <= known)

    old = open_session.capture
    open_session.live.clear()
    open_session.live.ensure(old, refused)
    open_session.problems_changed.connect(look)
    new = msgspec.structs.replace(old, id="capture-9", stages=old.stages[:1], links=())
    open_capture(open_session, new)
    assert open_session.capture is not old
    assert seen
    assert all(seen)
