"""Rows with some air, and cells with a thin bar that shows how large a number is beside the others of its column."""

import re
from collections.abc import Hashable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTreeView

from app.theme import current, text_size
from app.theme.plain_text import VisibleDelegate

FRACTION_ROLE = int(Qt.ItemDataRole.UserRole) + 40
"""Length of the bar, 0 to 1; a cell without it has no bar."""
BAR_COLOR_ROLE = int(Qt.ItemDataRole.UserRole) + 41
"""``#rrggbb``; the accent where absent."""
LOOKS_ROLE = int(Qt.ItemDataRole.UserRole) + 42
"""What the size of a cell depends on beside the view's font, hashable; its size is not kept where absent."""
_AIR = 7
"""Pixels that a row is higher than its text."""
_MOST_SIZES = 5000
_JOINTS = re.compile(r"(?<=\w[._/])(?=\w)")
"""Where names of several parts may be broken."""
_LINE_END = "\u2028"
"""What Qt has made of the ends of lines in a cell."""
_PIECES = re.compile(rf"{_LINE_END}|[^\s._/{_LINE_END}]*[._/]*[^\S{_LINE_END}]*")
_GAP = 8
"""Pixels of a cell that its text does not have."""


class RoomyDelegate(VisibleDelegate):
    """Rows with some air, so that long lists can be read. A cell with a background keeps it while its row is selected.

    Qt asks for the size of every cell of some columns whenever a dock moves; a size is measured once for all cells that look
    the same.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sizes: dict[tuple[Hashable, str, float], QSize] = {}

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if index.data(Qt.ItemDataRole.BackgroundRole) is not None:
            option.state &= ~QStyle.StateFlag.State_Selected
        super().paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        looks = index.data(LOOKS_ROLE)
        if looks is None or option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
            return self._measured(option, index)
        key = looks, option.font.key(), text_size.scale()
        size = self._sizes.get(key)
        if size is None:
            if len(self._sizes) >= _MOST_SIZES:
                self._sizes.clear()
            size = self._sizes[key] = self._measured(option, index)
        return QSize(size)

    def _measured(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return super().sizeHint(option, index) + QSize(4, _AIR)


class WrappingDelegate(RoomyDelegate):
    """Of a tree whose rows take as many lines as their texts need in their columns: a tree asks for heights without a width."""

    def __init__(self, tree: QTreeView) -> None:
        super().__init__(tree)
        self._tree = tree

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Names such as ``torch.nn.functional.gelu`` may go on in the next line: their end says most."""
        super().initStyleOption(option, index)
        option.text = _broken(option.text, option.fontMetrics, option.rect.width() - _GAP)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        room = self._tree.columnWidth(index.column())
        if index.column() == 0:
            room -= self._tree.indentation() * _depth(index, self._tree.rootIsDecorated())
        option.rect = QRect(0, 0, room, 1)  # an empty one counts for nothing
        return self._measured(option, index)


def _broken(text: str, metrics: QFontMetrics, room: int) -> str:
    """The same with its ends of lines written out, where a word that has joints is wider than the room. A break that shows
    nothing at the joints would do, but what shows nothing is written out (`VisibleDelegate`).
    """
    if not any(metrics.horizontalAdvance(word) > room and _JOINTS.search(word) for word in text.split()):
        return text
    lines, line = [], ""
    for piece in _PIECES.findall(text):
        if line and (piece == _LINE_END or metrics.horizontalAdvance((line + piece).rstrip()) > room):
            lines.append(line.rstrip())
            line = ""
        line += piece.replace(_LINE_END, "")
    return _LINE_END.join([*lines, line])


def _depth(index: QModelIndex | QPersistentModelIndex, decorated: bool) -> int:
    above, depth = index.parent(), int(decorated)
    while above.isValid():
        above, depth = above.parent(), depth + 1
    return depth


class BarDelegate(RoomyDelegate):
    """Draws the cell as usual and the bar along its lower edge, so the text stays readable."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        fraction = index.data(FRACTION_ROLE)
        if fraction is None:
            return
        area = QRectF(option.rect).adjusted(4, 0, -4, -1)
        track = QRectF(area.left(), area.bottom() - 2, area.width(), 2)
        painter.fillRect(track, QColor(current.colors().line))
        track.setWidth(max(1.0, track.width() * min(1.0, max(0.0, fraction))))
        painter.fillRect(track, QColor(index.data(BAR_COLOR_ROLE) or current.colors().accent))
