"""The search for what makes the step slow: every trial as it is told, and the answer."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial, SpeedTrialDone
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import ReplyBody


class SlownessSearch(QObject):
    """Of the program that is open, as it was last compiled."""

    changed = Signal()
    """`trials`, `found` or `searching` changed."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = compiled_edits
        self.trials: list[SpeedTrial] = []
        self.found: SlownessFound | None = None
        self.searching = False
        jobs.event_arrived.connect(self._take)

    def search(self, limit: int, anyway: bool) -> None:
        """Begin. `limit`: nanoseconds that a step may take, 0: as long as eager's. A failure becomes a problem; what was
        tried until then stays.
        """

        def on_reply(reply: ReplyBody | Problem) -> None:
            self.searching = False
            if isinstance(reply, SlownessFound):
                self.found, self.trials = reply, list(reply.trials)
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            self.changed.emit()

        self.trials, self.found, self.searching = [], None, True
        self.changed.emit()
        edits = self._edits()
        self._jobs.ask_live(
            lambda capture: FindSlowness(capture, edits, limit, anyway=anyway), on_reply, "find_slowness"
        )

    def forget(self) -> None:
        """Another program is open."""
        self.trials, self.found, self.searching = [], None, False
        self.changed.emit()

    def _take(self, event: object) -> None:
        if isinstance(event, SpeedTrialDone) and self.searching:
            self.trials.append(event.trial)
            self.changed.emit()
