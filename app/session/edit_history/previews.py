"""The engine's latest word on edits that are not compiled: fresh shapes, and what is wrong."""

from PySide6.QtCore import QObject, Signal

from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.protocol.messages import Preview


class Previews(QObject):
    """Holds one preview and what edits it is of. A preview of other edits than those active is stale."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._expected: tuple[Edit, ...] = ()
        self._of: tuple[Edit, ...] = ()
        self._graphs: dict[StageId, Graph] = {}
        self.problems: tuple[Problem, ...] = ()

    def expect(self, edits: tuple[Edit, ...]) -> None:
        """These edits are active now; what was found in others is reported no longer."""
        self._expected = edits
        if edits != self._of:
            self.clear()

    def take(self, preview: Preview, edits: tuple[Edit, ...]) -> None:
        """A preview arrived; a stale one is dropped."""
        if edits == self._expected:
            self._of, self._graphs, self.problems = edits, dict(preview.graphs), preview.problems
            self.changed.emit()

    def clear(self) -> None:
        """Nothing is uncompiled."""
        if self.drop():
            self.changed.emit()

    def drop(self) -> bool:
        """Nothing is uncompiled, and another capture comes, which will be told: whether there was anything."""
        held = bool(self._graphs or self.problems)
        self._of, self._graphs, self.problems = (), {}, ()
        return held

    def graph(self, edits: tuple[Edit, ...], stage: StageId) -> Graph | None:
        """The graph of a stage with these edits, if that is what was previewed."""
        return self._graphs.get(stage) if edits == self._of else None
