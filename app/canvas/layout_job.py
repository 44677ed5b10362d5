"""Layouts made off the window's thread: the newest request counts, older ones are cancelled and dropped."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.canvas.painting.box_measure import BoxMeasure
from app.canvas.painting.far_picture import CROWD
from app.canvas.scene import Scene
from app.concurrency.newest_work import NewestWork
from app.graph_layout.arrange import Prepared, arrange, prepare
from app.graph_layout.cancellation import CancelToken
from app.graph_layout.geometry import LayoutCancelledError
from app.graph_layout.initial_collapse import first_view
from compiler.model.diagrams.diagrams import Diagram

MOST_BOXES = 400
"""A diagram with more boxes opens with its modules collapsed."""


_MOST_KEPT = 100_000
"""Nodes of the stages shown before whose modules are known still; each thousand takes about 0.3 MB."""


@dataclass(frozen=True)
class Arrangement:
    """A layout with what is collapsed in it and the modules there are."""

    prepared: Prepared
    scene: Scene
    collapsed: frozenset[str]


def _arranged(
    diagram: Diagram,
    known: Prepared | None,
    collapsed: frozenset[str] | None,
    measure: BoxMeasure,
    cancel_token: CancelToken,
) -> Arrangement:
    prepared = known if known is not None else prepare(diagram)
    if collapsed is None:
        collapsed = first_view(prepared.trees, MOST_BOXES)
    layout = arrange(prepared, measure, collapsed, cancel_token)
    scene = Scene(layout)
    if len(layout.boxes) > CROWD:
        scene.far  # noqa: B018  (its tables are made here rather than in the first paint)
    return Arrangement(prepared, scene, collapsed)


class LayoutJobs(QObject):
    """Lays diagrams out one at a time."""

    ready = Signal(object)
    """The `Arrangement` of the newest request."""

    failed = Signal()
    """The newest request ended without a layout; the reason went to the log."""

    slow = Signal()
    """The newest request takes long enough to say so."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._measure: BoxMeasure | None = None
        self._prepared: dict[int, Prepared] = {}
        """By their diagrams' identity, what was shown last at the end."""
        self._cancel_token: CancelToken | None = None
        self.dropped = False
        """Whether the newest request was forgotten before it was done: what it asked for is not on show."""
        self._work = NewestWork(LayoutCancelledError, self)
        self._work.slow.connect(self.slow)
        self._work.done.connect(self._on_done)

    @property
    def busy(self) -> bool:
        """Whether the newest request is not done."""
        return self._work.busy

    @property
    def cancel_token(self) -> CancelToken | None:
        """How far the newest request is; None when it is done."""
        return self._cancel_token if self.busy else None

    def request(self, diagram: Diagram, collapsed: frozenset[str] | None) -> None:
        """Lay this out instead of whatever was asked before. None: collapse as much as its size needs."""
        if self._measure is None:
            self._measure = BoxMeasure()
        cancel_token = self._cancel_token = CancelToken()
        self.dropped = False
        known = self._prepared.get(id(diagram))
        self._work.start(
            partial(_arranged, diagram, known, collapsed, self._measure, cancel_token), cancel_token.cancel
        )

    def cancel(self) -> None:
        """Forget the newest request."""
        self.dropped = self.dropped or self.busy
        self._work.cancel()

    def stop(self) -> None:
        """Cancel, and wait for the thread; for when the pane goes away."""
        self._work.stop()

    def _on_done(self, arrangement: object) -> None:
        if isinstance(arrangement, Arrangement):
            self._keep(arrangement.prepared)
            self.ready.emit(arrangement)
        else:
            self.failed.emit()

    def _keep(self, prepared: Prepared) -> None:
        """Coming back to a stage asks about its modules again."""
        self._prepared.pop(id(prepared.diagram), None)
        self._prepared[id(prepared.diagram)] = prepared
        held = sum(len(other.diagram.nodes) for other in self._prepared.values())
        while held > _MOST_KEPT and len(self._prepared) > 1:
            held -= len(self._prepared.pop(next(iter(self._prepared))).diagram.nodes)
