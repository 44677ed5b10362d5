"""How large text is, against the system's: for a projector, or for eyes that want more."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from app.theme import current

STEPS = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
_active = [1.0]
_SMALL = 0.01
_OWN = "own_points"
"""A widget's size at the system's scale where it has a font of its own; 0 where it has the application's."""


def scale() -> float:
    """Times the system's size."""
    return _active[0]


def set_scale(app: QApplication, wanted: float) -> None:
    """Make all text that large. Text on the canvas follows its zoom."""
    before = _active[0]
    if wanted == before:
        return
    _active[0] = wanted
    usual = app.font()
    usual.setPointSizeF(_points(usual) / before * wanted)
    app.setFont(usual)
    for widget in app.allWidgets():  # those that a style sheet dresses do not follow the application's font
        own = widget.property(_OWN)
        if own is None:
            own = (
                _points(widget.font()) / before
                if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
                else 0.0
            )
            widget.setProperty(_OWN, own)
        font = widget.font()
        font.setPointSizeF(own * wanted if own else usual.pointSizeF())
        widget.setFont(font)
    _fill_again()


def keep_scale(app: QApplication) -> None:
    """A style sheet was put on, which gives widgets the fonts they had before: give them their size again."""
    usual, touched = app.font().pointSizeF(), False
    for widget in app.allWidgets():
        own, font = widget.property(_OWN), widget.font()
        wanted = own * scale() if own else usual
        if own is not None and abs(font.pointSizeF() - wanted) > _SMALL:  # it was made larger or smaller once
            font.setPointSizeF(wanted)
            widget.setFont(font)
            touched = True
    if touched:
        _fill_again()


def _fill_again() -> None:
    current.signals().changed.emit()  # what holds fonts of its own fills itself again


def next_step(towards: int) -> float:
    """The next size that is larger (1) or smaller (-1), or the active one at the end."""
    nearest = min(range(len(STEPS)), key=lambda index: abs(STEPS[index] - scale()))
    return STEPS[min(max(nearest + towards, 0), len(STEPS) - 1)]


def _points(font: QFont) -> float:
    return font.pointSizeF() if font.pointSizeF() > 0 else 10.0
