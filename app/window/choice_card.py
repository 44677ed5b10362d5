"""A large button with a sentence below its title, as start pages and lists of tours have them."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCommandLinkButton, QWidget

from app.theme import current

_ROOM = 6
_STYLE = """
QCommandLinkButton {{ background: {panel}; border: {edge}; border-radius: 6px; }}
QCommandLinkButton:hover, QCommandLinkButton:focus {{ border: 1px solid {accent}; }}
"""


class ChoiceCard(QCommandLinkButton):
    """`first`: what most people want, with a stronger border."""

    def __init__(
        self, title: str, about: str, width: int, parent: QWidget | None = None, first: bool = False
    ) -> None:
        super().__init__(title, about, parent)
        self._first = first
        self.setFixedWidth(width)
        self.setIconSize(QSize(0, 0))
        current.signals().changed.connect(self._restyle)
        self._restyle()

    def heightForWidth(self, width: int) -> int:
        """Qt counts with the letters of the font itself; others, such as Chinese ones, are taller."""
        return super().heightForWidth(width) + _ROOM

    def _restyle(self) -> None:
        colors = current.colors()
        edge = f"2px solid {colors.accent}" if self._first else f"1px solid {colors.line}"
        self.setStyleSheet(_STYLE.format(panel=colors.panel, edge=edge, accent=colors.accent))
