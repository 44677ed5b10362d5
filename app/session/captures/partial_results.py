"""What the engine generated and has not built yet: shown until the finished capture takes its place."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.protocol.partial_results import KernelBuild, StagesGenerated


class EarlyStages(QObject):
    """Puts unfinished captures on the shelf and takes them away again. The first of a program, and recompiles; where a
    program takes the place of another, the other one is shown until there is something finished.
    """

    changed = Signal()
    """Something unfinished is shown, or is not any more."""

    def __init__(
        self,
        store: CaptureStore,
        show: Callable[[], None],
        looked_at: Callable[[], StageId],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._show = show
        self._looked_at = looked_at
        self._expected: tuple[CaptureId, tuple[Edit, ...]] | None = None
        self._last: CaptureId = ""
        self.shown: StagesGenerated | None = None
        """What is shown of a compile that goes on."""
        self._has_graphs = False
        self.graphs_begin = False
        """Whether what is shown now has a graph, and what was shown a moment ago had none."""

    def expect(self, capture_id: CaptureId, edits: tuple[Edit, ...]) -> None:
        """A capture of this id was asked for, or a recompile with these edits."""
        self._expected = capture_id, edits

    def take(self, event: object) -> None:
        """An event of the engine."""
        if not isinstance(event, StagesGenerated) or self._expected is None:
            return
        root = self._store.root
        capture_id, edits = self._expected
        if event.capture.id == capture_id and (root is None or self._is_successor(event.capture, root)):
            graphs = any(stage.graph is not None for stage in event.capture.stages)
            self.graphs_begin = graphs and self.shown is not None and not self._has_graphs
            self.shown, self._last, self._has_graphs = event, capture_id, graphs
            self._store.show_early(event.capture, edits)
            self._show()
            self.graphs_begin = False
            self.changed.emit()

    def _is_successor(self, early: Capture, root: Capture) -> bool:
        """Whether a recompile has come to the stage that is looked at: nobody is taken to another one for a second."""
        stage = self._looked_at()
        return early.parent == root.id and (not stage or any(row.id == stage for row in early.stages))

    @property
    def unfinished(self) -> Capture | None:
        """What is shown of a first capture, which nothing that was there before takes the place of."""
        return self.shown.capture if self.shown is not None and self._store.root is None else None

    def finish(self, built: bool) -> None:
        """The answer is there. Where nothing was `built`, what was shown before is shown again."""
        self._expected = None
        if self.shown is None:
            return
        self.shown = None
        self._store.drop_early()
        if not built:
            self._show()
        self.changed.emit()

    def was_shown(self, capture_id: CaptureId) -> bool:
        """Whether a capture was shown unfinished, so that what is selected in it may stay."""
        return capture_id == self._last

    @property
    def building(self) -> tuple[KernelBuild, ...]:
        """The kernels that are being built of what is shown."""
        shown = self.shown
        unfinished = shown is not None and self._store.shown is shown.capture
        return shown.building if unfinished and shown is not None else ()

    def is_building(self, stage: StageId) -> bool:
        """Whether kernels of a stage are being built."""
        return any(row.stage == stage for row in self.building)
