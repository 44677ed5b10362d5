"""A search in the worker: begun, what it reports on its way, and the answer."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from compiler.model.edits.edits import Edit
from compiler.model.experiments.costs import CostFound, CostTrialDone
from compiler.model.experiments.slowness import SlownessFound, SpeedTrialDone
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import ReplyBody, RequestBody


class Search(QObject):
    """Of the program that is open, as it was last compiled. A failure becomes a problem."""

    changed = Signal()
    """`found`, `searching`, or what was reported so far changed."""
    answered_by: type[ReplyBody]
    """What the search replies with."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = compiled_edits
        self.found: Any = None
        self.searching = False

    def forget(self) -> None:
        """Another program is open."""
        self._clear()
        self.searching = False
        self.changed.emit()

    def _begin(self, request: RequestBody) -> None:
        """What was reported until a failure stays."""

        def then(answer: ReplyBody | Problem) -> None:
            self.searching = False
            if isinstance(answer, Problem):
                self._jobs.failed.emit(answer)
            else:
                self._take_answer(answer)
            self.changed.emit()

        self._clear()
        self.searching = True
        self.changed.emit()
        self._jobs.ask(request, self.answered_by, then)

    def _clear(self) -> None:
        self.found = None

    def _take_answer(self, answer: ReplyBody) -> None:
        self.found = answer


class TrialSearch(Search):
    """Tries one thing after the other; every trial is reported as it is made."""

    reported_by: type[SpeedTrialDone] | type[CostTrialDone]
    """What reports how a trial goes."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, compiled_edits, parent)
        self.trials: list[Any] = []
        jobs.event_arrived.connect(self._take_event)

    def _clear(self) -> None:
        super()._clear()
        self.trials = []

    def _take_answer(self, answer: ReplyBody) -> None:
        assert isinstance(answer, SlownessFound | CostFound)
        super()._take_answer(answer)
        self.trials = list(answer.trials)

    def _take_event(self, event: object) -> None:
        if isinstance(event, self.reported_by) and self.searching:
            self.trials.append(event.trial)
            self.changed.emit()
