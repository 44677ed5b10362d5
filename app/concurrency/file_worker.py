"""Reading and writing files off the window's thread."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRunnable, QThreadPool, Signal


class _Task(QRunnable):
    """One function call; its result, or the error it names, goes to the callbacks' thread as a signal."""

    def __init__(
        self,
        work: Callable[[], object],
        errors: tuple[type[Exception], ...],
        done: Callable[[object, object], None],
    ) -> None:
        super().__init__()
        self._work = work
        self._errors = errors
        self._done = done

    def run(self) -> None:
        try:
            result, error = self._work(), None
        except self._errors as raised:
            result, error = None, raised
        self._done(result, error)


class BackgroundWork(QObject):
    """Runs one function after another in a thread of its own and reports in the window's thread."""

    _finished = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.pending = 0
        self._finished.connect(self._deliver)

    def run(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        failed: Callable[[Exception], None],
        errors: tuple[type[Exception], ...],
    ) -> None:
        """Call `work` in the background, then `then(result)`, or `failed(error)` for one of `errors`."""
        self.pending += 1

        def done(result: object, error: object) -> None:
            self._finished.emit((then, failed), result, error)

        self._pool.start(_Task(work, errors, done))

    def wait(self) -> None:
        """Block until nothing runs and everything is reported."""
        self._pool.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def _deliver(self, receivers: object, result: object, error: object) -> None:
        self.pending -= 1
        if not isinstance(receivers, tuple):
            return
        then, failed = receivers
        if error is None:
            then(result)
        else:
            failed(error)
