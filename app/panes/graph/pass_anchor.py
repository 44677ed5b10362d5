"""What stays where it is on the screen while another pass is shown."""

from PySide6.QtCore import QPointF

from app.canvas.graph_view import GraphView
from app.canvas.scene import to_qt
from compiler.model.ir.ids import NodeId


def pass_anchor(
    view: GraphView, before: tuple[NodeId, ...], after: tuple[NodeId, ...]
) -> tuple[NodeId, QPointF] | None:
    """(node after the step, where its box has to be in the viewport): the selected node, else one in the middle."""
    scene, seen = view.scene_data, view.visible_area()
    for node in sorted(before):
        box = scene.boxes.get(scene.layout.where.get(node, ""))
        if box is not None and seen.intersects(to_qt(box.rect)):
            stays = node if node in after else next(iter(sorted(after)), node)
            return stays, view.rect_in_view(to_qt(box.rect)).topLeft()
    center = seen.center()
    boxes = scene.boxes_in(seen)
    if not boxes:
        return None
    nearest = min(boxes, key=lambda box: (to_qt(box.rect).center() - center).manhattanLength())
    return nearest.id, view.rect_in_view(to_qt(nearest.rect)).topLeft()
