"""A search that tries one thing after the other in the worker: every trial as it is told, and the answer."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.experiments.costs import CostFound, CostTrialDone
from compiler.model.experiments.slowness import SlownessFound, SpeedTrialDone
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.messages import ReplyBody, RequestBody


class TrialSearch(QObject):
    """Of the program that is open, as it was last compiled."""

    changed = Signal()
    """`trials`, `found` or `searching` changed."""
    told_by: type[SpeedTrialDone] | type[CostTrialDone]
    """What tells a trial."""
    answered_by: type[SlownessFound] | type[CostFound]
    """What the search replies with."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = compiled_edits
        self.trials: list[Any] = []
        self.found: Any = None
        self.searching = False
        jobs.event_arrived.connect(self._take)

    def forget(self) -> None:
        """Another program is open."""
        self.trials, self.found, self.searching = [], None, False
        self.changed.emit()

    def _begin(self, asked: Callable[[CaptureId, tuple[Edit, ...]], RequestBody], name: str) -> None:
        """A failure becomes a problem; what was tried until then stays."""

        def on_reply(reply: ReplyBody | Problem) -> None:
            self.searching = False
            if isinstance(reply, self.answered_by):
                self.found, self.trials = reply, list(reply.trials)
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            self.changed.emit()

        self.trials, self.found, self.searching = [], None, True
        self.changed.emit()
        edits = self._edits()
        self._jobs.ask_live(lambda capture: asked(capture, edits), on_reply, name)

    def _take(self, event: object) -> None:
        if isinstance(event, self.told_by) and self.searching:
            self.trials.append(event.trial)
            self.changed.emit()
