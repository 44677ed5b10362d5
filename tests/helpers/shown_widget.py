"""A widget on the screen, which is closed when the test ends."""

from typing import TypeVar

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

_Widget = TypeVar("_Widget", bound=QWidget)


def on_screen(qtbot: QtBot, widget: _Widget, width: int = 0, height: int = 0) -> _Widget:
    """The widget, of this size where one is given."""
    qtbot.addWidget(widget)
    if width:
        widget.resize(width, height)
    widget.show()
    return widget
