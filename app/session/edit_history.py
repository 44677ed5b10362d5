"""The edits in force and the graphs they give, before any of them is compiled."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app.session.edit_command import EditCommand
from compiler.model.edits import Edit, Editable, EditError, apply_edit, stages_of
from compiler.model.ids import StageId

ContentOf = Callable[[StageId], Editable | None]
BaseOf = Callable[[StageId, tuple[Edit, ...]], tuple[Editable, tuple[Edit, ...]] | None]
"""The compiled content nearest to a stage with edits, and the edits of the stage that it lacks."""


class EditHistory(QObject):
    """Makes, undoes and redoes edits. An edit that does not fit is refused before it gets onto the stack.

    Invariant: `content(stage)` is the graph or loop IR with the edits in force, as far as it is known without compiling.
    """

    changed = Signal()
    """The edits in force, or what can be redone, changed."""
    made = Signal(object)
    """An edit was made (not redone); the journal writes it."""
    undone = Signal()
    redone = Signal()

    def __init__(self, base_of: BaseOf, head_content: ContentOf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stack = QUndoStack(self)
        self.stack.indexChanged.connect(self._on_index_change)
        self._loading = False
        self._base_of = base_of
        self._head_content = head_content
        self._contents: dict[StageId, Editable] = {}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits in force."""
        return self.all_edits[: self.stack.index()]

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        """The edits in force, then those that can be redone."""
        commands = (self.stack.command(index) for index in range(self.stack.count()))
        return tuple(command.edit for command in commands if isinstance(command, EditCommand))

    def content(self, stage: StageId) -> Editable | None:
        """The graph or loop IR that the next edit of a stage will be applied to."""
        return self._contents.get(stage) or self._head_content(stage)

    def make(self, edit: Edit) -> None:
        """Apply an edit and put it on the stack. Raises EditError, and then nothing has changed."""
        inverse = self._apply(edit)
        self.stack.push(EditCommand(edit, inverse, self._redo, self._take_back))
        self.made.emit(edit)

    def undo(self) -> None:
        """Take the last edit back."""
        if self.stack.canUndo():
            self.stack.undo()

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        if self.stack.canRedo():
            self.stack.redo()

    def clear(self) -> None:
        """Another root: no edits."""
        self._contents.clear()
        self.stack.clear()

    def load(self, edits: tuple[Edit, ...], undone: int, compiled: bool) -> None:
        """Put edits of a file on the stack, the last `undone` of them undone. Raises EditError.

        With `compiled`, an edit may name nodes that only stand in a recompile's graph; it is taken on trust.
        """
        self._loading = True
        try:
            for edit in edits:
                self.stack.push(EditCommand(edit, self._loaded(edit, compiled), self._redo, self._take_back))
            self.stack.setIndex(self.stack.count() - undone)
        finally:
            self._loading = False
            self.changed.emit()

    def settle(self) -> None:
        """There is a newer capture: go on from its graphs, which have fresh shapes and, after the edited stage,
        other nodes.
        """
        for stage in tuple(self._contents):
            self._rebuild(stage, self.edits)

    def _loaded(self, edit: Edit, compiled: bool) -> Edit:
        try:
            return self._apply(edit)
        except EditError:
            if not compiled:
                raise
            return edit  # no inverse known; taking it back rebuilds

    def _on_index_change(self) -> None:
        if not self._loading:
            self.changed.emit()

    def _apply(self, edit: Edit) -> Edit:
        stages = stages_of(edit)
        if len(stages) != 1:
            raise EditError("An edit must change exactly one stage; make one edit for each.")
        content = self.content(stages[0])
        if content is None:
            raise EditError(f"The stage {stages[0]} has nothing to edit.")
        self._contents[stages[0]], inverse = apply_edit(content, edit)
        return inverse

    def _redo(self, edit: Edit) -> Edit:
        if not self._loading:
            self.redone.emit()
        try:
            return self._apply(edit)
        except EditError:
            # the graph was compiled in between and its nodes are others now; the list of edits is what counts
            self._rebuild(stages_of(edit)[0], self.all_edits[: self.stack.index() + 1])
            return edit  # stands for "no inverse known"; taking it back rebuilds again

    def _take_back(self, edit: Edit, inverse: Edit) -> None:
        if not self._loading:
            self.undone.emit()
        stage = stages_of(edit)[0]
        remaining = self.all_edits[: self.stack.index() - 1]
        if inverse is edit:
            self._rebuild(stage, remaining)
            return
        try:
            self._contents[stage], _ = apply_edit(self._contents[stage], inverse)
        except (EditError, KeyError):
            self._rebuild(stage, remaining)

    def _rebuild(self, stage: StageId, edits: tuple[Edit, ...]) -> None:
        """The graph from what was compiled; where that does not lead there, the head's is the best that is known."""
        self._contents.pop(stage, None)
        found = self._base_of(stage, edits)
        if found is None:
            return
        content, missing = found
        try:
            for edit in missing:
                content, _ = apply_edit(content, edit)
        except EditError:
            return
        self._contents[stage] = content
