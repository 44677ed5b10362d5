"""A label of one line that shortens its text to the room it has and shows the whole as a tooltip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.theme.drawn_text import draw_text, elided
from compiler.analysis.text_format.visible_text import visible_line


class ElidedLabel(QLabel):
    """Never asks for more width than there is, so that a long path cannot stretch a dock."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(visible_line(text))
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 3, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        area = self.contentsRect()
        text = elided(self.fontMetrics(), self.text(), Qt.TextElideMode.ElideRight, area.width())
        draw_text(painter, area, self.alignment() | Qt.TextFlag.TextSingleLine, text)
        painter.end()
