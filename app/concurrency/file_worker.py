"""Reading and writing files off the window's thread."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from app.concurrency.one_thread import OneThread


class BackgroundWork(QObject):
    """Runs one function after another in a thread of its own and reports in the window's thread."""

    _finished = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = OneThread(self)
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

        def task() -> None:
            result: object = None
            error: Exception | None = None
            try:
                result = work()
            except errors as raised:
                error = raised
            with suppress(RuntimeError):  # the owner may be gone; then nobody waits for this
                self._finished.emit((then, failed), result, error)

        self._thread.run(task)

    def wait(self) -> None:
        """Block until nothing runs and everything is reported."""
        self._thread.wait()
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
