"""A worker beside the one that holds what is open, so that long work on the program leaves that one live."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Answer, Engine
from app.session.captures.program_trust import ProgramTrust, not_run
from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import RequestBody
from compiler.model.protocol.progress import Step
from compiler.model.protocol.requests import row_of


class SecondEngine(QObject):
    """Made and started when it is first needed."""

    changed = Signal()
    """What it is doing changed."""

    def __init__(
        self, make_engine: Callable[[], Engine] | None, trust: ProgramTrust, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.make_engine = make_engine
        self._trust = trust
        self._engine: Engine | None = None

    def ready(self, runs_program: bool) -> Engine | Problem:
        """The engine, started, or why it may not run the program that is open."""
        if self.make_engine is None:
            return Problem(tr("There is no engine for trials."), tr("Restart Torch Loupe."))
        if runs_program and not self._trust.allow():
            return not_run()
        if self._engine is None:
            self._engine = self.make_engine()
            self._engine.gate = self._trust.gate
            self._engine.setParent(self)
            self._engine.state_changed.connect(self.changed)
        self._engine.start()
        return self._engine

    def ask(
        self, request: RequestBody, answer: type[Answer], then: Callable[[Answer | Problem], None]
    ) -> None:
        """Ask this worker, as `EngineJobs.ask` asks the one that holds what is open."""
        engine = self.ready(row_of(request).executes_program)
        if isinstance(engine, Problem):
            then(engine)
        else:
            engine.ask(request, answer, then)

    @property
    def words(self) -> str:
        """What it is at."""
        return self._engine.status_text if self._engine is not None else ""

    @property
    def step(self) -> Step | None:
        """Where it is, as far as it says."""
        return self._engine.step if self._engine is not None else None

    def cancel(self) -> None:
        """Stop what it does."""
        if self._engine is not None:
            self._engine.cancel()

    def shut_down(self) -> None:
        """End it."""
        if self._engine is not None:
            self._engine.shut_down()
