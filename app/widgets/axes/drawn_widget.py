"""A widget that draws what it shows, and says in a tooltip what the mouse is on."""

from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.theme import current


class DrawnWidget(QWidget):
    """Drawn again when the colours of the look change."""

    def __init__(self, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        current.signals().changed.connect(self.update)

    def tip_at(self, location: QPointF) -> str:
        """What is said of a point of the widget; empty for none."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)
