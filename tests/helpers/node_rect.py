"""Where a node is seen."""

from PySide6.QtCore import QRectF

from app.canvas.scene import to_qt
from app.panes.graph.graph_pane import GraphPane


def node_rect(pane: GraphPane, node_id: str) -> QRectF | None:
    """Where a node (or collapsed module) stands, in pixels of the view's viewport; None if it is not in the graph."""
    rect = pane.view.scene_data.rect_of(node_id)
    return None if rect is None else pane.view.rect_in_view(to_qt(rect))
