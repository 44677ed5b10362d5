"""Small buttons that say in a tip what they do."""

from collections.abc import Callable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QToolButton, QWidget


def tool_button(
    parent: QWidget,
    text: str,
    tip: str,
    pressed: Callable[[], object] | SignalInstance | None = None,
    *,
    name: str = "",
    flat: bool = False,
) -> QToolButton:
    """A button with this text. Who listens to the screen hears its name: else the tip, without the keys that end it."""
    button = QToolButton(parent)
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(name or tip.partition(" (")[0])
    button.setAutoRaise(flat)
    if pressed is not None:
        button.clicked.connect(pressed)
    return button
