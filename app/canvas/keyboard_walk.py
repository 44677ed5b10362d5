"""Where the arrow keys lead, and what inputs and outputs of a selection are."""

from collections.abc import Iterable

from PySide6.QtCore import QRectF

from app.canvas.scene import Scene, main_nodes
from app.graph_layout.geometry import Box, BoxId, Edge, Stub
from compiler.model.ir.ids import NodeId

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"


def step(scene: Scene, start: Box, direction: str) -> Box | None:
    """The box that an arrow key leads to. Up and down follow arrows as they are drawn: in the backward lane,
    where arrows run upwards, up leads to outputs.
    """
    if direction in (LEFT, RIGHT):
        return _sibling(scene, start, direction)
    against = (direction == UP) != (start.lane == "backward")
    ids = inputs(scene, start.id) if against else outputs(scene, start.id)
    boxes = [scene.boxes[box] for box in ids if box in scene.boxes]
    same_lane = [box for box in boxes if box.lane == start.lane] or boxes
    return min(same_lane, key=lambda box: _distance(start, box), default=None)


def inputs(scene: Scene, box: BoxId) -> tuple[BoxId, ...]:
    """Boxes whose results a box uses, cut arrows included."""
    drawn = (edge.source for edge in _edges(scene, box) if edge.target == box)
    cut = (end.box for stub in _stubs(scene, box) if not stub.outgoing for end in stub.ends)
    return tuple(dict.fromkeys((*drawn, *cut)))


def outputs(scene: Scene, box: BoxId) -> tuple[BoxId, ...]:
    """Boxes that use a box's results, cut arrows included."""
    drawn = (edge.target for edge in _edges(scene, box) if edge.source == box)
    cut = (end.box for stub in _stubs(scene, box) if stub.outgoing for end in stub.ends)
    return tuple(dict.fromkeys((*drawn, *cut)))


def neighbours(scene: Scene, nodes: Iterable[NodeId], of_inputs: bool) -> tuple[NodeId, ...]:
    """The nodes of all inputs (or outputs) of the boxes that some nodes stand in."""
    boxes = dict.fromkeys(scene.layout.where[node] for node in nodes if node in scene.layout.where)
    found: dict[NodeId, None] = {}
    for box in boxes:
        for other in inputs(scene, box) if of_inputs else outputs(scene, box):
            found.update(dict.fromkeys(main_nodes(scene.boxes[other])))
    return tuple(found)


def _sibling(scene: Scene, start: Box, direction: str) -> Box | None:
    """The nearest box beside, in the same row."""
    rect, bounds = start.rect, scene.layout.bounds
    strip = (
        QRectF(bounds.x, rect.y, rect.x - bounds.x - 1, rect.height)
        if direction == LEFT
        else QRectF(rect.right + 1, rect.y, bounds.right - rect.right, rect.height)
    )
    neighbours = [box for box in scene.boxes_in(strip) if box.id != start.id]
    return min(neighbours, key=lambda box: abs(box.rect.center[0] - rect.center[0]), default=None)


def _edges(scene: Scene, box: BoxId) -> list[Edge]:
    return [scene.layout.edges[number] for number in scene.edges_of.get(box, ())]


def _stubs(scene: Scene, box: BoxId) -> list[Stub]:
    return scene.stubs_of.get(box, [])


def _distance(first: Box, second: Box) -> float:
    (x0, y0), (x1, y1) = first.rect.center, second.rect.center
    return abs(x1 - x0) + abs(y1 - y0)
