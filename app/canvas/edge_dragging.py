"""Taking an arrow by one end and letting it go on another box."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication

from app.graph_layout.geometry import Edge
from compiler.model.ir.ids import NodeId


@dataclass(frozen=True)
class DraggedEdge:
    """An arrow that stands for one use, and the end that is held."""

    source: NodeId
    target: NodeId
    moves_source: bool
    """Whether the beginning is held (another node is to be used), or the tip (another node is to use it)."""
    fixed: QPointF
    """Where the other end stays, in scene units."""

    @property
    def stays(self) -> NodeId:
        """The node at the end that is not held."""
        return self.target if self.moves_source else self.source


def dragged_edge(edge: Edge, location: QPointF) -> DraggedEdge | None:
    """The arrow held at the end nearer to a point; None for one that stands for several uses."""
    if len(edge.nodes) != 1:
        return None
    source, target = edge.nodes[0]
    begin, end = QPointF(*edge.points[0]), QPointF(*edge.points[-1])
    near_begin = (location - begin).manhattanLength() < (location - end).manhattanLength()
    return DraggedEdge(source, target, near_begin, end if near_begin else begin)


class EdgeDrag:
    """A click selects both ends; a drag draws the arrow to where the mouse is, or pans where none is held."""

    def __init__(
        self,
        edge: DraggedEdge | None,
        start: QPoint,
        draw: Callable[[DraggedEdge | None, QPoint], None],
        click: Callable[[], None],
        drop: Callable[[DraggedEdge, QPoint], None],
        pan: Callable[[QPoint], None],
    ) -> None:
        self._edge, self._start, self._last = edge, start, start
        self._draw, self._click, self._drop, self._pan = draw, click, drop, pan
        self._dragging = False

    def move(self, location: QPoint) -> None:
        far = (location - self._start).manhattanLength() >= QApplication.startDragDistance()
        self._dragging = self._dragging or far
        if self._dragging and self._edge is not None:
            self._draw(self._edge, location)
        elif self._dragging:
            self._pan(location - self._last)
            self._last = location

    def release(self, location: QPoint) -> None:
        if self._dragging and self._edge is not None:
            self._draw(None, location)
            self._drop(self._edge, location)
        elif not self._dragging:
            self._click()
