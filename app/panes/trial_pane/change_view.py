"""A change as text: the line to add, or the edit of a file as a diff in colours."""

from app.widgets.diff_view import DiffView
from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import Change, ReplaceSource
from compiler.model.graph_breaks.remedy import diff_text, keep_text, text_of


class ChangeView(DiffView):
    """What would be different."""

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
        self.show_diff("\n".join(parts), "python")
