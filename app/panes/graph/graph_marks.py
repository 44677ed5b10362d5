"""Reads from the session what is to be marked in the stage on show."""

from app.panes.graph.marks import Marks
from app.session.session import Session
from compiler.model.diagrams import Diagram
from compiler.model.ids import NodeId, StageId


def read_marks(session: Session, stage: StageId, tints: dict[NodeId, int], found: frozenset[NodeId]) -> Marks:
    """Everything marked in a stage now."""
    return Marks(
        pinned=session.selection.pinned_in(stage),
        hovered=session.selection.hovered_in(stage),
        edited=session.edited_nodes(stage),
        found=found,
        problems=_problems(session, stage),
        tints=tints,
    )


def read_tints(session: Session, stage: StageId, diagram: Diagram) -> dict[NodeId, int]:
    """The shared colour of each node that comes from a source line."""
    indices = ((node.id, session.color_index(stage, node.id)) for node in diagram.nodes)
    return {node: index for node, index in indices if index is not None}


def _problems(session: Session, stage: StageId) -> dict[NodeId, str]:
    found: dict[NodeId, str] = {}
    for problem in session.problems:
        if problem.place is not None and problem.place.stage == stage:
            for node in problem.place.nodes:
                found[node] = "\n".join(part for part in (found.get(node), problem.message()) if part)
    return found
