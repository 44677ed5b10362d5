"""The search for why a program cannot be compiled, or why its process ends: at which step, and the least program that shows it."""

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.failures import FailureFound, FindFailure
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import ReplyBody


class FailureSearch(QObject):
    """Of the program that was captured last, whether that came to anything or not. No capture is needed for it."""

    changed = Signal()
    """`found` or `searching` changed."""

    def __init__(self, jobs: EngineJobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.found: FailureFound | None = None
        self.searching = False

    @property
    def spec(self) -> CaptureSpec | None:
        """What would be compiled; None where nothing was captured or opened yet."""
        return self._jobs.last_program

    def search(self) -> None:
        """Begin: each trial is a process of its own. A failure of the search itself becomes a problem."""
        spec = self.spec
        if spec is None:
            return

        def on_reply(reply: ReplyBody | Problem) -> None:
            self.searching = False
            if isinstance(reply, FailureFound):
                self.found = reply
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            self.changed.emit()

        self.found, self.searching = None, True
        self.changed.emit()
        self._jobs.ask_worker(FindFailure(spec), on_reply, "find_failure")

    def forget(self) -> None:
        """Another program is open."""
        self._jobs.tried = None
        self.found, self.searching = None, False
        self.changed.emit()
