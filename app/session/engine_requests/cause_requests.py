"""The search for what makes results wrong, and those for what makes it slow, costly, or fail: every trial as it is reported, and the answer."""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.engine_requests.engine_requests import EngineJobs
from app.session.engine_requests.search import Search, TrialSearch
from app.session.engine_requests.value_requests import ValueLook
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound, CauseStep, CauseStepDone, FindCause
from compiler.model.experiments.costs import CostFound, CostTrial, CostTrialDone, FindCost
from compiler.model.experiments.failures import FailureFound, FindFailure
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial, SpeedTrialDone
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId
from compiler.model.protocol.messages import ReplyBody

WRONG, SLOW, FAILS = "wrong", "slow", "fails"


class SlownessSearch(TrialSearch):
    """For what makes the step slow, as last asked for."""

    reported_by, answered_by = SpeedTrialDone, SlownessFound
    trials: list[SpeedTrial]
    found: SlownessFound | None

    def search(self, limit: int, anyway: bool) -> None:
        """Begin. `limit`: nanoseconds that a step may take, 0: as long as eager's."""
        self._begin(FindSlowness(self._jobs.open_capture, self._edits(), limit, anyway=anyway))


class CostSearch(TrialSearch):
    """For what the program costs, as last asked for, and that is `what`."""

    reported_by, answered_by = CostTrialDone, CostFound
    trials: list[CostTrial]
    found: CostFound | None
    what = ""

    def search(self, what: str, sizes: DimensionTrial | None) -> None:
        """Begin: one of `COSTS`; with recompiles the program is called with the sizes too."""
        self.what = what
        self._begin(FindCost(self._jobs.open_capture, what, self._edits(), sizes))


class FailureSearch(Search):
    """For why a program cannot be compiled, or why its process ends: of the one that was captured last, whether that came to anything or
    not. No capture is needed for it.
    """

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


class CauseSearch(Search):
    """Every trial as it is reported. The other searches hang on it, so that one pane has all of them."""

    wanted = Signal()
    """Somebody asked for it elsewhere than in its pane."""
    answered_by = CauseFound
    found: CauseFound | None

    def __init__(
        self, jobs: EngineJobs, compiled_edits: Callable[[], tuple[Edit, ...]], parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, compiled_edits, parent)
        self.steps: list[CauseStep] = []
        self.question = WRONG
        """What was last asked for elsewhere than in the pane: `WRONG`, `SLOW`, `FAILS`, or one of `COSTS`."""
        self.costs = CostSearch(jobs, compiled_edits, self)
        self.speed = SlownessSearch(jobs, compiled_edits, self)
        self.failures = FailureSearch(jobs, compiled_edits, self)
        self.values = ValueLook(jobs, compiled_edits, self)
        self._request: FindCause | None = None
        """The question that the trials are of."""
        self._known: tuple[CauseStep, ...] = ()
        """Trials of the stopped search that this one goes on from."""
        self._reported = 0
        """How many of the trials the search that goes on has reported; what it has not reported yet is known from one before it."""
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
        if not self.steps or self.found is not None or self.searching:
            return False
        return self._request == self._question(against, expression)

    def search(self, against: str, expression: str = "", fresh: bool = False) -> None:
        """Begin, or go on where a search for the same was stopped, unless `fresh`."""
        self._known = () if fresh or not self.can_go_on(against, expression) else tuple(self.steps)
        self._request = self._question(against, expression)
        self._begin(msgspec.structs.replace(self._request, known=self._known))

    def _question(self, against: str, expression: str) -> FindCause:
        return FindCause(self._jobs.open_capture, self._edits(), against, expression)

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

        def take(answer: LeastProgram | Problem) -> None:
            if isinstance(answer, Problem):
                self._jobs.failed.emit(answer)
                otherwise()
            elif self.found is found:
                self._least = answer
                then(answer)
            self.changed.emit()

        self._jobs.ask(ShrinkProgram(self._jobs.open_capture, found, edits), LeastProgram, take)

    def forget(self) -> None:
        self._request, self._known = None, ()
        for search in (self.values, self.speed, self.costs, self.failures):
            search.forget()
        super().forget()

    def _clear(self) -> None:
        super()._clear()
        self.steps, self._reported, self._least = list(self._known), 0, None

    def _take_answer(self, answer: ReplyBody) -> None:
        assert isinstance(answer, CauseFound)
        super()._take_answer(answer)
        self.steps = list(answer.steps)

    def _take(self, event: object) -> None:
        if isinstance(event, CauseStepDone) and self.searching:
            self._take_step(event.step)

    def _take_step(self, step: CauseStep) -> None:
        if self.steps[self._reported : self._reported + 1] != [step]:
            if self._reported < len(self.steps):  # from here on it is another search than the one before
                del self.steps[self._reported :]
                self.changed.emit()
            self.steps.append(step)
            self.changed.emit()
        self._reported += 1
