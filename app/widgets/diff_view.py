"""A unified diff in colours."""

from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.palette import blend
from app.widgets.code_editor import CodeEditor

_TINT = 0.8


class DiffView(CodeEditor):
    """Added lines are green, removed ones red."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide_numbers()
        current.signals().changed.connect(self._recolor)

    def show_diff(self, text: str, language: str) -> None:
        """Show a diff of texts in a language; the same one again is left as it stands."""
        if text != self.toPlainText():
            self.set_code(text, language)
            self._recolor()

    def _recolor(self) -> None:
        colors = current.colors()
        tints = {}
        for number, line in enumerate(self.toPlainText().split("\n"), 1):
            if line[:1] in ("+", "-"):
                tints[number] = colors.good if line[0] == "+" else colors.error
        self.set_tints({line: blend(color, colors.panel, _TINT) for line, color in tints.items()})
