"""Reads from the session what is to be marked in the stage on show."""

from app.canvas.box_colors import Painting
from app.canvas.marks import Marks
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
    found = {}
    ends = session.passes.ends_as(stage)
    for node in diagram.nodes:
        index = session.color_index(stage, node.id)
        if index is None and node.id in ends:
            tints = (session.color_index(stage, end) for end in ends[node.id])
            index = next((tint for tint in tints if tint is not None), None)
        if index is not None:
            found[node.id] = index
    return found


def _problems(session: Session, stage: StageId) -> dict[NodeId, str]:
    found: dict[NodeId, str] = {}
    for problem in session.problems:
        if problem.place is not None and problem.place.stage == stage:
            for node in problem.place.nodes:
                found[node] = "\n".join(part for part in (found.get(node), problem.message()) if part)
    return found
