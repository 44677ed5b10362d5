"""What the session asks of the engine: the one way to ask it, and capturing, previewing, recompiling and timing by it."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Answer, Engine
from app.session.captures.capture_store import CaptureStore
from app.session.captures.live_captures import LiveCaptures
from app.session.captures.partial_results import EarlyStages
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import (
    CaptureMade,
    Done,
    MakeCapture,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    RequestBody,
    RunTimings,
    StopTimings,
    TargetDescribed,
)
from compiler.model.protocol.requests import Needs, row_of
from compiler.model.timing.timings import TimingReport, TimingSettings

TakeDescribed: TypeAlias = Callable[[TargetDescribed | Problem], None]


class EngineJobs(QObject):
    """Turns wishes into requests and answers into signals; keeps no truth but what is under way."""

    captured = Signal(object, bool)
    """A Capture: the new root; and whether it was made since a file was saved."""
    settled = Signal(object)
    """A Problem that is not what matters any more: what failed is tried again, or the edits are others."""
    not_captured = Signal(object)
    """Why a program whose file was saved could not be captured: a Problem."""
    interrupted = Signal(object)
    """A Capture: as far as a first one came before it was cancelled or failed."""
    recompiled = Signal(object, object)
    """A Recompiled, and the edits it was made from."""
    previewed = Signal(object, object)
    """A Preview, and the edits it is of."""
    timed = Signal()
    """A timing run began or ended."""
    failed = Signal(object)
    """A Problem."""

    def __init__(
        self,
        engine: Engine,
        store: CaptureStore,
        live: LiveCaptures,
        early: EarlyStages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._running = False
        self._paused = False
        self._engine = engine
        self._store = store
        self._live = live
        self._early = early
        self._timing_run = 0
        self.capturing: CaptureSpec | None = None
        """What is being captured for the person, which a capture made again is not."""
        self._failed: Problem | None = None
        """Why the last capture came to nothing, as long as none was tried since."""
        self._compiling: tuple[CaptureId, tuple[Edit, ...]] | None = None
        """What was asked to be compiled last, until the answer is there."""
        self._refused: tuple[tuple[Edit, ...], Problem] | None = None
        """Edits that did not compile, and why, as long as they are the active ones and nothing was compiled since."""
        self.tried: CaptureSpec | None = None
        """What was captured last and is not open, since nothing came of it."""
        self._settings = TimingSettings()
        engine.state_changed.connect(self._resume_timing)
        self.event_arrived = engine.event_arrived
        engine.event_arrived.connect(early.take)

    @property
    def last_program(self) -> CaptureSpec | None:
        """The program that was captured or opened last, whether that came to anything or not."""
        root = self._store.root
        return self.tried or (root.spec if root is not None else None)

    @property
    def timing(self) -> bool:
        """Whether a timing run goes on, or waits for another request to be done."""
        return self._running or self._paused

    @property
    def timing_now(self) -> bool:
        """Whether a timing run is what the engine does."""
        return self._running

    # -- capturing -----------------------------------------------------------------------------------------------

    def capture(self, spec: CaptureSpec, again: bool = False, kept: str = "") -> None:
        """Capture a program; `captured` follows. With `again`, what is open stays unless there is something to show.
        `kept` is a file that may have this capture.
        """

        def then(answer: CaptureMade | Problem) -> None:
            self.capturing = None
            if isinstance(answer, Problem):
                self._not_made(answer, again)
                return
            self._early.finish(built=True)
            fault = _what_broke(answer.capture) if again else None
            if fault is None:
                self.captured.emit(answer.capture, again)
            else:
                self._live.clear()
                self.not_captured.emit(fault)

        self.stop_timing()
        self.capturing = self.tried = spec
        if self._failed is not None:
            failed, self._failed = self._failed, None
            self.settled.emit(failed)
        request = MakeCapture(spec, self._store.new_id(), kept)
        self._early.expect(request.id, ())
        self.ask(request, CaptureMade, then)

    def _not_made(self, problem: Problem, again: bool) -> None:
        unfinished = self._early.unfinished
        self._early.finish(built=False)
        self._live.clear()  # the worker gives up what it had before it captures again
        if unfinished is not None:
            self.interrupted.emit(_unfinished(unfinished))
        self._failed = None if again else problem
        (self.not_captured if again else self.failed).emit(problem)

    # -- edits ---------------------------------------------------------------------------------------------------

    def preview(self, edits: tuple[Edit, ...]) -> None:
        """Ask for fresh shapes; nothing is asked of a worker that does not hold the capture."""
        root = self._store.root
        if root is None or not self.holds_root:
            return

        def then(answer: Preview | Problem) -> None:
            if isinstance(answer, Problem):
                self.failed.emit(answer)
            elif self._store.root is root:
                self.previewed.emit(answer, edits)

        self.ask(PreviewEdits(root.id, edits), Preview, then)

    def recompile(self, edits: tuple[Edit, ...]) -> None:
        """Compile the edits and judge the result; nothing where that is under way."""
        root = self._store.root
        if root is None or self._compiling == (root.id, edits):
            return
        self._settle_refused()
        self._compiling = compiling = root.id, edits

        def then(answer: Recompiled | Problem) -> None:
            if self._compiling is compiling:
                self._compiling = None
            self._early.finish(built=isinstance(answer, Recompiled))
            if isinstance(answer, Problem):
                if answer.severity is Severity.ERROR:  # it was not cancelled
                    self._refused = edits, answer
                self.failed.emit(answer)
            elif self._store.root is root:
                self._live.note(answer.capture.id)
                self.recompiled.emit(answer, edits)

        request = Recompile(root.id, edits, self._store.new_id())
        self.ask(request, Recompiled, then, begin=lambda: self._early.expect(request.id, edits))

    def cancel(self) -> None:
        """Stop what the engine does; what is asked from now on is new, also where it is the same."""
        self._compiling = None
        self._engine.cancel()

    def edits_are(self, edits: tuple[Edit, ...]) -> None:
        """The active edits are these now: why others did not compile matters no more."""
        if self.why_refused(edits) is None:
            self._settle_refused()

    def why_refused(self, edits: tuple[Edit, ...]) -> Problem | None:
        """Why these edits did not compile, where they were tried last."""
        return self._refused[1] if self._refused is not None and self._refused[0] == edits else None

    def _settle_refused(self) -> None:
        if self._refused is not None:
            (_, problem), self._refused = self._refused, None
            self.settled.emit(problem)

    # -- asking --------------------------------------------------------------------------------------------------

    @property
    def holds_root(self) -> bool:
        """Whether the worker holds the program that is open, so that asking about it runs nothing again."""
        return self._store.root is not None and self._live.holds(self._store.root)

    @property
    def open_capture(self) -> CaptureId:
        """What edits start from, for requests about it; empty where nothing is open, which such a request is told."""
        return self._store.root.id if self._store.root is not None else ""

    def ask(
        self,
        request: RequestBody,
        answer: type[Answer],
        then: Callable[[Answer | Problem], None],
        purpose: str = "",
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask the worker that holds what is open: the one way to it. The row of the request says what the worker must have,
        which it is given first, and what a newer request replaces. A timing run makes way. `then` is given the answer or
        a problem; `begin` is called when it is sent.
        """

        def on_ready(problem: Problem | None) -> None:
            if problem is not None:
                then(problem)
                return
            self._pause_timing()
            begin()
            self._engine.ask(request, answer, then, purpose)

        needs = row_of(request).needs
        if needs is Needs.NOTHING:
            on_ready(None)
            return
        capture = self._store.capture(getattr(request, "capture"))  # noqa: B009  a row that needs one names it
        if capture is None:
            on_ready(Problem(tr("Nothing is captured yet."), tr("Open a model first.")))
        elif needs is Needs.RUNNING_CAPTURE:
            self._live.ensure_running(capture, on_ready)
        else:
            self._live.ensure(capture, on_ready)

    # -- timing --------------------------------------------------------------------------------------------------

    def start_timing(self, settings: TimingSettings) -> None:
        """Run the program as last compiled in a loop; batches come as events."""
        head = self._store.head
        self._settings = settings
        self._timing_run += 1
        run = self._timing_run

        def begin() -> None:
            self._running, self._paused = True, False
            self.timed.emit()

        def then(answer: TimingReport | Problem) -> None:
            if run == self._timing_run and self._running:
                self._running = False
                self.timed.emit()
            if isinstance(answer, Problem):
                self.failed.emit(answer)

        self.ask(RunTimings(head.id if head is not None else "", settings), TimingReport, then, begin=begin)

    def stop_timing(self) -> None:
        """End the timing run."""
        self._pause_timing()
        self._paused = False
        self.timed.emit()

    def _pause_timing(self) -> None:
        """The worker does one thing at a time: a run without end makes way for what is asked now."""
        if self._running:
            self._running, self._paused = False, True
            self._engine.ask(StopTimings(), Done, lambda _answer: None)

    def _resume_timing(self) -> None:
        """Nothing else is to be done: go on with the run that made way, unless the worker is another one now."""
        if self._paused and self._engine.state == "ready":
            self._paused = False
            if self._live.holds(self._store.head):
                self.start_timing(self._settings)
            else:
                self.timed.emit()


def _unfinished(capture: Capture) -> Capture:
    note = Problem(
        tr("This capture is not finished: what follows the stages shown was not generated or not built."),
        tr("Capture it again for the rest."),
        severity=Severity.NOTE,
    )
    return msgspec.structs.replace(capture, problems=(*capture.problems, note))


def _what_broke(capture: Capture) -> Problem | None:
    """Why a capture has nothing to show; None where there is something."""
    if capture.of_kind(StageKind.DYNAMO_GRAPH):
        return None
    return next(iter(capture.failures()), None)
