"""Wavy lines under what is wrong in a text."""

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from app.theme import current


def underlined(document: QTextDocument, line: int, column: int) -> QTextEdit.ExtraSelection:
    """From a column of a line (from 1) to its end; a whole line that ends before is underlined from its first letter."""
    block = document.findBlockByNumber(line - 1)
    text = block.text()
    indent = len(text) - len(text.lstrip())
    begin = column if indent <= column < len(text) else indent
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + begin)
    cursor.setPosition(block.position() + len(text), QTextCursor.MoveMode.KeepAnchor)
    shape = QTextCharFormat()
    shape.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    shape.setUnderlineColor(QColor(current.colors().error))
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, shape
    return made
