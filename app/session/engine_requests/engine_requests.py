"""What the session asks of the engine: capturing, previewing, recompiling, choices of operations, timing."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine
from app.session.captures.capture_store import CaptureStore
from app.session.captures.live_captures import LiveCaptures
from app.session.captures.partial_results import EarlyStages
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetDescription, TargetSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import (
    CaptureMade,
    DescribeTarget,
    Failure,
    MakeCapture,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    ReplyBody,
    RequestBody,
    RunTimings,
    StopTimings,
    TargetDescribed,
)
from compiler.model.timing.timings import TimingSettings

TakeDescription: TypeAlias = Callable[[TargetDescription | Problem], None]


class EngineJobs(QObject):
    """Turns wishes into requests and answers into signals; keeps no truth but what is under way."""

    captured = Signal(object, bool)
    """A Capture: the new root; and whether it was made since a file was saved."""
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
        held: LiveCaptures,
        early: EarlyStages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._running = False
        self._paused = False
        self._engine = engine
        self._store = store
        self._held = held
        self._early = early
        self._timing_run = 0
        self.capturing: CaptureSpec | None = None
        """What is being captured for the person, which a capture made again is not."""
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

        def on_reply(reply: ReplyBody) -> None:
            self.capturing = None
            self._early.finish(built=True)
            if not isinstance(reply, CaptureMade):
                return
            fault = _what_broke(reply.capture) if again else None
            if fault is None:
                self.captured.emit(reply.capture, again)
            else:
                self._held.clear()
                self.not_captured.emit(fault)

        def on_failure(failure: Failure) -> None:
            self.capturing = None
            unfinished = self._early.unfinished
            self._early.finish(built=False)
            self._held.clear()  # the worker gives up what it had before it captures again
            if unfinished is not None:
                self.interrupted.emit(_unfinished(unfinished))
            if again:
                self.not_captured.emit(_told(failure))
            else:
                self._fail(failure)

        self.stop_timing()
        self.capturing = self.tried = spec
        request = MakeCapture(spec, self._store.new_id(), kept)
        self._early.expect(request.id, ())
        self._engine.send(request, on_reply, on_failure, tag="capture")

    def describe(self, target: TargetSpec, then: TakeDescription, without_values: bool = False) -> None:
        """Ask what a target is. Only the answer to the latest question comes."""

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, TargetDescribed):
                then(reply.description)

        self._pause_timing()
        self._engine.send(
            DescribeTarget(target, without_values),
            on_reply,
            lambda failure: then(failure.problem),
            tag="describe",
        )

    # -- edits ---------------------------------------------------------------------------------------------------

    def preview(self, edits: tuple[Edit, ...]) -> None:
        """Ask for fresh shapes; nothing is asked of a worker that does not hold the capture."""
        root = self._store.root
        if root is None or not self._held.holds(root):
            return

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, Preview) and self._store.root is root:
                self.previewed.emit(reply, edits)

        self._pause_timing()
        self._engine.send(PreviewEdits(root.id, edits), on_reply, self._fail, tag="preview")

    def recompile(self, edits: tuple[Edit, ...]) -> None:
        """Compile the edits and judge the result."""
        root = self._store.root
        if root is None:
            return

        def on_reply(reply: ReplyBody) -> None:
            self._early.finish(built=True)
            if isinstance(reply, Recompiled) and self._store.root is root:
                self._held.note(reply.capture.id)
                self.recompiled.emit(reply, edits)

        def on_failure(failure: Failure) -> None:
            self._early.finish(built=False)
            self._fail(failure)

        def on_held(problem: Problem | None) -> None:
            if problem is not None:
                self.failed.emit(problem)
                return
            request = Recompile(root.id, edits, self._store.new_id())
            self._early.expect(request.id, edits)
            self._engine.send(request, on_reply, on_failure, tag="recompile")

        self._pause_timing()
        self._held.ensure(root, on_held)

    @property
    def holds_root(self) -> bool:
        """Whether the worker holds the program that is open, so that asking about it runs nothing again."""
        return self._store.root is not None and self._held.holds(self._store.root)

    def ask_worker(self, request: RequestBody, then: Callable[[ReplyBody | Problem], None], tag: str) -> None:
        """Ask something that needs no capture that the worker holds. Only the answer to the latest question of a tag comes."""
        self._pause_timing()
        self._engine.send(request, then, lambda failure: then(failure.problem), tag=tag)

    def ask_live(
        self,
        request: Callable[[CaptureId], RequestBody],
        then: Callable[[ReplyBody | Problem], None],
        tag: str,
    ) -> None:
        """Ask something about the program that is open, once the worker holds it."""

        def on_held(problem: Problem | None) -> None:
            if problem is not None:
                then(problem)
            elif root is not None:
                self._pause_timing()
                self._engine.send(request(root.id), then, lambda failure: then(failure.problem), tag=tag)

        root = self._store.root
        if root is None:
            then(Problem("Nothing is captured yet.", "Open a model first."))
        else:
            self._held.ensure(root, on_held)

    # -- timing --------------------------------------------------------------------------------------------------

    def start_timing(self, settings: TimingSettings) -> None:
        """Run the program as last compiled in a loop; batches come as events."""
        head = self._store.head
        self._settings = settings
        if head is None:
            self.failed.emit(Problem("There is nothing to time yet.", "Open a model first."))
            return
        self._held.ensure_running(head, lambda problem: self._run_timings(head, settings, problem))

    def _run_timings(self, head: Capture, settings: TimingSettings, problem: Problem | None) -> None:
        if problem is not None:
            self.failed.emit(problem)
            return
        self._timing_run += 1
        run = self._timing_run

        def on_end(failure: Failure | None) -> None:
            if run == self._timing_run and self._running:
                self._running = False
                self.timed.emit()
            if failure is not None:
                self._fail(failure)

        self._running, self._paused = True, False
        self.timed.emit()
        self._engine.send(
            RunTimings(head.id, settings),
            lambda _reply: on_end(None),
            lambda failure: on_end(failure),
            tag="timing",
        )

    def stop_timing(self) -> None:
        """End the timing run."""
        self._pause_timing()
        self._paused = False
        self.timed.emit()

    def _pause_timing(self) -> None:
        """The worker does one thing at a time: a run without end makes way for what is asked now."""
        if self._running:
            self._running, self._paused = False, True
            self._engine.send(StopTimings(), lambda _reply: None, lambda _failure: None)

    def _resume_timing(self) -> None:
        """Nothing else is to be done: go on with the run that made way, unless the worker is another one now."""
        if self._paused and self._engine.state == "ready":
            self._paused = False
            if self._held.holds(self._store.head):
                self.start_timing(self._settings)
            else:
                self.timed.emit()

    def _fail(self, failure: Failure) -> None:
        self.failed.emit(_told(failure))


def _told(failure: Failure) -> Problem:
    if failure.cancelled:  # that is what the person wanted
        return msgspec.structs.replace(failure.problem, severity=Severity.NOTE)
    return failure.problem


def _unfinished(capture: Capture) -> Capture:
    note = Problem(
        "This capture is not finished: what follows the stages shown was not generated or not built.",
        "Capture it again for the rest.",
        severity=Severity.NOTE,
    )
    return msgspec.structs.replace(capture, problems=(*capture.problems, note))


def _what_broke(capture: Capture) -> Problem | None:
    """Why a capture has nothing to show; None where there is something."""
    if capture.of_kind(StageKind.DYNAMO_GRAPH):
        return None
    return next((problem for problem in capture.problems if problem.severity is Severity.ERROR), None)
