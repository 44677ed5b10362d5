"""Where edits come in: they go on top of the newest capture, and one that does not fit becomes a problem."""

from collections.abc import Callable

from app.session.captures.capture_store import CaptureStore
from app.session.edit_history.edit_history import EditHistory
from app.translation.texts import tr
from compiler.model.edits.editable_stages import why_fixed
from compiler.model.edits.edits import Edit, EditError, nodes_of, stages_of
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, place


class EditEntry:
    """Checks what an edit is about before the history applies it."""

    def __init__(
        self,
        store: CaptureStore,
        history: EditHistory,
        show_capture: Callable[[CaptureId], None],
        report: Callable[[Problem], None],
    ) -> None:
        self._store = store
        self._history = history
        self._show_capture = show_capture
        self._report = report

    def make(self, edit: Edit) -> None:
        """Show the newest capture and make an edit on top of it; where it cannot be made, report why."""
        head = self._store.head
        if head is None:
            self._report(Problem(tr("There is nothing to edit yet."), tr("Open a model first.")))
            return
        self._show_capture(head.id)
        location = next((place(stage_id, *nodes_of(edit)[:1]) for stage_id in stages_of(edit)), None)
        stage = self._store.stage(head, location.stage) if location else None
        if stage is not None and (why := why_fixed(stage)):
            self._report(Problem(why, tr("The edit was not made."), place=location))
            return
        try:
            self._history.make(edit)
        except EditError as error:
            self._report(Problem(str(error), tr("The edit was not made."), place=location))
