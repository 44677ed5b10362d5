"""A thin strip that says what colours and signs mean."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import current
from app.theme.drawn_text import draw_text
from app.widgets.gutter_marks import draw_mark

_EDGE, _SIGN, _BETWEEN, _LEAST = 6, 18, 14, 40
"""Pixels: before the first entry, of a sign, between entries, and the least that a text is given."""


@dataclass(frozen=True)
class LegendEntry:
    """One sign and its meaning. `shape`: ``stripe``, ``swatch``, ``outline`` or a shape of gutter marks."""

    text: str
    color: str
    shape: str = "swatch"


class LegendStrip(QWidget):
    """Entries side by side, in as many rows as the width asks for; one that is wider than the strip takes rows of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        font = self.font()
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.9))
        self.setFont(font)
        # Not fixed: a layout would hold it to the rows it needed at another width.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """What is explained."""
        return self._entries

    def set_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Explain these."""
        self._entries = entries
        self.setVisible(bool(entries))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = max((row + len(lines) for row, _, _, lines in self._places(width)), default=1)
        return rows * self._row_height() + 4

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 4

    def _places(self, width: int) -> list[tuple[int, int, LegendEntry, list[str]]]:
        """(row, left edge, entry, its text in lines) of every entry."""
        places, row, left = [], 0, _EDGE
        for entry in self._entries:
            needed = _SIGN + self.fontMetrics().horizontalAdvance(entry.text) + _BETWEEN
            if left > _EDGE and left + needed > width:
                row, left = row + 1, _EDGE
            lines = self._lines(entry.text, width - left - _SIGN)
            places.append((row, left, entry, lines))
            left += needed
            if len(lines) > 1:
                row, left = row + len(lines), _EDGE
        return places

    def _lines(self, text: str, width: int) -> list[str]:
        layout = QTextLayout(text, self.font())
        breaking = QTextOption()
        breaking.setWrapMode(
            QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        )  # names of kernels are one word
        layout.setTextOption(breaking)
        layout.beginLayout()
        lines = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, _LEAST))
            lines.append(text[line.textStart() : line.textStart() + line.textLength()].strip())
        layout.endLayout()
        return lines or [""]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        height = self._row_height()
        for row, left, entry, lines in self._places(self.width()):
            top = 2 + row * height
            box = QRectF(left, top + height / 2 - 6, 12, 12)
            if entry.shape == "swatch":
                painter.fillRect(box, QColor(entry.color))
            elif entry.shape == "stripe":
                painter.fillRect(box.adjusted(4, 0, -4, 0), QColor(entry.color))
            elif entry.shape == "outline":
                painter.setPen(QColor(entry.color))
                painter.drawRect(box.adjusted(0, 2, 0, -2))
            else:
                draw_mark(painter, box, entry.shape, entry.color)
            painter.setPen(QColor(current.colors().dim_text))
            for number, line in enumerate(lines):
                area = QRectF(left + _SIGN - 1, top + number * height, self.width(), height)
                draw_text(painter, area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line)
        painter.end()
