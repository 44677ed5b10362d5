"""A layout prepared for painting and for asking what is where."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from app.canvas.far_geometry import FarGeometry
from app.canvas.spatial_index import SpatialIndex
from app.graph_layout.blocks import HEADER
from app.graph_layout.geometry import Box, BoxId, Edge, Frame, Layout, Rect, Stub, StubEnd
from app.translation.texts import tr
from compiler.model.ir.ids import NodeId


@dataclass(frozen=True)
class Hit:
    """What lies under a point: a node (in a box or as a chip), a collapsed module, a stub or a module's header."""

    box: Box | None = None
    node: NodeId = ""
    stub: Stub | None = None
    frame: Frame | None = None

    def __bool__(self) -> bool:
        return self.box is not None or self.stub is not None or self.frame is not None


class Scene:
    """Boxes, arrows and stubs with their indices. Made again for every layout, in any thread."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.boxes = {box.id: box for box in layout.boxes}
        self.frames = {frame.id: frame for frame in layout.frames}
        self._paths: dict[int, QPainterPath] = {}
        self._boxes = SpatialIndex([box.rect for box in layout.boxes])
        self._edges = SpatialIndex([_around(edge) for edge in layout.edges])
        self._stubs = SpatialIndex([stub.rect for stub in layout.stubs])
        self._frames = SpatialIndex([frame.rect for frame in layout.frames])
        self._headers = SpatialIndex([header_rect(frame) for frame in layout.frames])
        self.edges_of: dict[BoxId, list[int]] = {}
        for number, edge in enumerate(layout.edges):
            self.edges_of.setdefault(edge.source, []).append(number)
            self.edges_of.setdefault(edge.target, []).append(number)
        self.stubs_of: dict[BoxId, list[Stub]] = {}
        for stub in layout.stubs:
            self.stubs_of.setdefault(stub.box, []).append(stub)
        self.beginning = _beginning(layout)
        """The highest box of the first lane that an arrow leaves, where reading begins; of all its boxes where there is no arrow."""
        self.heart = _heart(layout)
        """What repeats most often: its box, and the one of its equals that is open beside it."""

    def path(self, number: int) -> QPainterPath:
        """The smooth line of an arrow, made when it is first wanted."""
        if number not in self._paths:
            self._paths[number] = edge_path(self.layout.edges[number])
        return self._paths[number]

    def boxes_in(self, area: QRectF) -> list[Box]:
        """Boxes that touch an area."""
        return [self.layout.boxes[number] for number in self._boxes.inside(*_corners(area))]

    def whole_boxes_in(self, area: QRectF) -> int:
        """How many boxes an area holds whole."""
        return self._boxes.count_whole(*_corners(area))

    def edges_in(self, area: QRectF) -> list[int]:
        """Numbers of arrows whose surroundings touch an area."""
        return self._edges.inside(*_corners(area))

    def stubs_in(self, area: QRectF) -> list[Stub]:
        """Stubs that touch an area."""
        return [self.layout.stubs[number] for number in self._stubs.inside(*_corners(area))]

    def frames_in(self, area: QRectF, least: float = 0.0) -> list[Frame]:
        """Outlines of open modules that touch an area and are so high at least, from the outside in."""
        return [self.layout.frames[number] for number in self._frames.inside(*_corners(area), least)]

    def crowded(self, area: QRectF, most: int) -> bool:
        """Whether more than so many boxes touch an area."""
        return len(self.layout.boxes) > most and self._boxes.count(*_corners(area)) > most

    @cached_property
    def far(self) -> FarGeometry:
        """Boxes and arrows as tables, for a picture from far away."""
        return FarGeometry(self.layout)

    def at(self, point: QPointF) -> Hit:
        """What lies under a point."""
        x, y = point.x(), point.y()
        number = self._boxes.at(x, y)
        if number is not None:
            box = self.layout.boxes[number]
            for chip, rect in box.chips:
                if rect.x <= x <= rect.right and rect.y <= y <= rect.bottom:
                    return Hit(box, chip.node)
            return Hit(box, box.node.id if box.node is not None else "")
        number = self._stubs.at(x, y)
        if number is not None:
            return Hit(stub=self.layout.stubs[number])
        number = self._headers.at(x, y)
        return Hit() if number is None else Hit(frame=self.layout.frames[number])

    def edge_at(self, point: QPointF, slack: float) -> int | None:
        """Number of the arrow that runs nearest to a point, not further than `slack`; None if none does."""
        area = QRectF(point.x() - slack, point.y() - slack, 2 * slack, 2 * slack)
        near = [(distance_to(self.path(number), point), number) for number in self.edges_in(area)]
        best = min(near, default=(slack + 1, -1))
        return best[1] if best[0] <= slack else None

    def rect_of(self, node: NodeId) -> Rect | None:
        """Where a node stands: its chip, or its box, or the collapsed module that holds it."""
        box = self.boxes.get(self.layout.where.get(node, node))
        if box is None:
            return None
        return next((rect for chip, rect in box.chips if chip.node == node), box.rect)

    def nodes_in(self, area: QRectF) -> tuple[NodeId, ...]:
        """All nodes of the boxes that an area touches, for the rubber band."""
        return tuple(node for box in self.boxes_in(area) for node in main_nodes(box))


def main_nodes(box: Box) -> tuple[NodeId, ...]:
    """What selecting a box selects: the node itself, or everything in a collapsed module."""
    return (box.node.id,) if box.node is not None else box.members


def header_rect(frame: Frame) -> Rect:
    """The strip of an open module that carries its title."""
    return Rect(frame.rect.x, frame.rect.y, frame.rect.width, HEADER)


def edge_path(edge: Edge) -> QPainterPath:
    """A smooth line: straight through rows, an S between them."""
    path = QPainterPath(QPointF(*edge.points[0]))
    for (x0, y0), (x1, y1) in pairwise(edge.points):
        if abs(x1 - x0) < 0.5:
            path.lineTo(x1, y1)
        else:
            middle = (y0 + y1) / 2
            path.cubicTo(x0, middle, x1, middle, x1, y1)
    return path


def distance_to(path: QPainterPath, point: QPointF) -> float:
    """From a point to the nearest of some points along a path."""
    steps = max(8, min(200, int(path.length() / 6)))
    locations = (path.pointAtPercent(step / steps) for step in range(steps + 1))
    return min(math.hypot(location.x() - point.x(), location.y() - point.y()) for location in locations)


def stub_path(near: Box, far: Box, outgoing: bool) -> QPainterPath:
    """The whole of a cut arrow, shown while one of its ends is hovered or selected."""
    source, target = (near, far) if outgoing else (far, near)
    start = QPointF(source.rect.right, source.rect.center[1])
    end = QPointF(target.rect.x, target.rect.center[1])
    bend = max(60.0, abs(end.x() - start.x()) * 0.45)
    path = QPainterPath(start)
    path.cubicTo(start.x() + bend, start.y(), end.x() - bend, end.y(), end.x(), end.y())
    return path


def stub_text(stub: Stub) -> tuple[str, str]:
    """Two lines: the far end (with how many more), and what is saved for the backward."""
    first = stub.ends[0]
    if len(stub.ends) == 1:
        return far_node(stub, first), first.label if first.saved else ""
    tensors = len({end.source for end in stub.ends if end.saved})
    return f"{far_node(stub, first)} +{len(stub.ends) - 1}", tr("{tensors} saved").format(
        tensors=tensors
    ) if tensors else ""


def far_node(stub: Stub, end: StubEnd) -> NodeId:
    """The node at the far end."""
    return end.target if stub.outgoing else end.source


def to_qt(rect: Rect) -> QRectF:
    """The same rectangle as Qt's."""
    return QRectF(rect.x, rect.y, rect.width, rect.height)


