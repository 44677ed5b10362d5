"""The operator that a selection calls."""

from app.session.facade.session import Session
from compiler.model.operators.dispatching import operator_name


def selected_operator(session: Session) -> str:
    """The dispatcher's name of what the pinned node of a graph calls; empty where that is no operator."""
    capture, pinned = session.capture, session.selection.pinned
    if capture is None or not pinned or all(stage.id != pinned.stage for stage in capture.stages):
        return ""
    graph = session.stage_with_edits(pinned.stage).graph
    if graph is None or not graph.holds(pinned.nodes[0]):
        return ""
    return operator_name(graph.node(pinned.nodes[0]).target)
