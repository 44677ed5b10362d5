"""Which form of a stage panes show."""

from app.session.facade.session import Session
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage


def stage_in_view(session: Session, stage_id: StageId) -> Stage:
    """The stage after the pass that is looked at; without one as `Session.stage_with_edits`.

    Raises KeyError where the capture shown has no such stage.
    """
    return session.passes.stage(stage_id) or session.stage_with_edits(stage_id)
