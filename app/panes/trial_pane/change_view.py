"""A change as text: the line to add, or the edit of a file as a diff in colours."""

from PySide6.QtWidgets import QWidget

from app.theme import current
from app.theme.palette import blend
from app.widgets.code_editor import CodeEditor
from compiler.model.capture import Capture
from compiler.model.changes import Change, ReplaceSource
from compiler.model.remedies.remedy import diff_text, keep_text, text_of

_TINT = 0.8


class ChangeView(CodeEditor):
    """Added lines are green, removed ones red."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_numbers_shown(False)
        current.signals().changed.connect(self._recolor)

    def show_changes(self, capture: Capture, changes: tuple[Change, ...]) -> None:
        """Show what would be different."""
        parts = []
        for change in changes:
            if isinstance(change, ReplaceSource):
                before = text_of(capture, change.path) or ""
                name = change.path.rpartition("/")[2]
                lines = diff_text(change, before).split("\n")[2:]
                parts.append("\n".join((f"# {name}", *lines)).rstrip("\n"))
            else:
                parts.append(f"+{keep_text(change)}")
        self.set_code("\n".join(parts), "python")
        self._recolor()

    def _recolor(self) -> None:
        colors = current.colors()
        tints = {}
        for number, line in enumerate(self.toPlainText().split("\n"), 1):
            if line[:1] in ("+", "-"):
                tints[number] = colors.good if line[0] == "+" else colors.error
        self.set_tints({line: blend(color, colors.panel, _TINT) for line, color in tints.items()})
