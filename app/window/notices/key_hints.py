"""A line that says which single keys act on the canvas now, while it has the focus."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QStatusBar, QWidget

from app.actions.action_set import ALL_ROWS, ActionSet
from app.theme import current
from app.theme.drawn_text import draw_text
from app.translation.texts import tr, tr_noop

_BETWEEN = "   "
_LAST = tr_noop("?  all keys")
_MOST = 7
_MARGIN = 12


class KeyHints(QWidget):
    """In the room that the status bar has left. Only what can be done with what is selected is named."""

    def __init__(self, actions: ActionSet, canvas: QWidget, bar: QStatusBar) -> None:
        super().__init__(bar)
        self.setObjectName("key_hints")
        self._actions, self._canvas = actions, canvas
        self._text: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        actions.bind_canvas(canvas)
        actions.updated.connect(self.fill)
        current.signals().changed.connect(self.update)
        bar.addWidget(self, 1)

    @property
    def keys(self) -> tuple[str, ...]:
        """What is said: key and action, most specific first."""
        return self._text

    def fill(self) -> None:
        """Name the keys that act now."""
        inside = QApplication.focusWidget()
        acts = (
            inside is not None
            and (inside is self._canvas or self._canvas.isAncestorOf(inside))
            and not inside.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)  # there letters are typed
        )
        hints = (*list(self._hints())[:_MOST], tr(_LAST)) if acts else ()
        if hints != self._text:
            self._text = hints
            self.setAccessibleName(
                tr("Keys of the graph: ") + ", ".join(hints) if hints else tr("Keys of the graph")
            )
            self.update()

    def _hints(self) -> Iterator[str]:
        for row in ALL_ROWS:
            if row.of_canvas and self._actions.actions[row.id].isEnabled():
                yield f"{row.shortcut.replace('Shift+', '⇧')}  {row.shown_title.removesuffix('…').lower()}"

    def sizeHint(self) -> QSize:
        """As high as a line; as wide as there is room."""
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """As many whole hints as there is room for, from the right."""
        if not self._text:
            return
        metrics, shown = self.fontMetrics(), list(self._text)
        while len(shown) > 1 and metrics.horizontalAdvance(_BETWEEN.join(shown)) > self.width() - _MARGIN:
            del shown[-2]
        text = _BETWEEN.join(shown)
        if metrics.horizontalAdvance(text) > self.width() - _MARGIN:
            return
        painter = QPainter(self)
        painter.setPen(current.colors().dim_text)
        draw_text(
            painter,
            self.rect().adjusted(0, 0, -_MARGIN, 0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            text,
        )
