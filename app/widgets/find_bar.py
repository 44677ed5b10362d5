"""The find bar of a code view: Ctrl+F opens it, Enter goes on, Shift+Enter goes back, Esc closes it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.theme import current
from app.translation.texts import tr
from app.widgets.buttons.tool_button import tool_button
from app.widgets.layouts.boxes import set_row

_MOST_SHOWN = 1000
"""Matches that are lit up at once."""


class FindBar(QWidget):
    """Finds plain text in its editor, ignoring case unless the text has capitals."""

    changed = Signal()
    """Opened or closed."""

    def __init__(self, editor: QPlainTextEdit, reveal: Callable[[int], None]) -> None:
        """`reveal` brings a line, from 1, into sight that is folded."""
        super().__init__(editor)
        self._reveal = reveal
        self._editor = editor
        self._matches: list[QTextCursor] = []
        self._index = -1
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("Find"))
        self.field.setClearButtonEnabled(True)
        self.count = QLabel(self)
        before, after = tr("Previous match (Shift+Enter)"), tr("Next match (Enter)")
        previous = tool_button(self, "↑", before, lambda: self.step(-1), flat=True)
        following = tool_button(self, "↓", after, lambda: self.step(1), flat=True)
        close = tool_button(self, "✕", tr("Close (Esc)"), self.close_bar, flat=True)
        set_row(self, self.field, self.count, previous, following, close, margins=(6, 2, 6, 2))
        self.field.textChanged.connect(self._search)
        self.setAutoFillBackground(True)
        self.hide()

    def height_shown(self) -> int:
        """Pixels it takes from the editor."""
        return 0 if self.isHidden() else self.sizeHint().height()

    def open(self) -> None:
        """Show the bar and take what is selected in the text as what to find."""
        selected = self._editor.textCursor().selectedText()
        self.show()
        self.changed.emit()
        if selected and "\u2029" not in selected:
            self.field.setText(selected)
        self.field.setFocus()
        self.field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and give the keyboard back to the text."""
        self.hide()
        self._editor.setExtraSelections([])
        self._editor.setFocus()
        self.changed.emit()

    def search_again(self) -> None:
        """The text changed."""
        if not self.isHidden():
            self._search()

    def step(self, by: int) -> None:
        """Go to the next or previous match, around the end."""
        if self._matches:
            self._go_to((self._index + by) % len(self._matches))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        text = self.field.text()
        self._matches = self._find_all(text) if text else []
        self._index = -1
        if self._matches:
            here = self._editor.textCursor().selectionStart()
            after = (i for i, match in enumerate(self._matches) if match.selectionStart() >= here)
            self._go_to(next(after, 0))
            return
        self.count.setText(tr("no match") if text else "")
        self._editor.setExtraSelections([])

    def _find_all(self, text: str) -> list[QTextCursor]:
        flags = QTextDocument.FindFlag(0)
        if text != text.lower():
            flags |= QTextDocument.FindFlag.FindCaseSensitively
        matches: list[QTextCursor] = []
        cursor = QTextCursor(self._editor.document())
        while len(matches) < _MOST_SHOWN:
            cursor = self._editor.document().find(text, cursor, flags)
            if cursor.isNull():
                break
            matches.append(QTextCursor(cursor))
        return matches

    def _go_to(self, index: int) -> None:
        self._index = index
        more = "+" if len(self._matches) == _MOST_SHOWN else ""
        self.count.setText(
            tr("{value} of {count}{more}").format(value=index + 1, count=len(self._matches), more=more)
        )
        self._reveal(self._matches[index].blockNumber() + 1)
        self._editor.setTextCursor(self._matches[index])
        self._editor.ensureCursorVisible()
        self._light_up()

    def _light_up(self) -> None:
        selections = []
        for index, match in enumerate(self._matches):
            selection = QTextEdit.ExtraSelection()
            color = QColor(current.colors().pinned if index == self._index else current.colors().hovered)
            color.setAlpha(150 if index == self._index else 90)
            selection.cursor = match
            selection.format.setBackground(color)
            selections.append(selection)
        self._editor.setExtraSelections(selections)
