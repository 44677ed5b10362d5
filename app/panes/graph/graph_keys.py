"""Keys of the canvas."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.canvas.keyboard_walk import DOWN, LEFT, RIGHT, UP

_ARROWS = {
    Qt.Key.Key_Up: UP,
    Qt.Key.Key_Down: DOWN,
    Qt.Key.Key_Left: LEFT,
    Qt.Key.Key_Right: RIGHT,
}
_DIGITS = tuple(Qt.Key(Qt.Key.Key_1.value + number) for number in range(9))


class GraphKeys:
    """Maps a key to what the pane does. Other keys with Ctrl or Alt belong to the window."""

    def __init__(
        self,
        walk: Callable[[str], None],
        extend: Callable[[bool], object],
        keep_view: Callable[[int], None],
        go_to_view: Callable[[int], object],
        actions: dict[Qt.Key, Callable[[], None]],
    ) -> None:
        self._walk = walk
        self._extend = extend
        self._keep_view = keep_view
        self._go_to_view = go_to_view
        self._actions = actions

    def handle(self, event: QKeyEvent) -> bool:
        """Act on a key; False for one that means nothing here."""
        key = Qt.Key(event.key())
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if key in _DIGITS and held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            number = _DIGITS.index(key) + 1
            (self._keep_view if held else self._go_to_view)(number)
            return True
        if held == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_F:
            self._actions[Qt.Key.Key_Slash]()
            return True
        if held:
            return False
        if key in _ARROWS:
            self._walk(_ARROWS[key])
        elif key in (Qt.Key.Key_I, Qt.Key.Key_O):
            self._extend(key == Qt.Key.Key_I)
        elif key in self._actions:
            self._actions[key]()
        else:
            return False
        return True
