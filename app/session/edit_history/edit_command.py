"""One step of the undo stack."""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from app.translation.edit_texts import edit_title
from compiler.model.edits.edits import Edit


class EditCommand(QUndoCommand):
    """An edit with its inverse. It only has the history apply it or take it back; the history holds the graphs."""

    def __init__(
        self,
        edit: Edit,
        inverse: Edit,
        apply: Callable[[Edit], Edit],
        take_back: Callable[[Edit, Edit], None],
    ) -> None:
        super().__init__(edit_title(edit))
        self.edit = edit
        self._inverse = inverse
        self._apply = apply
        self._take_back = take_back
        self._first = True

    def redo(self) -> None:
        if self._first:  # pushing calls redo; the edit was applied when it was checked
            self._first = False
            return
        self._inverse = self._apply(self.edit)

    def undo(self) -> None:
        self._take_back(self.edit, self._inverse)
