"""Cards at the bottom right that say what happened. They take no focus and cover nothing that has it."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QMainWindow, QWidget

from app.places.corners import corners
from app.theme import current
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_row
from app.widgets.layouts.kept_in_sight import kept_in_sight
from app.widgets.layouts.spare_room import spare_places
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.ir.diagnostics import Problem, Severity

_OWN = "QFrame#toast {{ background: {panel}; border: 1px solid {line}; border-left: 4px solid {mark}; border-radius: 4px; }}"
NOTE_MS = 6000
"""How long a note stays; it stays while the pointer is over it."""
_WIDTH = 360
_NARROW = 264
"""The width beside what is drawn on a canvas."""
_MARGIN = 12
_MOST = 3
_LONGEST = 220
_LOOK_MS = 400
"""While there are cards it is looked this often what they cover."""


class Toast(QFrame):
    """One card. A click on it asks for the whole list."""

    clicked = Signal()
    closed = Signal()

    def __init__(self, problem: Problem, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("toast")
        self.problem = problem
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Notice"))
        words = visible_line(problem.message())
        self.text = WrappedLabel(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…", self)
        self.text.setToolTip(tr("Show all problems"))
        closing = tr("Close the notice")
        self.close_button = tool_button(self, "✕", "", self.closed, name=closing, flat=True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_row(
            self, (self.text, 1), (self.close_button, 0, Qt.AlignmentFlag.AlignTop), margins=(12, 8, 6, 8)
        )
        self.setFixedWidth(_WIDTH)
        self._leaves = QTimer(self, interval=NOTE_MS)
        self._leaves.timeout.connect(self._leave)
        if problem.severity is Severity.NOTE:
            self._leaves.start()
        self.restyle()

    def restyle(self) -> None:
        """In the colours of the look."""
        colors = current.colors()
        marks = {
            Severity.ERROR: colors.error,
            Severity.WARNING: colors.warning,
            Severity.NOTE: colors.accent,
        }
        self.setStyleSheet(
            _OWN.format(panel=colors.panel, line=colors.line, mark=marks[self.problem.severity])
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.clicked.emit()

    def _leave(self) -> None:
        if not self.underMouse():
            self.closed.emit()


class Toasts(QObject):
    """Stacks cards over a window, the newest lowest. What does not fit is in the list of problems."""

    list_wanted = Signal()
    """A card was clicked."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.cards: list[Toast] = []
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._look_again)
        window.installEventFilter(self)
        current.signals().changed.connect(self._restyle)

    def show(self, problem: Problem) -> None:
        """Report it. What is reported already is not reported twice."""
        if any(card.problem == problem for card in self.cards):
            return
        card = Toast(problem, self._window)
        card.closed.connect(lambda: self._drop(card))
        card.clicked.connect(lambda: self._on_click(card))
        self.cards.append(card)
        for old in self.cards[:-_MOST]:
            self._drop(old)
        self.place()
        card.show()
        card.raise_()

    def keep(self, problems: tuple[Problem, ...]) -> None:
        """Cards of what is settled, or of another program, go."""
        for card in tuple(self.cards):
            if card.problem not in problems:
                self._drop(card)

    def place(self) -> None:
        """In the first corner where they cover nothing that has the focus and nothing that is read; else on the canvas, where
        they cover the fewest boxes.
        """
        focus, in_sight = self._focus(), kept_in_sight(self._window)

        def cost(place: tuple[QRect, int]) -> tuple[int, ...]:
            at, boxes = place
            return at.intersects(focus), sum(_shared(at, rect) for rect in in_sight), boxes

        corner, _ = min(self._places(), key=cost)
        top = corner.top()
        for card in self.cards:
            height = _height(card, corner.width())
            card.setFixedWidth(corner.width())
            card.setGeometry(corner.left(), top, corner.width(), height)
            top += height + _MARGIN
        (self._looking.start if self.cards else self._looking.stop)()

    def _look_again(self) -> None:
        """A pane that comes to the front, or a verdict that comes in, is not covered by what was there before."""
        in_sight = kept_in_sight(self._window)
        if any(card.geometry().intersects(rect) for card in self.cards for rect in in_sight):
            self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.cards:
            self.place()
        return super().eventFilter(watched, event)

    def _places(self) -> list[tuple[QRect, int]]:
        """Where all cards have room, and how many boxes they would cover there."""
        window = self._window
        top = window.menuBar().geometry().bottom() + 7 * _MARGIN
        room = QRect(
            0, top, window.width(), window.statusBar().y() - top + _MARGIN
        )  # each card has one below it
        places = [(place, 0) for place in corners(room, QSize(_WIDTH, self._high(_WIDTH)), _MARGIN)]
        for width in (_WIDTH, _NARROW):
            places += spare_places(window, QSize(width, self._high(width)), _MARGIN)
        return places

    def _high(self, width: int) -> int:
        return sum(_height(card, width) + _MARGIN for card in self.cards)

    def _focus(self) -> QRect:
        """Where one types: the text cursor's line of an editor, all of a field or button, nothing of a picture."""
        held = QApplication.focusWidget()
        if held is None or held.window() is not self._window:
            return QRect()
        cursor = held.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        typed = held.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        small = held.height() < self._window.height() // 8
        if not small and not typed:
            return QRect()
        area = held.rect() if small or not isinstance(cursor, QRect) else cursor.adjusted(-_WIDTH, -8, 8, 8)
        return QRect(held.mapTo(self._window, area.topLeft()), area.size())

    def _on_click(self, card: Toast) -> None:
        self._drop(card)
        self.list_wanted.emit()

    def _drop(self, card: Toast) -> None:
        if card in self.cards:
            self.cards.remove(card)
            card.hide()
            card.deleteLater()
            self.place()

    def _restyle(self) -> None:
        for card in self.cards:
            card.restyle()


def _height(card: Toast, width: int) -> int:
    return card.layout().totalHeightForWidth(width)  # type: ignore[union-attr]


def _shared(one: QRect, other: QRect) -> int:
    both = one.intersected(other)
    return both.width() * both.height()
