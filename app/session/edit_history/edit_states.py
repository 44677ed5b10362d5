"""The states that edits led to: going to one, naming it, giving it up, and what was compiled from it."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.edit_history.edit_history import EditHistory
from compiler.analysis.edits.history_tree import ROOT, EditState, EditTree, StateId
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Editable, stages_of
from compiler.model.ir.ids import StageId
from compiler.model.timing.verdicts import Verdict


class EditStates(QObject):
    """What panes ask of the tree of edits. Whoever goes to a state that was compiled sees that capture again."""

    arrived = Signal()
    """Another state is active, and all that follows of it was reported. Who reads many things at once waits for it while `on_the_way`."""
    on_the_way = False

    def __init__(
        self,
        history: EditHistory,
        store: CaptureStore,
        show: Callable[[], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._store = store
        self._show = show

    @property
    def tree(self) -> EditTree:
        """Every state, and which of them is active."""
        return self._history.tree

    @property
    def waiting(self) -> bool:
        """Whether active edits are not compiled into the capture shown, and it is the one that they come on top of."""
        store = self._store
        return store.shown is store.head and not store.is_compiled_from(self._history.edits)

    def go_to(self, state: StateId) -> None:
        """Let the edits of another state be active. Raises KeyError."""
        with self._way():
            self._history.go_to(state)
            self._show_compiled()

    def undo(self) -> None:
        """Take the last edit back."""
        with self._way():
            self._history.undo()
            self._show_compiled()

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        with self._way():
            self._history.redo()
            self._show_compiled()

    @contextmanager
    def _way(self) -> Iterator[None]:
        if self.on_the_way:  # who is told of a state may go to another one
            yield
            return
        self.on_the_way = True
        try:
            yield
        finally:
            self.on_the_way = False
            self.arrived.emit()

    def _show_compiled(self) -> None:
        """What was compiled last from the active edits."""
        made = self.capture_of(self.tree.current)
        if made is not None and made is not self._store.head:
            self._store.go_back_to(made)
            self._history.settle()
            self._show()

    def before_edits(self, stage: StageId) -> Editable | None:
        """What a stage holds with the edits of other stages, but none of its own; None where it is not edited as a graph is."""
        others = tuple(edit for edit in self._history.edits if stage not in stages_of(edit))
        found = self._store.base_of(stage, others)
        return found[0] if found is not None else None

    def name(self, state: StateId, name: str) -> None:
        """Call a state something. Raises KeyError."""
        self._history.name(state, name)

    def drop(self, state: StateId) -> None:
        """Give up a state and all on top of it. Raises KeyError."""
        self._history.drop(state)

    def capture_of(self, state: StateId) -> Capture | None:
        """What was compiled last from a state's edits; None where they never were."""
        return self._store.made_from(self.tree.edits(state))

    def captures(self) -> dict[StateId, Capture]:
        """What was compiled last from each state that ever was, found in one walk for each capture."""
        children: dict[StateId, list[EditState]] = defaultdict(list)
        for state in self.tree.states:
            children[state.parent].append(state)
        found: dict[StateId, Capture] = {}
        for capture in self._store.all:
            at = ROOT
            for edit in self._store.edits_of(capture):
                step = next((state for state in children[at] if state.edit == edit), None)
                if step is None:
                    break
                at = step.id
            else:
                found[at] = capture
        return found

    def verdict_of(self, state: StateId) -> Verdict | None:
        """What was judged of that."""
        made = self.capture_of(state)
        return self._store.verdict(made.id) if made is not None else None
