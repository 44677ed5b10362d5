"""A large button with a sentence below its title, as start pages and lists of tours have them."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCommandLinkButton, QWidget

from app.theme import current

_ROOM = 6
_STYLE = """
QCommandLinkButton {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; }}
QCommandLinkButton:hover {{ border: 1px solid {accent}; }}
QCommandLinkButton:focus {{ border: 2px solid {accent}; }}
"""


class ChoiceCard(QCommandLinkButton):
    """What has the keyboard has the strongest border, and nothing else one like it."""

    def __init__(self, title: str, about: str, width: int, parent: QWidget | None = None) -> None:
        super().__init__(title, about, parent)
        self.setFixedWidth(width)
        self.setAutoDefault(True)  # Enter chooses it; outside of dialogs Qt would wait for the space bar
        self.setIconSize(QSize(0, 0))
        current.signals().changed.connect(self._restyle)
        self._restyle()

    def heightForWidth(self, width: int) -> int:
        """Qt counts with the letters of the font itself; others, such as Chinese ones, are taller."""
        return super().heightForWidth(width) + _ROOM

    def _restyle(self) -> None:
        colors = current.colors()
        self.setStyleSheet(_STYLE.format(panel=colors.panel, line=colors.line, accent=colors.accent))
