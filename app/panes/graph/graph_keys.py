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


class GraphKeys:
    """Maps a key to what the pane does. Keys with Ctrl or Alt belong to the window."""

    def __init__(
        self,
        walk: Callable[[str], None],
        extend: Callable[[bool], None],
        actions: dict[Qt.Key, Callable[[], None]],
    ) -> None:
        self._walk = walk
        self._extend = extend
        self._actions = actions

    def handle(self, event: QKeyEvent) -> bool:
        """Act on a key; False for one that means nothing here."""
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if held:
            return False
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self._walk(_ARROWS[key])
        elif key in (Qt.Key.Key_I, Qt.Key.Key_O):
            self._extend(key == Qt.Key.Key_I)
        elif key in self._actions:
            self._actions[key]()
        else:
            return False
        return True
