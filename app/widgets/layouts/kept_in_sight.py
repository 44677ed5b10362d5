"""What cards of notices are not to lie over, since it is what the person waits for."""

from PySide6.QtCore import QObject, QRect
from PySide6.QtWidgets import QWidget

_NAME = "kept_in_sight"


class KeptInSight(QObject):
    """Marks its parent while `on`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(_NAME)
        self.on = False


def kept_in_sight(window: QWidget) -> list[QRect]:
    """Places in a window that are marked and shown, in its coordinates."""
    marks = window.findChildren(QObject, _NAME)
    held = [mark.parent() for mark in marks if isinstance(mark, KeptInSight) and mark.on]
    return [
        QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
        for widget in held
        if isinstance(widget, QWidget) and widget.isVisible() and widget.window() is window
    ]
