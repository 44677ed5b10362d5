"""What a first click asks about a stage in front is worked out beforehand, off the window's thread: who uses which node, which lines are
whose, where links lead. Of 50,000 nodes that takes a tenth of a second, and is kept.
"""

from PySide6.QtCore import QObject, QTimer

from app.concurrency.file_worker import BackgroundWork
from app.session.facade.session import Session
from compiler.analysis.text_format.printer import program
from compiler.model.capture.capture import Capture
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import Stage
from compiler.model.session_file.collection_pause import collection_paused

_CALM_MILLISECONDS = 100
"""Who leafs through stages waits for none."""


class ReadyIndexes(QObject):
    """Of the stage that is in front when it is told to begin."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._work = BackgroundWork(self)
        self._calm = QTimer(self, interval=_CALM_MILLISECONDS, singleShot=True)
        self._calm.timeout.connect(self._begin)
        session.stage_changed.connect(self._calm.stop)  # the next one has to be shown first

    def begin_soon(self) -> None:
        """The stage in front is on show."""
        self._calm.start()

    def wait(self) -> None:
        """Until nothing is being worked out."""
        self._work.wait()

    def _begin(self) -> None:
        capture, stage, links = self._session.capture, self._session.stage, self._session.provenance
        if self._work.pending:
            self._calm.start()
        elif capture is not None and stage is not None:
            self._work.run(lambda: _make_ready(capture, stage, links), lambda _: None, lambda _: None, ())


def _make_ready(capture: Capture, stage: Stage, links: Provenance) -> None:
    with collection_paused():  # in this thread it would destroy widgets
        links.make_ready(stage.id)
        program(stage).lines_by_node  # noqa: B018  made when it is asked for
        if stage.graph is not None:
            stage.graph.users()
            stage.graph.holds("")
            stage.graph.of_gradients  # noqa: B018  found and kept
        for graph in (other.graph for other in capture.stages):
            graph.by_stack if graph is not None else None  # noqa: B018
