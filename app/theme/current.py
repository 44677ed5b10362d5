"""The active look. Whoever paints asks `colors()` and repaints when `signals().changed` says so."""

from functools import cache

from PySide6.QtCore import QObject, Signal

from app.theme.colors import LIGHT, Colors


class ThemeSignals(QObject):
    """Says when another look came into force."""

    changed = Signal()


_active = [LIGHT]


@cache
def signals() -> ThemeSignals:
    """The one object that announces a change of look; it lives as long as the program."""
    return ThemeSignals()


def colors() -> Colors:
    """The colours to paint with now."""
    return _active[0]


def shade_of(right: bool | None) -> str:
    """The colour of an answer; None: it is not known."""
    return {True: colors().good, False: colors().error, None: colors().warning}[right]


def set_colors(new: Colors) -> None:
    """Put a look into force. Widgets need `palette.apply` as well; panes follow the signal."""
    if new == _active[0]:
        return
    _active[0] = new
    signals().changed.emit()
