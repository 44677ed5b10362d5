"""What editing a graph and editing a wrapper as text share: they are about one stage, and come to one edit of it."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.session.facade.session import Session
from app.widgets.code_editor import CodeEditor
from app.widgets.text_editing_bar import TextEditingBar
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage


class StageTextEditing(TextEditingBar):
    """Subclasses read the text in `check` and leave in `_edit` what it comes to, None where that is nothing."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(editor, parent)
        self._session, self._on_end = session, ended
        self._stage: StageId = ""
        self._edit: Edit | None = None

    def begin(self, stage: StageId) -> None:
        """Let the text of a stage that is on show be changed."""
        self._stage = stage
        self._begin()

    def ended(self) -> None:
        """Show the stage again."""
        self._stage = ""
        self._on_end()

    def apply(self) -> None:
        """Make the edit, if the text comes to one."""
        self.check()
        edit = self._edit
        if edit is not None:
            self._end()
            self._session.make_edit(edit)

    def _edited_stage(self) -> Stage | None:
        """The stage with the active edits; None where it is gone."""
        capture = self._session.capture
        if capture is None or all(stage.id != self._stage for stage in capture.stages):
            return None
        return self._session.stage_with_edits(self._stage)
