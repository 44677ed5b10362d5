"""Where the run's wall time went, as one bar with words beside it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import current
from app.theme.drawn_text import draw_text, elided
from app.theme.palette import blend

_BAR, _GAP = 220, 12


class ShareBar(QWidget):
    """Compiling, in compiled graphs, elsewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self.text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        current.signals().changed.connect(self.update)

    def show_shares(self, shares: tuple[float, float, float], text: str) -> None:
        """Three parts of a whole, and the words."""
        self._shares, self.text = shares, text
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, self.fontMetrics().height() + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, colors = QPainter(self), current.colors()
        left, height = 0.0, 10.0
        top = (self.height() - height) / 2
        for share, color in zip(self._shares, share_colors(), strict=True):
            painter.fillRect(QRectF(left, top, share * _BAR, height), QColor(color))
            left += share * _BAR
        painter.setPen(QColor(colors.text))
        room = self.width() - _BAR - _GAP
        text = elided(painter.fontMetrics(), self.text, Qt.TextElideMode.ElideRight, room)
        draw_text(painter, QRectF(_BAR + _GAP, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


def share_colors() -> tuple[str, str, str]:
    """Of compiling, of compiled graphs, of the rest."""
    colors = current.colors()
    return colors.warning, colors.fused, blend(colors.panel, colors.dim_text, 0.35)