def _corners(area: QRectF) -> tuple[float, float, float, float]:
    return area.left(), area.top(), area.right(), area.bottom()


def _around(edge: Edge) -> Rect:
    xs, ys = edge.way[::2], edge.way[1::2]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _beginning(layout: Layout) -> QRectF:
    leading = {edge.source for edge in layout.edges}
    among = [box for box in layout.boxes if box.id in leading] or layout.boxes
    lane = layout.lanes[0].lane if layout.lanes else ""
    among = [box for box in among if box.lane == lane] or among
    first = min(among, key=lambda box: (box.rect.y, box.rect.x), default=None)
    return to_qt(first.rect) if first is not None else QRectF()


def _heart(layout: Layout) -> QRectF:
    box = max(layout.boxes, key=lambda box: box.repeats, default=None)
    if box is None or box.repeats == 1:
        return QRectF()
    around = to_qt(box.rect)
    equals = [
        frame.rect for frame in layout.frames if frame.lane == box.lane and _adjacent(frame.path, box.path)
    ]
    if not equals:
        return around
    return around.united(to_qt(min(equals, key=lambda rect: abs(rect.center[1] - box.rect.center[1]))))


def _adjacent(path: tuple[str, ...], run: tuple[str, ...]) -> bool:
    """Whether a module is one of a row of equal ones (``layers.0`` of ``layers.1–79``)."""
    if len(path) != len(run):
        return False
    differing = [name for name, others in zip(path, run, strict=True) if name != others]
    return len(differing) == 1 and differing[0].isdigit()
