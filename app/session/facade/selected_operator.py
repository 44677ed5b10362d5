"""The operator that a selection calls."""

from app.session.facade.displayed_stage import stage_in_view
from app.session.facade.session import Session
from compiler.model.operators.dispatching import operator_name


def selected_operator(session: Session) -> str:
    """The dispatcher's name of what the pinned node of a graph calls; empty where that is no operator."""
    capture, pinned = session.capture, session.selection.pinned
    if capture is None or not pinned or all(stage.id != pinned.stage for stage in capture.stages):
        return ""
    pinned = session.passes.in_view(pinned)
    graph = stage_in_view(session, pinned.stage).graph if pinned else None
    if graph is None or not graph.holds(pinned.nodes[0]):
        return ""
    return operator_name(graph.node(pinned.nodes[0]).target)
