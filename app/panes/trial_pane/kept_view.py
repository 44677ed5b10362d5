"""The changes that the open capture was made with: write them to disk, copy their lines, or take them out again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.remedy_texts import translate_remedy
from app.translation.texts import tr
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import Room, set_column
from compiler.model.capture.program_changes import Change, ReplaceSource
from compiler.model.graph_breaks.remedy import describe_change, keep_text


class KeptView(QWidget):
    """One paragraph a change, each with what can be done about it."""

    write_wanted = Signal(object)
    """A ReplaceSource to write to the user's file."""
    patch_wanted = Signal(object)
    copy_wanted = Signal(tuple)
    drop_wanted = Signal(object)
    """A Change to capture without."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions: list[tuple[str, Change]] = []
        self.words = LinkLabel(self, margin=8)
        set_column(self, self.words, Room(), margins=0)
        self.words.link_clicked.connect(self._clicked)

    def show_changes(self, changes: tuple[Change, ...]) -> None:
        """Show what the capture was made with."""
        self._actions = []
        text = RichText().text(tr("Captured with these changes"), "bold").line()
        text.text(
            tr("Files on disk are as they were; nothing is written unless you ask for it."), "dim"
        ).line()
        for change in changes:
            in_file, what = isinstance(change, ReplaceSource), describe_change(change)
            row = (
                RichText()
                .text("• ")
                .text(translate_remedy(what) if in_file else what, "" if in_file else "mono")
            )
            if isinstance(change, ReplaceSource):
                name = change.path.rpartition("/")[2]
                self._offer(row, tr("Write to {name}").format(name=name), "write", change)
                self._offer(row, tr("Save as patch"), "patch", change)
            elif keep_text(change):
                self._offer(row, tr("Copy line"), "copy", change)
            self._offer(row, tr("Take out"), "drop", change)
            text.paragraph(row)
        self.words.set_content(text)

    def _offer(self, row: RichText, title: str, action: str, change: Change) -> None:
        self._actions.append((action, change))
        row.text(" · ", "dim").link(title, len(self._actions) - 1)

    def _clicked(self, number: int) -> None:
        action, change = self._actions[number]
        match action:
            case "write":
                self.write_wanted.emit(change)
            case "patch":
                self.patch_wanted.emit(change)
            case "copy":
                self.copy_wanted.emit((change,))
            case _:
                self.drop_wanted.emit(change)
