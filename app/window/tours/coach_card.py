"""The card of a tour, and the frame around what it talks about. Both lie upon the window."""

import re

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, set_column

WIDTH = 380
_MARKED = re.compile(r"(`[^`]+`|\*[^*]+\*)")
"""Words that are code, or what something in the window is called."""
_GAP = 12
_STYLE = """
QFrame#tour_card {{ background: {panel}; border: 2px solid {accent}; border-radius: 8px; }}
QFrame#tour_card LinkLabel {{ background: transparent; }}
"""


class CoachFrame(QWidget):
    """A line around a part of the window; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour_frame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current.colors().accent), 3))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 6, 6)


class CoachCard(QFrame):
    """One step of a tour: what to look at, what to do, and how far one is. It can be dragged aside."""

    back = Signal()
    next = Signal()
    show_me = Signal()
    closed = Signal()
    language_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour_card")
        self.setAccessibleName(tr("Tour"))
        self.setFixedWidth(WIDTH)
        self._drag: QPoint | None = None
        self.moved_by_hand = False
        self.where = QLabel(self)
        self.title = WrappedLabel("", self)
        self.words = LinkLabel(self)
        self.words.setAccessibleName(tr("What this step is about"))
        self.state = WrappedLabel("", self)
        self.language = QToolButton(self)
        self.language.setAutoRaise(True)
        self.language.setToolTip(tr("The same tour in the other language"))
        self.language.clicked.connect(self.language_wanted)
        tip = tr("End the tour; what is open stays")
        self.close_button = tool_button(self, "✕", tip, self.closed, name=tr("End the tour"), flat=True)
        self.back_button = QPushButton(self)
        self.show_button = QPushButton(self)
        self.next_button = QPushButton(self)
        self.next_button.setObjectName("tour_next")
        for button, signal in (
            (self.back_button, self.back),
            (self.show_button, self.show_me),
            (self.next_button, self.next),
        ):
            button.clicked.connect(signal)
        for control in (
            self.language,
            self.close_button,
            self.back_button,
            self.show_button,
            self.next_button,
        ):
            control.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one works
        self._build()
        current.signals().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def _build(self) -> None:
        top = row_of((self.where, 1), self.language, self.close_button)
        buttons = row_of(self.back_button, Room(), self.show_button, self.next_button)
        set_column(self, top, self.title, self.words, self.state, buttons, margins=(16, 8, 8, 12), spacing=8)

    def _restyle(self) -> None:
        colors = current.colors()
        self.setStyleSheet(_STYLE.format(panel=colors.panel, accent=colors.accent))
        self.title.setFont(fonts.interface(1.15, bold=True))
        self.where.setStyleSheet(f"color: {colors.dim_text};")

    def show_texts(self, title: str, text: str, then: str) -> None:
        """Fill the card; words in backquotes are code, those in asterisks bold."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.words.set_content(_marked_up(text, then))

    def show_state(self, text: str, good: bool) -> None:
        """Whether the step is done."""
        self.state.setText(text)
        self.state.setVisible(bool(text))
        color = current.colors().good if good else current.colors().dim_text
        self.state.setStyleSheet(f"color: {color};")

    def place_next_to(self, target: QRect | None) -> None:
        """Where it covers least of what it talks about; where it was dragged to, if it was."""
        parent = self.parentWidget()
        if parent is None:
            return
        self.words.setFixedWidth(WIDTH - 28)
        layout = self.layout()
        assert layout is not None  # a frame's own sizeHint knows nothing of it
        by_width = layout.hasHeightForWidth()
        self.resize(WIDTH, layout.totalHeightForWidth(WIDTH) if by_width else layout.totalSizeHint().height())
        room = parent.rect().adjusted(_GAP, _GAP, -_GAP, -_GAP)
        if self.moved_by_hand:
            self.move(_inside(self.geometry(), room).topLeft())
            return
        self.move(best_place(self.geometry(), target, room).topLeft())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            self.moved_by_hand = True
            self.move(self.mapToParent(event.position().toPoint() - self._drag))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None


def best_place(card: QRect, target: QRect | None, room: QRect) -> QRect:
    """Beside the target, or where it covers the least of it: at its bottom right, else at another of its corners."""
    if target is None:
        placed = QRect(card)
        placed.moveCenter(room.center())
        return placed
    corners = (
        QPoint(target.right() + _GAP, target.top() + _GAP),
        QPoint(target.left() - _GAP - card.width(), target.top() + _GAP),
        QPoint(target.left(), target.bottom() + _GAP),
        QPoint(target.left(), target.top() - _GAP - card.height()),
        QPoint(target.right() - _GAP - card.width(), target.bottom() - _GAP - card.height()),
        QPoint(target.left() + _GAP, target.bottom() - _GAP - card.height()),
        QPoint(target.right() - _GAP - card.width(), target.top() + _GAP),
    )
    places = [_inside(QRect(corner, card.size()), room) for corner in corners]
    return min(places, key=lambda place: _area(place.intersected(target)))


def _inside(place: QRect, room: QRect) -> QRect:
    left = max(min(place.left(), room.right() - place.width()), room.left())
    top = max(min(place.top(), room.bottom() - place.height()), room.top())
    return QRect(QPoint(left, top), place.size())


def _area(rect: QRect) -> int:
    return rect.width() * rect.height() if rect.isValid() else 0


def _marked_up(text: str, then: str) -> RichText:
    rich = RichText()
    for part in filter(None, (text, then)):
        if rich.plain:
            rich.line().line()
        for piece in _MARKED.split(part):
            if piece:
                style = {"`": "mono", "*": "bold"}.get(piece[0], "") if _MARKED.fullmatch(piece) else ""
                rich.text(piece[1:-1] if style else piece, style)
    return rich
