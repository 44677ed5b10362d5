"""Reads from the session what is to be marked in the stage on show."""

from app.canvas.box_colors import Painting
from app.canvas.marks import Marks
from app.session.facade.displayed_stage import color_in_view
from app.session.facade.session import Session
from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.ids import NodeId, StageId


def read_marks(
    session: Session,
    stage: StageId,
    tints: dict[NodeId, int],
    found: frozenset[NodeId],
    painting: Painting | None = None,
) -> Marks:
    """Everything marked in a stage now."""
    step = session.passes.step_shown(stage)
    return Marks(
        pinned=session.passes.pinned_in(stage),
        hovered=session.passes.hovered_in(stage),
        edited=session.edited_nodes(stage),
        found=found,
        problems=_problems(session, stage),
        tints=tints,
        made=frozenset(step.made) if step is not None else frozenset(),
        changed=frozenset(step.changed) if step is not None else frozenset(),
        painting=painting,
    )


def read_tints(session: Session, stage: StageId, diagram: Diagram) -> dict[NodeId, int]:
    """The shared colour of each node that comes from a source line."""
    color = color_in_view(session, stage)
    return {node.id: index for node in diagram.nodes if (index := color(node.id)) is not None}


def _problems(session: Session, stage: StageId) -> dict[NodeId, str]:
    found: dict[NodeId, str] = {}
    for problem in session.problems:
        if problem.place is not None and problem.place.stage == stage:
            for node in problem.place.nodes:
                found[node] = "\n".join(part for part in (found.get(node), problem.message()) if part)
    return found
