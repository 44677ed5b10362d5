"""The active edits and the graphs they give, before any of them is compiled; and every state they went through."""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app.session.edit_history.edit_command import EditCommand
from app.translation.texts import tr
from compiler.analysis.edits.history_tree import ROOT, EditTree, StateId
from compiler.model.edits.edits import Edit, Editable, EditError, apply_edit, stages_of
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId

ContentOf = Callable[[StageId], Editable | None]
BaseOf = Callable[[StageId, tuple[Edit, ...]], tuple[Editable, tuple[Edit, ...]] | None]
"""The compiled content nearest to a stage with edits, and the edits of the stage that it lacks."""


def misfit(name: str, error: EditError) -> Problem:
    """An edit of a file or journal with this name does not fit."""
    return Problem(
        tr("Some edits of {name} do not fit: {error}").format(name=name, error=error),
        tr("The ones before it were made."),
    )


class EditHistory(QObject):
    """Makes, undoes and redoes edits, and goes to any state of their tree. An edit that does not fit is refused before it
    gets onto the stack.

    Invariants: `content(stage)` is the graph or loop IR with the active edits, as far as it is known without compiling;
    the stack holds the path of the tree from its root to its tip, and stands where the tree's current state is.
    """

    changed = Signal()
    """The active edits, or what can be redone, changed."""
    made = Signal(object)
    """An edit was made (not redone); the journal writes it."""
    undone = Signal()
    redone = Signal()
    went = Signal(str)
    """Another state of the tree was gone to."""
    named = Signal(str, str)
    """A state has another name."""
    dropped = Signal(str)
    """A state and all on top of it are gone."""

    def __init__(self, base_of: BaseOf, head_content: ContentOf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tree = EditTree()
        self.stack = QUndoStack(self)
        self.stack.indexChanged.connect(self._on_index_change)
        self._loading = False
        self._base_of = base_of
        self._head_content = head_content
        self._contents: dict[StageId, Editable] = {}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The active edits."""
        return self.all_edits[: self.stack.index()]

    @property
    def all_edits(self) -> tuple[Edit, ...]:
        """The active edits, then those that can be redone."""
        commands = (self.stack.command(index) for index in range(self.stack.count()))
        return tuple(command.edit for command in commands if isinstance(command, EditCommand))

    def content(self, stage: StageId) -> Editable | None:
        """The graph or loop IR that the next edit of a stage will be applied to."""
        return self._contents.get(stage) or self._head_content(stage)

    def make(self, edit: Edit) -> None:
        """Apply an edit and put it on the stack. Raises EditError, and then nothing has changed."""
        inverse = self._apply(edit)
        self.tree = self.tree.with_edit(edit)
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

    def go_to(self, state: StateId) -> None:
        """Let another state be active. Raises KeyError for one that is not there."""
        if state == self.tree.current:
            return
        self._walk(self.tree.at(state))
        self.went.emit(state)

    def name(self, state: StateId, name: str) -> None:
        """Call a state something. Raises KeyError."""
        self.tree = self.tree.named(state, name)
        self.named.emit(state, name)
        self.changed.emit()

    def drop(self, state: StateId) -> None:
        """Give up a state and all on top of it; who is there goes to its parent first. Raises KeyError."""
        tree = self.tree.dropped(state)
        if tree.current != self.tree.current:
            self.go_to(tree.current)
        self._lay(self.tree.dropped(state))
        self.dropped.emit(state)

    def clear(self) -> None:
        """Another root: no edits."""
        self._contents.clear()
        self.tree = EditTree()
        self.stack.clear()

    def load_tree(self, tree: EditTree, compiled: bool) -> None:
        """The states of a file or a journal. Raises EditError at an edit that does not fit; those before it are made."""
        self.stack.clear()
        self._contents.clear()
        self.tree = msgspec.structs.replace(tree, current=ROOT, tip=ROOT)
        self._walk(tree, compiled)

    def settle(self) -> None:
        """There is a newer capture: go on from its graphs, which have fresh shapes and, after the edited stage,
        other nodes.
        """
        for stage in tuple(self._contents):
            self._rebuild(stage, self.edits)

    def _walk(self, wanted: EditTree, compiled: bool = True) -> None:
        """Bring the stack to the path of a tree's tip and stand at its current state."""
        now, path = self.all_edits, wanted.path(wanted.tip)
        same = 0
        while same < min(len(now), len(path)) and now[same] == path[same].edit:
            same += 1
        self._loading = True
        try:
            if same < len(path) or len(now) > len(path):
                self.stack.setIndex(same)
            for state in path[same:]:
                inverse = self._loaded(state.edit, compiled)
                self.tree = msgspec.structs.replace(wanted, current=state.id, tip=state.id)
                self.stack.push(EditCommand(state.edit, inverse, self._redo, self._take_back))
            self.stack.setIndex(len(wanted.path(wanted.current)))
            self.tree = wanted
        finally:
            self._loading = False
            self.changed.emit()

    def _lay(self, wanted: EditTree) -> None:
        """Let the stack hold the path of a tree whose current state is active already; redoing may lead less far."""
        self._loading = True
        try:
            self.stack.clear()
            for state in wanted.path(wanted.tip):
                # no inverse known; taking it back rebuilds
                self.stack.push(EditCommand(state.edit, state.edit, self._redo, self._take_back))
            self.stack.setIndex(len(wanted.path(wanted.current)))
            self.stack.resetClean()
            self.tree = wanted
        finally:
            self._loading = False
            self.changed.emit()

    def _loaded(self, edit: Edit, compiled: bool) -> Edit:
        try:
            return self._apply(edit)
        except EditError:
            if not compiled:
                raise
            return edit  # no inverse known; taking it back rebuilds

    def _on_index_change(self) -> None:
        if not self._loading:
            path = self.tree.path(self.tree.tip)
            index = self.stack.index()
            self.tree = self.tree.at(path[index - 1].id if index else ROOT)
            self.changed.emit()

    def _apply(self, edit: Edit) -> Edit:
        stages = stages_of(edit)
        if len(stages) != 1:
            raise EditError(tr("An edit must change exactly one stage; make one edit for each."))
        content = self.content(stages[0])
        if content is None:
            raise EditError(tr("The stage {first} has nothing to edit.").format(first=stages[0]))
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
