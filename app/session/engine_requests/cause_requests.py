"""The search for what makes results wrong: every trial as it is told, and the answer."""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.cost_requests import CostSearch
from app.session.engine_requests.engine_requests import EngineJobs
from app.session.engine_requests.failure_requests import FailureSearch
from app.session.engine_requests.slowness_requests import SlownessSearch
from app.session.engine_requests.value_requests import ValueLook
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound, CauseStep, CauseStepDone, FindCause
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.protocol.messages import ReplyBody

WRONG, SLOW, FAILS = "wrong", "slow", "fails"


class CauseSearch(QObject):
    """Of the program that is open, as it was last compiled."""

    changed = Signal()
    """`steps`, `found` or `searching` changed."""
    wanted = Signal()
    """Somebody asked for it elsewhere than in its pane."""

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._edits = compiled_edits
        self.steps: list[CauseStep] = []
        self.found: CauseFound | None = None
        self.searching = False
        self.question = WRONG
        """What was last asked for elsewhere than in the pane: `WRONG`, `SLOW`, `FAILS`, or one of `COSTS`."""
        self.costs = CostSearch(jobs, compiled_edits, self)
        self.speed = SlownessSearch(jobs, compiled_edits, self)
        self.failures = FailureSearch(jobs, self)
        self.values = ValueLook(jobs, compiled_edits, self)
        self._asked: FindCause | None = None
        """The question that the trials are of."""
        self._told = 0
        """How many of the trials the search that goes on has told; what it has not told yet is known from one before it."""
        self._least: LeastProgram | None = None
        jobs.event_arrived.connect(self._take)

    @property
    def innocent(self) -> frozenset[StageId]:
        """Stages that were proven right so far."""
        if self.found is not None:
            return frozenset(self.found.innocent)
        return frozenset(stage for step in self.steps if step.wrong is False for stage in step.stages)

    @property
    def any_searching(self) -> bool:
        """Whether one of the searches goes on."""
        return self.searching or self.speed.searching or self.costs.searching or self.failures.searching

    def want(self, question: str = WRONG) -> None:
        """Let the pane come to the front with this question."""
        self.question = question
        self.wanted.emit()

    def can_go_on(self, against: str, expression: str = "") -> bool:
        """Whether a search for the same was stopped, so that what it tried need not run again."""
        asked = self._asked
        if asked is None or not self.steps or self.found is not None or self.searching:
            return False
        return asked == FindCause(asked.capture, self._edits(), against, expression)

    def search(self, against: str, expression: str = "", anew: bool = False) -> None:
        """Begin, or go on where a search for the same was stopped, unless `anew`. A failure becomes a problem; what was tried
        until then stays.
        """
        edits = self._edits()
        stopped = self._asked if not anew and self.can_go_on(against, expression) else None
        known = tuple(self.steps) if stopped is not None else ()

        def request(capture: CaptureId) -> FindCause:
            self._asked = FindCause(capture, edits, against, expression)
            return msgspec.structs.replace(self._asked, known=known if self._asked == stopped else ())

        def on_reply(reply: ReplyBody | Problem) -> None:
            self.searching = False
            if isinstance(reply, CauseFound):
                self.found, self.steps = reply, list(reply.steps)
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
            self.changed.emit()

        self.steps, self.found, self.searching, self._least = list(known), None, True, None
        self._told = 0
        self.changed.emit()
        self._jobs.ask_live(request, on_reply, "find_cause")

    def shrink(
        self, then: Callable[[LeastProgram], None], otherwise: Callable[[], None] = lambda: None
    ) -> None:
        """Make the program at fault smaller, once for each cause; where that fails, it becomes a problem."""
        found, edits = self.found, self._edits()
        if found is None:
            return
        if self._least is not None:
            then(self._least)
            return

        def on_reply(reply: ReplyBody | Problem) -> None:
            if isinstance(reply, LeastProgram) and self.found is found:
                self._least = reply
                then(reply)
            elif isinstance(reply, Problem):
                self._jobs.failed.emit(reply)
                otherwise()
            self.changed.emit()

        self._jobs.ask_live(lambda capture: ShrinkProgram(capture, found, edits), on_reply, "shrink")

    def forget(self) -> None:
        """Another program is open."""
        self.values.forget()
        self.steps, self.found, self.searching, self._least = [], None, False, None
        self._asked = None
        self.speed.forget()
        self.costs.forget()
        self.failures.forget()
        self.changed.emit()

    def _take(self, event: object) -> None:
        if isinstance(event, CauseStepDone) and self.searching:
            self._take_step(event.step)

    def _take_step(self, step: CauseStep) -> None:
        if self.steps[self._told : self._told + 1] != [step]:
            if self._told < len(self.steps):  # from here on it is another search than the one before
                del self.steps[self._told :]
                self.changed.emit()
            self.steps.append(step)
            self.changed.emit()
        self._told += 1
