"""A label of several lines in which long names break, so that none is cut off and no dock is as wide as its longest word."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.theme import current
from app.theme.plain_text import written_out
from compiler.analysis.text_format.visible_text import visible

_LONG_WORD = re.compile(r"\S{20,}")
_JOINT = re.compile(r"([._/:=,)\]-]+|[^._/:=,)\]-]{20})(?=[^._/:=,)\]-])")
"""Where names are read as several words; a hash has none, and breaks anywhere."""
_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class WrappedLabel(QLabel):
    """Plain text. `text()` is what was set."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setWordWrap(True)
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        """Qt wraps at blanks only: a place of no width is put behind each joint of a long word, unless it may be copied from here."""
        self._text = text
        if self._is_copied():
            super().setText(text)
        else:
            super().setText(_LONG_WORD.sub(lambda word: _JOINT.sub("\\1\u200b", word[0]), visible(text)))

    def _is_copied(self) -> bool:
        return bool(self.textInteractionFlags() & _SELECTABLE)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_copied():
            super().paintEvent(event)
        else:
            with written_out():
                super().paintEvent(event)

    def say(self, text: str, color: str) -> None:
        """The text in one of the look's colours, by name."""
        self.setText(text)
        self.setStyleSheet(f"color: {getattr(current.colors(), color)}")

    def clear(self) -> None:
        self.setText("")

    def setTextInteractionFlags(self, flags: Qt.TextInteractionFlag) -> None:
        super().setTextInteractionFlags(flags)
        self.setText(self._text)
