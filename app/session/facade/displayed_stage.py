"""Which form of a stage panes show."""

from collections.abc import Callable

from app.session.facade.session import Session
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.stage import Stage


def color_in_view(session: Session, stage_id: StageId) -> Callable[[NodeId], int | None]:
    """The shared colour of a node of the stage as it is looked at: its own, or that of what it is at the end."""
    ends = session.passes.ends_as(stage_id)
    indices = session.colors.indices(stage_id)
    if not ends:
        return indices.get

    def color(node: NodeId) -> int | None:
        tints = (indices.get(other) for other in (node, *ends.get(node, ())))
        return next((tint for tint in tints if tint is not None), None)

    return color


def stage_in_view(session: Session, stage_id: StageId) -> Stage:
    """The stage after the pass that is looked at; without one as `Session.stage_with_edits`.

    Raises KeyError where the capture shown has no such stage.
    """
    return session.passes.stage(stage_id) or session.stage_with_edits(stage_id)
