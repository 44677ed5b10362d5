"""Layouts made off the window's thread: the newest request counts, older ones are cancelled and dropped."""

from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal, SignalInstance

from app.canvas.box_measure import BoxMeasure
from app.canvas.far_picture import CROWD
from app.canvas.scene import Scene
from app.graph_layout.arrange import Prepared, arrange, prepare
from app.graph_layout.course import Course
from app.graph_layout.geometry import LayoutCancelledError
from app.graph_layout.opening import first_view
from app.widgets.collection_pause import collection_paused
from compiler.model.diagrams import Diagram

MOST_BOXES = 400
"""A diagram with more boxes opens with its modules collapsed."""

_CALM_MILLISECONDS = 100
"""A layout that is done within this time is not announced."""


@dataclass(frozen=True)
class Arrangement:
    """A layout with what is collapsed in it and the modules there are."""

    prepared: Prepared
    scene: Scene
    collapsed: frozenset[str]


class _Job(QRunnable):
    """One layout; its course is all that the threads share."""

    def __init__(
        self,
        number: int,
        diagram: Diagram,
        prepared: Prepared | None,
        collapsed: frozenset[str] | None,
        measure: BoxMeasure,
        course: Course,
        done: SignalInstance,
    ) -> None:
        super().__init__()
        self._number = number
        self._diagram = diagram
        self._prepared = prepared
        self._collapsed = collapsed
        self._measure = measure
        self._course = course
        self._done = done

    def run(self) -> None:
        arrangement = None
        try:
            with collection_paused():
                arrangement = self._arrange()
        except LayoutCancelledError:
            return
        finally:
            with suppress(RuntimeError):  # the pane may be gone; then nobody waits for this
                self._done.emit(self._number, arrangement)

    def _arrange(self) -> Arrangement:
        prepared = self._prepared if self._prepared is not None else prepare(self._diagram)
        collapsed = self._collapsed
        if collapsed is None:
            collapsed = first_view(prepared.trees, MOST_BOXES)
        layout = arrange(prepared, self._measure, collapsed, self._course)
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

    _done = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._measure: BoxMeasure | None = None
        self._newest = 0
        self._prepared: Prepared | None = None
        self._course: Course | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_CALM_MILLISECONDS)
        self._patience.timeout.connect(self.slow)
        self._done.connect(self._on_done)

    @property
    def busy(self) -> bool:
        """Whether the newest request is not done."""
        return self._course is not None

    @property
    def course(self) -> Course | None:
        """How far the newest request is; None when it is done."""
        return self._course

    def request(self, diagram: Diagram, collapsed: frozenset[str] | None) -> None:
        """Lay this out instead of whatever was asked before. None: collapse as much as its size needs."""
        self.cancel()
        if self._measure is None:
            self._measure = BoxMeasure()
        self._newest += 1
        self._course = Course()
        self._patience.start()
        known = self._prepared if self._prepared is not None and self._prepared.diagram is diagram else None
        self._pool.start(
            _Job(self._newest, diagram, known, collapsed, self._measure, self._course, self._done)
        )

    def cancel(self) -> None:
        """Forget the newest request."""
        self._patience.stop()
        if self._course is not None:
            self._course.cancel()
            self._course = None

    def stop(self) -> None:
        """Cancel, and wait for the thread; for when the pane goes away."""
        self.cancel()
        self._pool.waitForDone()

    def _on_done(self, number: int, arrangement: object) -> None:
        if self._course is None or number != self._newest:
            return
        self._patience.stop()
        self._course = None
        if isinstance(arrangement, Arrangement):
            self._prepared = arrangement.prepared
            self.ready.emit(arrangement)
        else:
            self.failed.emit()
