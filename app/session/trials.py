"""Trying a change on a copy: what is chosen, what is being tried, what came of it, and how it is kept.

Trials run in a worker of their own, started with the first one, so that the capture that is open stays live.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine
from app.session.capture_shelf import CaptureShelf
from app.session.held_captures import HeldCaptures
from compiler.model.capture import Capture
from compiler.model.changes import Change
from compiler.model.messages import Failure, ReplyBody, RequestBody, TryChanges
from compiler.model.problems import Problem
from compiler.model.remedies import Remedy
from compiler.model.remedies.remedy import with_change
from compiler.model.targets import CaptureSpec
from compiler.model.trials import DimensionTrial, Trial


@dataclass(frozen=True)
class Proposal:
    """A change that may be tried."""

    capture: Capture
    """What it is a change of."""
    remedy: Remedy
    more: tuple[Change, ...] = ()
    """Changes that go with it."""
    dimension: DimensionTrial | None = None
    """For a change that concerns sizes: what to call both sides with."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """All of it."""
        return (self.remedy.change, *self.more)


class Trials(QObject):
    """One proposal at a time; its trial, while it runs, can be cancelled."""

    chosen = Signal()
    """Another proposal is looked at: the pane of trials wants to be seen."""
    kept = Signal(object)
    """A CaptureSpec: capture the program so from now on, which asks about unsaved edits first."""
    changed = Signal()
    """`proposal`, `running`, `doing`, `result` or `problem` changed."""

    def __init__(
        self,
        make_engine: Callable[[], Engine] | None,
        shelf: CaptureShelf,
        held: HeldCaptures,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._make_engine = make_engine
        self._shelf = shelf
        self._held = held
        self._engine: Engine | None = None
        self.proposal: Proposal | None = None
        self.running = False
        self.result: Trial | None = None
        self.problem: Problem | None = None

    @property
    def doing(self) -> str:
        """What the trial's worker is at, in words."""
        return self._engine.status_text if self._engine is not None and self.running else ""

    def choose(
        self, remedy: Remedy, more: tuple[Change, ...] = (), dimension: DimensionTrial | None = None
    ) -> None:
        """Look at a change of the program that is open; nothing is tried yet."""
        capture = self._shelf.root
        if capture is None:
            return
        self.cancel()
        self.proposal = Proposal(capture, remedy, more, dimension)
        self.result, self.problem = None, None
        self.changed.emit()
        self.chosen.emit()

    def start(self) -> None:
        """Try the proposal."""
        proposal = self.proposal
        if proposal is None or self.running:
            return
        engine = self._ready_engine(proposal.capture.spec)
        if isinstance(engine, Problem):
            self._end(engine)
            return
        self.running, self.result, self.problem = True, None, None

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, Trial) and self.proposal is proposal:
                self.running, self.result = False, reply
                self.changed.emit()

        def on_failure(failure: Failure) -> None:
            if self.proposal is proposal:
                self._end(failure.problem)

        request = TryChanges(proposal.capture.spec, proposal.changes, proposal.dimension)
        engine.send(request, on_reply, on_failure, tag="trial")
        self.changed.emit()

    def ask(
        self, request: RequestBody, spec: CaptureSpec | None, then: Callable[[ReplyBody | Problem], None]
    ) -> None:
        """Ask the worker of trials something else; `spec`: the program that is run for it. A trial makes way."""
        self.cancel()
        engine = self._ready_engine(spec)
        if isinstance(engine, Problem):
            then(engine)
        else:
            engine.send(request, then, lambda failure: then(failure.problem), tag="asked")

    def cancel_asked(self) -> None:
        """Stop what was asked."""
        if self._engine is not None:
            self._engine.cancel()

    @property
    def worker_words(self) -> str:
        """What the worker of trials is at, whatever it was asked."""
        return self._engine.status_text if self._engine is not None else ""

    def _ready_engine(self, spec: CaptureSpec | None) -> Engine | Problem:
        """The worker of trials, started, or why it may not run this program."""
        if self._make_engine is None:
            return Problem("There is no engine for trials.", "Restart Torch Loupe.")
        if spec is not None and self._shelf.from_file and not self._held.confirm_run(spec):
            return Problem(
                "The program was not run.", "Agree to run it if you trust where the file comes from."
            )
        if self._engine is None:
            self._engine = self._make_engine()
            self._engine.setParent(self)
            self._engine.state_changed.connect(self.changed)
        self._engine.start()
        return self._engine

    def cancel(self) -> None:
        """Stop the trial that runs."""
        if self.running and self._engine is not None:
            self._engine.cancel()

    def drop(self) -> None:
        """Look at the change no more."""
        self.cancel()
        self.proposal, self.result, self.problem, self.running = None, None, None, False
        self.changed.emit()

    def keep(self) -> None:
        """Capture the program with the proposal."""
        proposal = self.proposal
        if proposal is None:
            return
        spec = proposal.capture.spec
        changes = spec.changes
        for change in proposal.changes:
            changes = with_change(changes, change)
        self.kept.emit(msgspec.structs.replace(spec, changes=changes))

    def take_out(self, change: Change) -> None:
        """Capture the program without a change that it was captured with."""
        capture = self._shelf.root
        if capture is not None:
            rest = tuple(item for item in capture.spec.changes if item != change)
            self.kept.emit(msgspec.structs.replace(capture.spec, changes=rest))

    def shut_down(self) -> None:
        """End the worker of trials."""
        if self._engine is not None:
            self._engine.shut_down()

    def _end(self, problem: Problem) -> None:
        self.running, self.problem = False, problem
        self.changed.emit()
