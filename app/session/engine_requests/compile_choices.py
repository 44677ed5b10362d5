"""torch.compile's interface for the program that is open: what there is to choose, what is chosen, and what came of measuring it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Answer
from app.session.captures.capture_store import CaptureStore
from app.session.captures.runs_here import why_not_run
from app.session.engine_requests.engine_requests import EngineJobs
from app.session.engine_requests.trials import Trials
from compiler.model.experiments.compile_choices import (
    COMMON,
    ChoiceOutcome,
    ChoicesMeasured,
    CompileChoice,
    MeasureChoices,
    combined,
    taken_over,
)
from compiler.model.experiments.dynamic_shape_trial import MeasureStances, StancesMeasured
from compiler.model.experiments.torch_compile_api import (
    AskCompileInterface,
    BackendTried,
    CompileInterface,
    TryBackend,
)
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import RequestBody


class CompileChoices(QObject):
    """Measuring runs in the worker of trials, so that the capture that is open stays live."""

    changed = Signal()
    """Something here is another: ask the attributes."""

    def __init__(
        self, jobs: EngineJobs, trials: Trials, store: CaptureStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._trials = trials
        self._store = store
        self.interface: CompileInterface | None = None
        self.backends: dict[str, BackendTried] = {}
        """What came of trying backends, by name."""
        self.chosen: tuple[CompileChoice, ...] = ()
        self.running = ""
        """``choices``, ``backends`` or ``sizes`` while an answer is awaited."""
        self.problem: Problem | None = None
        self._measured: ChoicesMeasured | None = None
        self._stances: StancesMeasured | None = None
        self._to_try: list[str] = []
        trials.changed.connect(self._report_progress)

    @property
    def measured(self) -> ChoicesMeasured | None:
        """The newest measurement of the program as it is captured now."""
        root = self._store.root
        fits = self._measured is not None and root is not None and self._measured.spec == root.spec
        return self._measured if fits else None

    @property
    def stances(self) -> StancesMeasured | None:
        """What came of changing sizes for the program as it is captured now."""
        root = self._store.root
        fits = self._stances is not None and root is not None and self._stances.spec == root.spec
        return self._stances if fits else None

    @property
    def why_not(self) -> str:
        """Why nothing can be measured of the program that is open; empty where it can."""
        return why_not_run(self._store.root)

    @property
    def doing(self) -> str:
        """What is being done, in words."""
        return self._trials.worker.words if self.running else ""

    def outcome(self, choice: CompileChoice) -> ChoiceOutcome | None:
        """What came of a choice."""
        measured = self.measured
        return next((row for row in measured.outcomes if row.choice == choice), None) if measured else None

    def load(self) -> None:
        """Ask for the interface once."""
        if self.interface is not None:
            return

        def then(answer: CompileInterface | Problem) -> None:
            if isinstance(answer, Problem):
                self.problem = answer
            else:
                self.interface = answer
            self.changed.emit()

        self._jobs.ask(AskCompileInterface(), CompileInterface, then)

    # -- choosing ------------------------------------------------------------------------------------------------

    def choose(self, *choices: CompileChoice) -> None:
        """Put choices on the list."""
        self.chosen = tuple(dict.fromkeys((*self.chosen, *choices)))
        self.changed.emit()

    def choose_common(self) -> None:
        """Put what most people would try first on the list, as far as this torch has it."""
        known = self.interface
        modes = {mode.name for mode in known.modes} if known is not None else set()
        self.choose(*(row for row in COMMON if not row.title.startswith("mode=") or row.title[6:-1] in modes))

    def drop(self, *choices: CompileChoice) -> None:
        """Take choices off the list."""
        self.chosen = tuple(row for row in self.chosen if row not in choices)
        self.changed.emit()

    def join(self, choices: tuple[CompileChoice, ...]) -> None:
        """Put several on the list as one."""
        if len(choices) > 1:
            self.choose(combined(choices))

    # -- measuring -----------------------------------------------------------------------------------------------

    def measure(self) -> None:
        """Measure what is on the list beside the program as it is."""
        root = self._store.root
        if root is None or not self.chosen or self.running:
            return

        def then(answer: ChoicesMeasured | Problem) -> None:
            self.running = ""
            if isinstance(answer, Problem):
                self.problem = answer
            else:
                self._measured = answer
            self.changed.emit()

        self._begin("choices")
        self._ask(MeasureChoices(root.spec, self.chosen), ChoicesMeasured, then)

    def try_backends(self) -> None:
        """Try every backend that there is, one after another, each in a process of its own."""
        if self.interface is None or self.running:
            return
        self.backends = {}
        self._to_try = [row.name for row in self.interface.backends]
        self._begin("backends")
        self._try_next()

    def measure_sizes(self, dimension: DimensionTrial | None) -> None:
        """Call the program with changing sizes under every stance."""
        root = self._store.root
        if root is None or self.running:
            return

        def then(answer: StancesMeasured | Problem) -> None:
            self.running = ""
            if isinstance(answer, Problem):
                self.problem = answer
            else:
                self._stances = answer
            self.changed.emit()

        self._begin("sizes")
        self._ask(MeasureStances(root.spec, dimension), StancesMeasured, then)

    def cancel(self) -> None:
        """Stop what is being measured; what is known stays."""
        self._to_try.clear()
        self._trials.worker.cancel()

    def take_over(self, choice: CompileChoice) -> None:
        """Capture the program with a choice from now on."""
        root = self._store.root
        if root is not None:
            self._trials.kept.emit(taken_over(root.spec, choice))

    def _begin(self, what: str) -> None:
        self.running, self.problem = what, None
        self.changed.emit()

    def _try_next(self) -> None:
        if not self._to_try:
            self.running = ""
            self.changed.emit()
            return

        def then(answer: BackendTried | Problem) -> None:
            if isinstance(answer, Problem):
                self.problem = answer
            else:
                self.backends[answer.backend] = answer
            self._try_next()
            self.changed.emit()

        self._ask(TryBackend(self._to_try.pop(0)), BackendTried, then)

    def _ask(
        self, request: RequestBody, answer: type[Answer], then: Callable[[Answer | Problem], None]
    ) -> None:
        """Ask the worker of trials; a trial makes way."""
        self._trials.cancel()
        self._trials.worker.ask(request, answer, then)

    def _report_progress(self) -> None:
        if self.running:
            self.changed.emit()
