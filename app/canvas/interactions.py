"""Mouse gestures on the canvas, one class each. The view hands events to the one in progress."""

from typing import Protocol

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtWidgets import QApplication, QRubberBand

from app.canvas.scene import Hit


class Surface(Protocol):
    """What a gesture may do to the view."""

    def pan_by(self, delta: QPoint) -> None: ...
    def click(self, hit: Hit, add: bool) -> None: ...
    def choose_area(self, area: QRectF) -> None: ...
    def map_area(self, area: QRect) -> QRectF: ...
    def set_grabbing(self, on: bool) -> None: ...
    def make_band(self) -> QRubberBand: ...


class Gesture(Protocol):
    """From button down to button up."""

    def move(self, location: QPoint) -> None: ...
    def release(self, location: QPoint) -> None: ...


class ClickOrPan:
    """A click where the button comes up near where it went down; else the canvas follows the hand."""

    def __init__(self, surface: Surface, start: QPoint, hit: Hit | None, add: bool) -> None:
        self._surface = surface
        self._start = self._last = start
        self._hit = hit
        self._add = add
        self._panning = False

    def move(self, location: QPoint) -> None:
        far = (location - self._start).manhattanLength() >= QApplication.startDragDistance()
        if not self._panning and far:
            self._panning = True
            self._surface.set_grabbing(True)
        if self._panning:
            self._surface.pan_by(location - self._last)
            self._last = location

    def release(self, location: QPoint) -> None:
        if self._panning:
            self._surface.set_grabbing(False)
        elif self._hit is not None:
            self._surface.click(self._hit, self._add)


class Band:
    """Shift and drag on empty canvas: everything the band touches joins the selection."""

    def __init__(self, surface: Surface, start: QPoint) -> None:
        self._surface = surface
        self._start = start
        self._band = surface.make_band()
        self._band.setGeometry(QRect(start, QSize(0, 0)))
        self._band.show()

    def move(self, location: QPoint) -> None:
        self._band.setGeometry(QRect(self._start, location).normalized())

    def release(self, location: QPoint) -> None:
        area = QRect(self._start, location).normalized()
        self._band.hide()
        self._band.deleteLater()
        if area.width() > 2 and area.height() > 2:
            self._surface.choose_area(self._surface.map_area(area))


def gesture_for(
    surface: Surface, location: QPoint, hit: Hit, button: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> Gesture | None:
    """The gesture that a button press begins, or None for a button that does nothing here."""
    shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
    if button is Qt.MouseButton.MiddleButton:
        return ClickOrPan(surface, location, None, False)
    if button is not Qt.MouseButton.LeftButton:
        return None
    if shift and not hit:
        return Band(surface, location)
    return ClickOrPan(surface, location, hit, shift or bool(keys & Qt.KeyboardModifier.ControlModifier))
