"""What showing a large stage asks first is worked out off the window's thread: its boxes or its program, and which lines share a
colour. Of 20,000 nodes that takes half a second, and is kept.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.concurrency.newest_work import NewestWork
from app.session.facade.session import Session
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage

LARGE = 1000
"""Nodes, or lines. Smaller ones are shown at once."""
_KEPT = 5


class PreparedStages(QObject):
    """For one pane, which says what it will ask."""

    slow = Signal()
    """It takes long enough to say so."""

    def __init__(
        self, session: Session, ask: Callable[[Stage], Callable[[], object]], parent: QObject | None = None
    ) -> None:
        """`ask` is called in the window's thread and gives what to do in the other one."""
        super().__init__(parent)
        self._session, self._ask = session, ask
        self._work = NewestWork(parent=self)
        self._work.slow.connect(self.slow)
        self._work.done.connect(self._on_done)
        self._ready: list[tuple[object, ...]] = []
        self._wanted: tuple[object, ...] = ()
        self._then: Callable[[], None] = lambda: None
        self._id: StageId = ""
        self._reported: StageId = ""

    @property
    def busy(self) -> bool:
        """Whether something is worked out that somebody waits for."""
        return self._work.busy

    def ready(self, stage: Stage, then: Callable[[], None]) -> bool:
        """Whether a stage can be shown at once; else `then` is called when it can, unless another was asked about meanwhile."""
        request = (stage, self._session.colors, self._session.views.grouping)
        reported_now = stage.id == self._reported  # whatever object of it that is: it would be read for ever
        if stage.node_count < LARGE or reported_now or any(_same(request, known) for known in self._ready):
            self._work.cancel()
            return True
        if not (self._work.busy and _same(request, self._wanted)):
            self._wanted, self._id = request, stage.id
            self._work.start(self._ask(stage))
        self._then = then
        return False

    def cancel(self) -> None:
        """Nobody waits any more."""
        self._work.cancel()

    def stop(self) -> None:
        """Cancel, and wait for the thread; for when the pane goes away."""
        self._work.stop()

    def _on_done(self, _answer: object) -> None:
        self._ready = [*self._ready[1 - _KEPT :], self._wanted]
        self._reported = self._id
        try:
            self._then()
        finally:
            self._reported = ""


def _same(request: tuple[object, ...], known: tuple[object, ...]) -> bool:
    """Objects by identity: comparing graphs takes as long as what is asked."""
    return known[2:] == request[2:] and all(
        one is other for one, other in zip(request[:2], known[:2], strict=False)
    )
