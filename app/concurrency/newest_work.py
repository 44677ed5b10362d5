"""Work off the window's thread of which only the newest counts; older work is cancelled and its answer dropped."""

import gc
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from app.concurrency.idle_collection import IdleCollection
from app.concurrency.one_thread import OneThread
from compiler.model.session_file.collection_pause import CollectionHold, collection_paused

_CALM_MILLISECONDS = 100
"""Work that is done within this time is not announced."""

Work = Callable[[], object]
Stopped = type[BaseException] | tuple[()]


def _nobody() -> None:
    """Work that cannot be ended in its middle is not told that nobody wants it."""


class NewestWork(QObject):
    """One thread, one piece of work at a time."""

    done = Signal(object)
    """What the newest work gave; None where it failed, and the reason went to the log."""
    slow = Signal()
    """The newest work takes long enough to say so."""
    _finished = Signal(int, object, int)
    """Its number, what it gave, and how many objects were made meanwhile."""

    def __init__(self, stopped: Stopped = (), parent: QObject | None = None) -> None:
        """`stopped` is what work raises once it was cancelled; what raises nothing is ended, and its answer dropped."""
        super().__init__(parent)
        self._stopped = stopped
        self._thread = OneThread(self)
        self._newest = 0
        self._cancel: Callable[[], None] | None = None
        self._patience = QTimer(self, interval=_CALM_MILLISECONDS, singleShot=True)
        self._patience.timeout.connect(self.slow)
        self._finished.connect(self._on_finished)
        self._collection = IdleCollection(self)
        self._hold = CollectionHold()
        self.destroyed.connect(self._hold.give_all)

    @property
    def busy(self) -> bool:
        """Whether the newest work is not done."""
        return self._cancel is not None

    def start(self, work: Work, cancel: Callable[[], None] = _nobody) -> None:
        """Do this instead of whatever was asked before; `cancel` informs it that nobody wants it any more."""
        self.cancel()
        self._newest += 1
        self._cancel = cancel
        self._patience.start()
        self._hold.take()  # else the collector looks at all that was made just before it is on show
        self._thread.run(_job(self._newest, work, self._stopped, self._finished))

    def cancel(self) -> None:
        """Forget the newest work."""
        self._patience.stop()
        if self._cancel is not None:
            self._cancel()
            self._cancel = None

    def wait(self) -> None:
        """Until the thread is done; for when the owner goes away."""
        self._thread.wait()

    def stop(self) -> None:
        """Cancel, and wait for the thread."""
        self.cancel()
        self.wait()

    def _on_finished(self, number: int, result: object, made: int) -> None:
        if self._cancel is None or number != self._newest:
            self._hold.give()
            return
        self._patience.stop()
        self._cancel = None
        try:
            self.done.emit(result)
        finally:
            self._collection.after(made, self._hold.give)


def _job(number: int, work: Work, stopped: Stopped, finished: SignalInstance) -> Callable[[], None]:
    def run() -> None:
        result, made = None, 0
        try:
            with collection_paused():
                result = work()
                made = gc.get_count()[0]
        except stopped:
            return
        finally:
            with suppress(RuntimeError):  # the owner may be gone; then nobody waits for this
                finished.emit(number, result, made)

    return run
