"""The view of one painted item: hovering and gestures. It says what was clicked and decides nothing."""

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QGraphicsScene,
    QRubberBand,
    QToolTip,
    QWidget,
)

from app.canvas.edge_dragging import DraggedEdge, EdgeDrag, dragged_edge
from app.canvas.edge_handles import paint_drag, paint_handles
from app.canvas.first_sight import Content
from app.canvas.graph_item import GraphItem
from app.canvas.interactions import Gesture, gesture_for
from app.canvas.painting.brushes import Brushes, brushes
from app.canvas.painting.edge_painting import CURVES_FROM, paint_lane_title
from app.canvas.painting.frame_titles import TitlePlace, paint_frame_titles, title_places
from app.canvas.painting.more_beyond import paint_more
from app.canvas.scene import Hit, Scene, to_qt
from app.canvas.zooming_view import ZoomingView
from app.graph_layout.geometry import Edge, Layout
from app.theme.current import colors
from compiler.model.ir.ids import NodeId

_EDGE_REACH = 6.0
"""How near to an arrow the mouse must be to take it, in screen pixels."""


class GraphView(ZoomingView):
    """Shows one `GraphItem`."""

    clicked = Signal(object, bool)
    """(hit, whether to add to the selection); an empty hit for empty canvas."""
    area_chosen = Signal(QRectF)
    hovered = Signal(object)
    toggled = Signal(str)
    """A module was double-clicked."""
    menu_requested = Signal(object, QPoint)
    edge_clicked = Signal(object)
    """An arrow, as an `Edge` of the layout."""
    edge_dropped = Signal(object, str, QPoint)
    """(DraggedEdge, the node it was let go on, global position); only on nodes that `may_hold` allowed."""

    def __init__(self, parent: QWidget | None = None, item: GraphItem | None = None) -> None:
        super().__init__(parent)
        self.item = item if item is not None else GraphItem()
        scene = QGraphicsScene(self)
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        scene.addItem(self.item)
        self.setScene(scene)
        self.setMouseTracking(True)
        self._gesture: Gesture | None = None
        self._hover = Hit()
        self._edge: int | None = None
        self._drag: tuple[DraggedEdge, QPoint, frozenset[NodeId]] | None = None
        self.may_hold: Callable[[DraggedEdge], frozenset[NodeId]] = lambda _edge: frozenset()
        """Where a dragged arrow may be let go."""

    # -- what is shown -----------------------------------------------------------------------------------------

    @property
    def scene_data(self) -> Scene:
        """The layout on show, prepared for questions."""
        return self.item.scene_data

    def set_layout(self, layout: Layout) -> None:
        """Show another layout at the same zoom and place."""
        self.set_scene(Scene(layout))

    def set_scene(self, scene: Scene) -> None:
        """The same for a layout that was prepared elsewhere."""
        layout = scene.layout
        self._hover, self._edge = Hit(), None
        self.item.set_scene(scene)
        self.set_content(Content(to_qt(layout.bounds), scene.beginning, scene.heart, scene.whole_boxes_in))

    def dress(self) -> None:
        """The canvas behind everything, and the line around it that says where keys go, in the colours of the look."""
        look = colors()
        self.setBackgroundBrush(brushes(look).canvas)
        self.item.update()
        self.setStyleSheet(
            "QGraphicsView { border: 1px solid transparent; }"
            f"QGraphicsView:focus {{ border: 1px solid {look.accent}; }}"
        )

    # -- what gestures may do ----------------------------------------------------------------------------------

    def click(self, hit: Hit, add: bool) -> None:
        """Something, or empty canvas, was clicked."""
        self.clicked.emit(hit, add)

    def choose_area(self, area: QRectF) -> None:
        """The rubber band was let go."""
        self.area_chosen.emit(area)

    def map_area(self, area: QRect) -> QRectF:
        """Viewport pixels as scene units."""
        return self.mapToScene(area).boundingRect()

    def set_grabbing(self, on: bool) -> None:
        """Show a closed hand while the canvas follows the mouse."""
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor if on else Qt.CursorShape.ArrowCursor)

    def make_band(self) -> QRubberBand:
        """A band over the viewport."""
        return QRubberBand(QRubberBand.Shape.Rectangle, self.viewport())

    # -- events ------------------------------------------------------------------------------------------------

    def hit_at(self, location: QPoint) -> Hit:
        """What is under a point of the viewport."""
        point = self.mapToScene(location)
        for title in self.held_titles():  # they lie over boxes
            if title.plate.contains(point):
                return Hit(frame=title.frame)
        return self.scene_data.at(point)

    def titles(self) -> list[TitlePlace]:
        """The titles of open modules in view."""
        return title_places(self.scene_data, self.visible_area(), self.zoom)

    def held_titles(self) -> list[TitlePlace]:
        """Those kept at the edge of the view."""
        return [title for title in self.titles() if title.held]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        location = event.position().toPoint()
        self.stop_gliding()
        hit = self.hit_at(location)
        edge = None if hit or event.modifiers() else self._edge_at(location)
        if edge is not None and event.button() is Qt.MouseButton.LeftButton:
            dragged = dragged_edge(edge, self.mapToScene(location))
            dragged = dragged if dragged is not None and self.may_hold(dragged) else None
            self._gesture = EdgeDrag(
                dragged,
                location,
                self._draw_drag,
                lambda: self.edge_clicked.emit(edge),
                self._drop_edge,
                self.pan_by,
            )
            return
        self._gesture = gesture_for(self, location, hit, event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        location = event.position().toPoint()
        if self._gesture is not None:
            self._gesture.move(location)
            return
        hit = self.hit_at(location)
        self._set_hover(hit)
        self._set_edge(None if hit else self._edge_number(location))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.release(event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit_at(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if hit.frame is not None:
            self.toggled.emit(hit.frame.id)
        elif hit.box is not None and hit.box.node is None:
            self.toggled.emit(hit.box.id)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hover(Hit())
        self._set_edge(None)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        hit = Hit() if by_keyboard else self.hit_at(event.pos())
        edge = None if by_keyboard or hit else self._edge_at(event.pos())
        if edge is not None:  # the menu is about the arrow, which is its two ends
            self.edge_clicked.emit(edge)
        self.menu_requested.emit(hit, event.globalPos())
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        return super().viewportEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Titles of lanes and open modules stay at the top of the view; where the graph goes on; the arrow under the mouse, and one that is dragged."""
        self._paint_edge(painter)
        painter.save()
        painter.resetTransform()
        frame = QRectF(self.viewport().rect())
        look = brushes(colors())
        if self.zoom >= CURVES_FROM:  # far away colours are what is looked at
            paint_more(painter, frame, self.more_beyond(), look.canvas, look.color("dim_text"))
        self._paint_held_titles(painter, look)
        for band in self.scene_data.layout.lanes:
            seen = self.rect_in_view(to_qt(band.rect)).intersected(frame)
            paint_lane_title(painter, band, seen, look)
        painter.restore()

    def _paint_held_titles(self, painter: QPainter, look: Brushes) -> None:
        """Over what fades out at the edges, where they stand."""
        painter.save()
        painter.setTransform(self.viewportTransform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_frame_titles(painter, self.held_titles(), look, self.zoom)
        painter.restore()

    # -- arrows ------------------------------------------------------------------------------------------------

    def _edge_number(self, location: QPoint) -> int | None:
        if self.zoom < CURVES_FROM:
            return None
        return self.scene_data.edge_at(self.mapToScene(location), _EDGE_REACH / self.zoom)

    def _edge_at(self, location: QPoint) -> Edge | None:
        number = self._edge_number(location)
        return None if number is None else self.scene_data.layout.edges[number]

    def _set_edge(self, number: int | None) -> None:
        if number != self._edge:
            self._edge = number
            shape = Qt.CursorShape.PointingHandCursor if number is not None or self._hover else None
            self.viewport().setCursor(shape or Qt.CursorShape.ArrowCursor)
            self.viewport().update()

    def _draw_drag(self, dragged: DraggedEdge | None, location: QPoint) -> None:
        if dragged is None:
            self._drag = None
        else:
            places = self._drag[2] if self._drag is not None else self.may_hold(dragged)
            self._drag = (dragged, location, places)
        self.viewport().update()

    def _node_for(self, places: frozenset[NodeId], location: QPoint) -> NodeId:
        """The node under a point that a dragged arrow may go to, or empty."""
        hit = self.hit_at(location)
        node = hit.node or (hit.box.node.id if hit.box is not None and hit.box.node is not None else "")
        return node if node in places else ""

    def _drop_edge(self, dragged: DraggedEdge, location: QPoint) -> None:
        node = self._node_for(self.may_hold(dragged), location)
        if node:
            self.edge_dropped.emit(dragged, node, self.viewport().mapToGlobal(location))

    def _paint_edge(self, painter: QPainter) -> None:
        look = brushes(colors())
        painter.save()
        if self._drag is not None:
            dragged, location, places = self._drag
            node = self._node_for(places, location)
            rect = self.scene_data.rect_of(node) if node else None
            color = look.color("good" if node else "error" if self.hit_at(location) else "dim_text")
            target = to_qt(rect) if rect is not None else None
            paint_drag(painter, dragged.fixed, self.mapToScene(location), target, color, self.zoom)
        elif self._edge is not None:
            path = self.scene_data.path(self._edge)
            paint_handles(painter, path, look.color("hovered"), look.canvas, self.zoom)
        painter.restore()

    def _set_hover(self, hit: Hit) -> None:
        if (hit.box, hit.node, hit.stub, hit.frame) != (
            self._hover.box,
            self._hover.node,
            self._hover.stub,
            self._hover.frame,
        ):
            self._hover = hit
            shape = Qt.CursorShape.PointingHandCursor if hit else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            self.hovered.emit(hit)

    def _show_tip(self, event: QHelpEvent) -> None:
        text = self.item.tip(self.hit_at(event.pos()))
        if text:
            QToolTip.showText(event.globalPos(), text, self.viewport())
        else:
            QToolTip.hideText()
