"""The view: zooming, panning and gestures over one painted item. It says what was clicked and decides nothing."""

from collections.abc import Callable

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGestureEvent,
    QGraphicsScene,
    QGraphicsView,
    QPinchGesture,
    QRubberBand,
    QToolTip,
    QWidget,
)

from app.graph_layout.geometry import Layout
from app.panes.graph.brushes import brushes
from app.panes.graph.edge_painting import paint_lane_title
from app.panes.graph.graph_item import GraphItem
from app.panes.graph.interactions import Gesture, gesture_for
from app.panes.graph.scene import Hit, Scene, to_qt
from app.theme.current import colors

MOST_ZOOM = 4.0
FIT_ZOOM = 1.25
"""Fitting never enlarges more than this: twelve boxes need not fill a wall."""

_READABLE = 0.7
_STEP = 1.2
_MARGIN = 28.0
_ANIMATION_MILLISECONDS = 180


class GraphView(QGraphicsView):
    """Shows one `GraphItem`."""

    clicked = Signal(object, bool)
    """(hit, whether to add to the selection); an empty hit for empty canvas."""
    area_chosen = Signal(QRectF)
    hovered = Signal(object)
    toggled = Signal(str)
    """A module was double-clicked."""
    menu_requested = Signal(object, QPoint)
    view_changed = Signal()
    """Another part of the canvas, or another zoom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item = GraphItem()
        scene = QGraphicsScene(self)
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        scene.addItem(self.item)
        self.setScene(scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setMouseTracking(True)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self._gesture: Gesture | None = None
        self._hover = Hit()
        self._keep: Callable[[], None] | None = None
        """What to do again when the view is resized, until somebody moves the canvas."""
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_ANIMATION_MILLISECONDS)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._animation.valueChanged.connect(self._on_animation)
        self.horizontalScrollBar().valueChanged.connect(self.view_changed)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    # -- what is shown -----------------------------------------------------------------------------------------

    @property
    def scene_data(self) -> Scene:
        """The layout on show, prepared for questions."""
        return self.item.scene_data

    @property
    def zoom(self) -> float:
        """Screen pixels per scene unit."""
        return self.transform().m11()

    @property
    def moving(self) -> bool:
        """Whether the view is gliding somewhere."""
        return self._animation.state() is QVariantAnimation.State.Running

    def set_layout(self, layout: Layout) -> None:
        """Show another layout at the same zoom and place."""
        self._animation.stop()
        center = self.center()
        self._hover = Hit()
        self.item.set_layout(layout)
        self._set_limits()
        self.centerOn(center)
        self.view_changed.emit()

    def set_background(self, color: QColor) -> None:
        """The canvas behind everything."""
        self.setBackgroundBrush(color)
        self.item.update()

    def center(self) -> QPointF:
        """The scene point in the middle of the view."""
        return self.mapToScene(self.viewport().rect()).boundingRect().center()

    def visible_area(self) -> QRectF:
        """What is in view, in scene units."""
        return self.mapToScene(self.viewport().rect()).boundingRect()

    def rect_in_view(self, rect: QRectF) -> QRectF:
        """A scene rectangle in viewport pixels."""
        return self.viewportTransform().mapRect(rect)

    # -- moving ------------------------------------------------------------------------------------------------

    def fit_zoom(self) -> float:
        """The zoom at which everything is in view."""
        bounds = self.scene_data.layout.bounds
        size = self.viewport().size()
        across = size.width() / (bounds.width + 2 * _MARGIN)
        down = size.height() / (bounds.height + 2 * _MARGIN)
        return min(across, down, FIT_ZOOM)

    def fit(self) -> None:
        """Everything in view; it stays so while the view is resized."""
        self._go(self.fit_zoom(), QPointF(*self.scene_data.layout.bounds.center))
        self._keep = self.fit

    def open_well(self) -> None:
        """The first sight of a layout: everything where that is readable, else its beginning."""
        bounds = self.scene_data.layout.bounds
        if self.fit_zoom() >= _READABLE or not self.scene_data.layout.boxes:
            self.fit()
            self._keep = self.open_well
            return
        size = self.viewport().size()
        zoom = min(max(size.width() / (bounds.width + 2 * _MARGIN), _READABLE), 1.0)
        top = bounds.y - _MARGIN + size.height() / 2 / zoom
        half = size.width() / 2 / zoom
        beginning = self.scene_data.layout.boxes[0].rect.center[0]
        left, right = bounds.x - _MARGIN + half, bounds.right + _MARGIN - half
        x = bounds.center[0] if left >= right else min(max(beginning, left), right)
        self._go(zoom, QPointF(x, top))
        self._keep = self.open_well

    def zoom_by(self, factor: float, anchor: QPoint | None = None) -> None:
        """Zoom around a point of the viewport, or its middle."""
        spot = anchor if anchor is not None else self.viewport().rect().center()
        before = self.mapToScene(spot)
        zoom = min(max(self.zoom * factor, self._least_zoom()), MOST_ZOOM)
        offset = QPointF(self.viewport().rect().center() - spot) / zoom
        self._go(zoom, before + offset)

    def zoom_in(self) -> None:
        """One step nearer."""
        self.zoom_by(_STEP)

    def zoom_out(self) -> None:
        """One step farther."""
        self.zoom_by(1 / _STEP)

    def reveal(self, rect: QRectF) -> None:
        """Glide so that a rectangle is in view; stay where it is in view already."""
        seen = self.visible_area()
        if seen.contains(rect) or (rect.width() > seen.width() and seen.intersects(rect)):
            return
        self._animation.stop()
        self._keep = None
        self._animation.setStartValue(seen.center())
        self._animation.setEndValue(rect.center())
        self._animation.start()

    def show_readably(self, rect: QRectF) -> None:
        """Bring a rectangle into view, near enough to read it."""
        if self.zoom < _READABLE:
            self._go(_READABLE, rect.center())
        else:
            self.reveal(rect)

    def keep_in_place(self, rect: QRectF, spot: QPointF) -> None:
        """Scroll so that a rectangle's top left corner is at a point of the viewport again."""
        now = self.rect_in_view(rect).topLeft()
        self.pan_by((spot - now).toPoint())

    def _go(self, zoom: float, center: QPointF) -> None:
        self._animation.stop()
        self._keep = None
        self.setTransform(QTransform.fromScale(zoom, zoom))
        self._set_limits()
        self.centerOn(center)
        self.view_changed.emit()

    def _least_zoom(self) -> float:
        return min(self.fit_zoom() * 0.6, 0.1)

    def _set_limits(self) -> None:
        """One may scroll until the graph is nearly out of view, not farther."""
        size, zoom = self.viewport().size(), max(self.zoom, 1e-6)
        across, down = size.width() / zoom * 0.85, size.height() / zoom * 0.85
        self.setSceneRect(to_qt(self.scene_data.layout.bounds).adjusted(-across, -down, across, down))

    def _on_animation(self, value: object) -> None:
        if isinstance(value, QPointF):
            self.centerOn(value)

    # -- what gestures may do ----------------------------------------------------------------------------------

    def pan_by(self, delta: QPoint) -> None:
        """Move the canvas by so many pixels."""
        self._keep = None
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() - delta.x())
        down.setValue(down.value() - delta.y())

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

    def hit_at(self, spot: QPoint) -> Hit:
        """What is under a point of the viewport."""
        return self.scene_data.at(self.mapToScene(spot))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = event.position().toPoint()
        self._animation.stop()
        self._gesture = gesture_for(self, spot, self.hit_at(spot), event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = event.position().toPoint()
        if self._gesture is not None:
            self._gesture.move(spot)
            return
        self._set_hover(self.hit_at(spot))

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
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        hit = Hit() if by_keyboard else self.hit_at(event.pos())
        self.menu_requested.emit(hit, event.globalPos())
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1.0015 ** event.angleDelta().y(), event.position().toPoint())
            event.accept()
            return
        self._animation.stop()
        self._keep = None
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_limits()
        if self._keep is not None:
            self._keep()
        self.view_changed.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_by(1 + event.value(), event.position().toPoint())
            return True
        if isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                self.zoom_by(pinch.scaleFactor(), self.viewport().mapFromGlobal(pinch.hotSpot().toPoint()))
            return True
        return super().viewportEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Lane titles stay at the top of the view."""
        painter.save()
        painter.resetTransform()
        frame = QRectF(self.viewport().rect())
        for band in self.scene_data.layout.lanes:
            seen = self.rect_in_view(to_qt(band.rect)).intersected(frame)
            paint_lane_title(painter, band, seen, brushes(colors()))
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
