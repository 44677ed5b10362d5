"""Trying a change on a copy: what is chosen, what is being tried, what came of it, and how it is kept.

Trials run in a worker of their own, started with the first one, so that the capture that is open stays live.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine
from app.session.captures.capture_store import CaptureStore
from app.session.captures.program_trust import ProgramTrust
from app.session.engine_requests.background_engine import SecondEngine
from compiler.analysis.remedies import Remedy
from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import Change
from compiler.model.experiments.trials import DimensionTrial, Trial
from compiler.model.graph_breaks.remedy import with_change
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import TryChanges


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
    offered_by: str = ""
    """The pane to go back to when it is kept or dropped."""

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
    left = Signal(str)
    """A proposal was kept or dropped: the pane that offered it, where there may be more."""
    changed = Signal()
    """`proposal`, `running`, `doing`, `result` or `problem` changed."""

    def __init__(
        self,
        make_engine: Callable[[], Engine] | None,
        store: CaptureStore,
        trust: ProgramTrust,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self.worker = SecondEngine(make_engine, trust, self)
        self.worker.changed.connect(self.changed)
        self.proposal: Proposal | None = None
        self.running = False
        self.result: Trial | None = None
        self.problem: Problem | None = None

    @property
    def doing(self) -> str:
        """What the trial's worker is at, in words."""
        return self.worker.words if self.running else ""

    def choose(
        self,
        remedy: Remedy,
        more: tuple[Change, ...] = (),
        dimension: DimensionTrial | None = None,
        offered_by: str = "",
    ) -> None:
        """Look at a change of the program that is open; nothing is tried yet."""
        capture = self._store.root
        if capture is None:
            return
        self.cancel()
        self.proposal = Proposal(capture, remedy, more, dimension, offered_by)
        self.result, self.problem = None, None
        self.changed.emit()
        self.chosen.emit()

    def start(self) -> None:
        """Try the proposal."""
        proposal = self.proposal
        if proposal is None or self.running:
            return
        self.running, self.result, self.problem = True, None, None

        def then(answer: Trial | Problem) -> None:
            if self.proposal is not proposal:
                return
            if isinstance(answer, Problem):
                self._end(answer)
                return
            self.running, self.result = False, answer
            self.changed.emit()

        self.worker.ask(TryChanges(proposal.capture.spec, proposal.changes, proposal.dimension), Trial, then)
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the trial that runs."""
        if self.running:
            self.worker.cancel()

    def drop(self) -> None:
        """Look at the change no more."""
        self.cancel()
        self.proposal, self.result, self.problem, self.running = None, None, None, False
        self.changed.emit()

    def go_back(self) -> None:
        """Drop it, and look at what offered it."""
        proposal = self.proposal
        self.drop()
        self._leave(proposal)

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
        self._leave(proposal)

    def take_out(self, change: Change) -> None:
        """Capture the program without a change that it was captured with."""
        capture = self._store.root
        if capture is not None:
            rest = tuple(item for item in capture.spec.changes if item != change)
            self.kept.emit(msgspec.structs.replace(capture.spec, changes=rest))

    def shut_down(self) -> None:
        """End the worker of trials."""
        self.worker.shut_down()

    def _leave(self, proposal: Proposal | None) -> None:
        if proposal is not None and proposal.offered_by:
            self.left.emit(proposal.offered_by)

    def _end(self, problem: Problem) -> None:
        self.running, self.problem = False, problem
        self.changed.emit()
