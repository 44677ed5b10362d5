"""A view that zooms, pans and glides over a content rectangle, by wheel, pinch and calls. It knows nothing of graphs."""

from collections.abc import Callable

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QNativeGestureEvent, QResizeEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QFrame, QGestureEvent, QGraphicsView, QPinchGesture, QWidget

from app.canvas.first_sight import READABLE, Content, first_sight, fit_zoom

MOST_ZOOM = 4.0
_STEP = 1.2
_ANIMATION_MILLISECONDS = 180
_BEYOND = 6.0
"""Pixels out of view that are worth telling of."""


class ZoomingView(QGraphicsView):
    """Keeps a fit while it is resized, until somebody moves the canvas."""

    view_changed = Signal()
    """Another part of the canvas, or another zoom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all = Content()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self._keep: Callable[[], None] | None = None
        """What to do again when the view is resized, until somebody moves the canvas."""
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_ANIMATION_MILLISECONDS)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._animation.valueChanged.connect(self._on_animation)
        self.horizontalScrollBar().valueChanged.connect(self.view_changed)
        self.verticalScrollBar().valueChanged.connect(self.view_changed)

    @property
    def zoom(self) -> float:
        """Screen pixels per scene unit."""
        return self.transform().m11()

    @property
    def moving(self) -> bool:
        """Whether the view is gliding somewhere."""
        return self._animation.state() is QVariantAnimation.State.Running

    def set_content(self, content: Content) -> None:
        """There is something else to look at; zoom and place stay."""
        self.stop_gliding()
        center = self.center()
        self._all = content
        self._set_limits()
        self.centerOn(center)
        self.view_changed.emit()

    @property
    def _content(self) -> QRectF:
        return self._all.bounds

    def stop_gliding(self) -> None:
        """Stay where the view is now."""
        self._animation.stop()

    def center(self) -> QPointF:
        """The scene point in the middle of the view."""
        return self.mapToScene(self.viewport().rect()).boundingRect().center()

    def visible_area(self) -> QRectF:
        """What is in view, in scene units."""
        return self.mapToScene(self.viewport().rect()).boundingRect()

    def more_beyond(self) -> tuple[Qt.Edge, ...]:
        """The sides of the view at which the content goes on."""
        seen, content = self.visible_area(), self._content
        if content.isEmpty() or not seen.intersects(content):
            return ()
        slack = _BEYOND / max(self.zoom, 1e-6)
        beyond = (
            (Qt.Edge.TopEdge, seen.top() - content.top()),
            (Qt.Edge.BottomEdge, content.bottom() - seen.bottom()),
            (Qt.Edge.LeftEdge, seen.left() - content.left()),
            (Qt.Edge.RightEdge, content.right() - seen.right()),
        )
        return tuple(side for side, more in beyond if more > slack)

    def rect_in_view(self, rect: QRectF) -> QRectF:
        """A scene rectangle in viewport pixels."""
        return self.viewportTransform().mapRect(rect)

    def fit_zoom(self) -> float:
        """The zoom at which everything is in view."""
        return fit_zoom(self._content, self.viewport().size())

    def fit(self) -> None:
        """Everything in view; it stays so while the view is resized."""
        self._go(self.fit_zoom(), self._content.center())
        self._keep = self.fit

    def open_well(self) -> None:
        """The first sight of a layout; it stays so while the view is resized."""
        sight = first_sight(self._all, self.viewport().size())
        self._go(sight.zoom, sight.center)
        self._keep = self.open_well

    def zoom_by(self, factor: float, anchor: QPoint | None = None) -> None:
        """Zoom around a point of the viewport, or its middle."""
        location = anchor if anchor is not None else self.viewport().rect().center()
        before = self.mapToScene(location)
        zoom = min(max(self.zoom * factor, self._least_zoom()), MOST_ZOOM)
        offset = QPointF(self.viewport().rect().center() - location) / zoom
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
        if self.zoom < READABLE:
            self._go(READABLE, rect.center())
        else:
            self.reveal(rect)

    def show_what_fits(self) -> None:
        """Where all of it would fit at this zoom and some of it is out of view, bring it all into view."""
        if self.fit_zoom() >= self.zoom and not self.visible_area().contains(self._content):
            self._go(self.zoom, self._content.center())

    def look_like(self, other: "ZoomingView") -> None:
        """The same zoom and the same place in the middle as in another view."""
        self.stop_gliding()
        self._keep = None
        if self.zoom != other.zoom:
            self.setTransform(other.transform())
        self._set_limits()
        self.centerOn(other.center())

    def keep_in_place(self, rect: QRectF, location: QPointF) -> None:
        """Scroll so that a rectangle's top left corner is at a point of the viewport again."""
        now = self.rect_in_view(rect).topLeft()
        self.pan_by((location - now).toPoint())

    def go_to(self, zoom: float, center: QPointF) -> None:
        """Zoom to this, with a scene point in the middle."""
        self._go(min(max(zoom, self._least_zoom()), MOST_ZOOM), center)

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
        self.setSceneRect(self._content.adjusted(-across, -down, across, down))

    def _on_animation(self, value: object) -> None:
        if isinstance(value, QPointF):
            self.centerOn(value)

    def pan_by(self, delta: QPoint) -> None:
        """Move the canvas by so many pixels."""
        self._keep = None
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() - delta.x())
        down.setValue(down.value() - delta.y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1.0015 ** event.angleDelta().y(), event.position().toPoint())
            event.accept()
            return
        self._animation.stop()
        self._keep = None
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        old, new = QRect(QPoint(0, 0), event.oldSize()), event.size()
        seen = self.mapToScene(old).boundingRect()
        super().resizeEvent(event)
        self._set_limits()
        if self._keep is not None:
            self._keep()
        elif not old.isValid() or not _other_shape(old.size(), new):
            pass  # a bar above came or went: boxes stay where they are on the screen
        elif seen.contains(self._content) and self.fit_zoom() < self.zoom:
            self.fit()  # all of it was in view
        else:
            self.centerOn(seen.center())
        self.view_changed.emit()

    def viewportEvent(self, event: QEvent) -> bool:
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


def _other_shape(old: QSize, new: QSize) -> bool:
    """Whether a view was given another place among the panes, rather than a little more or less room."""
    pairs = ((old.width(), new.width()), (old.height(), new.height()))
    return any(abs(before - after) > _OTHER_SHAPE * before for before, after in pairs)


_OTHER_SHAPE = 0.15
