"""The search for why a program cannot be compiled, or why its process ends: at which step, and the least program that shows it."""

from app.session.engine_requests.search import Search
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.failures import FailureFound, FindFailure


class FailureSearch(Search):
    """Of the program that was captured last, whether that came to anything or not. No capture is needed for it."""

    answered_by = FailureFound
    found: FailureFound | None

    @property
    def spec(self) -> CaptureSpec | None:
        """What would be compiled; None where nothing was captured or opened yet."""
        return self._jobs.last_program

    def search(self) -> None:
        """Begin: each trial is a process of its own."""
        if self.spec is not None:
            self._begin(FindFailure(self.spec))

    def forget(self) -> None:
        self._jobs.tried = None
        super().forget()
