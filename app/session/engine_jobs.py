"""What the session asks of the engine: capturing, previewing, recompiling, choices of operations, timing."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine
from app.session.capture_shelf import CaptureShelf
from app.session.held_captures import HeldCaptures
from compiler.model.capture import Capture
from compiler.model.edits import Edit
from compiler.model.ids import NodeId, StageId
from compiler.model.messages import (
    CaptureMade,
    DescribeTarget,
    Failure,
    ListOps,
    MakeCapture,
    Preview,
    PreviewEdits,
    Recompile,
    Recompiled,
    ReplyBody,
    RunTimings,
    StopTimings,
    TargetDescribed,
)
from compiler.model.op_catalog import OpChoices
from compiler.model.problems import Problem, Severity
from compiler.model.targets import CaptureSpec, TargetDescription, TargetSpec
from compiler.model.timings import TimingSettings


class EngineJobs(QObject):
    """Turns wishes into requests and answers into signals; keeps no truth but what is under way."""

    captured = Signal(object)
    """A Capture: the new root."""
    recompiled = Signal(object, object)
    """A Recompiled, and the edits it was made from."""
    previewed = Signal(object, object)
    """A Preview, and the edits it is of."""
    timed = Signal()
    """A timing run began or ended."""
    failed = Signal(object)
    """A Problem."""

    def __init__(
        self, engine: Engine, shelf: CaptureShelf, held: HeldCaptures, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.timing = False
        self._engine = engine
        self._shelf = shelf
        self._held = held
        self._timing_run = 0
        self._settings = TimingSettings()

    # -- capturing -----------------------------------------------------------------------------------------------

    def capture(self, spec: CaptureSpec) -> None:
        """Capture a program; `captured` follows."""

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, CaptureMade):
                self.captured.emit(reply.capture)

        self.stop_timing()
        self._engine.send(MakeCapture(spec, self._shelf.new_id()), on_reply, self._fail, tag="capture")

    def describe(self, target: TargetSpec, then: Callable[[TargetDescription | Problem], None]) -> None:
        """Ask what a target is. Only the answer to the latest question comes."""

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, TargetDescribed):
                then(reply.description)

        self._engine.send(
            DescribeTarget(target), on_reply, lambda failure: then(failure.problem), tag="describe"
        )

    # -- edits ---------------------------------------------------------------------------------------------------

    def preview(self, edits: tuple[Edit, ...]) -> None:
        """Ask for fresh shapes; nothing is asked of a worker that does not hold the capture."""
        root = self._shelf.root
        if root is None or not self._held.holds(root):
            return

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, Preview):
                self.previewed.emit(reply, edits)

        self._engine.send(PreviewEdits(root.id, edits), on_reply, self._fail, tag="preview")

    def recompile(self, edits: tuple[Edit, ...]) -> None:
        """Compile the edits; a timing run stops for it and goes on afterwards."""
        root = self._shelf.root
        if root is None:
            return
        resume = self.timing

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, Recompiled):
                self._held.note(reply.capture.id)
                self.recompiled.emit(reply, edits)
                if resume:
                    self.start_timing(self._settings)

        def on_held(problem: Problem | None) -> None:
            if problem is not None:
                self.failed.emit(problem)
                return
            request = Recompile(root.id, edits, self._shelf.new_id())
            self._engine.send(request, on_reply, self._fail, tag="recompile")

        self.stop_timing()
        self._held.ensure(root, on_held)

    def list_ops(self, stage: StageId, node: NodeId, then: Callable[[OpChoices | Problem], None]) -> None:
        """Ask what a node could call instead."""

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, OpChoices):
                then(reply)

        def on_held(problem: Problem | None) -> None:
            if problem is not None:
                then(problem)
            elif head is not None:
                self._engine.send(
                    ListOps(head.id, stage, node), on_reply, lambda failure: then(failure.problem), tag="ops"
                )

        head = self._shelf.head
        if head is None:
            then(Problem("Nothing is captured yet.", "Open a model first."))
        else:
            self._held.ensure(head, on_held)

    # -- timing --------------------------------------------------------------------------------------------------

    def start_timing(self, settings: TimingSettings) -> None:
        """Run the program as last compiled in a loop; batches come as events."""
        head = self._shelf.head
        self._settings = settings
        if head is None:
            self.failed.emit(Problem("There is nothing to time yet.", "Open a model first."))
            return
        self._held.ensure(head, lambda problem: self._run_timings(head, settings, problem))

    def _run_timings(self, head: Capture, settings: TimingSettings, problem: Problem | None) -> None:
        if problem is not None:
            self.failed.emit(problem)
            return
        self._timing_run += 1
        run = self._timing_run

        def on_end(failure: Failure | None) -> None:
            if run == self._timing_run:
                self._set_timing(False)
            if failure is not None:
                self._fail(failure)

        self._set_timing(True)
        self._engine.send(
            RunTimings(head.id, settings),
            lambda _reply: on_end(None),
            lambda failure: on_end(failure),
            tag="timing",
        )

    def stop_timing(self) -> None:
        """End the timing run."""
        if self.timing:
            self._set_timing(False)
            self._engine.send(StopTimings(), lambda _reply: None, lambda _failure: None)

    def _set_timing(self, timing: bool) -> None:
        if timing != self.timing:
            self.timing = timing
            self.timed.emit()

    def _fail(self, failure: Failure) -> None:
        if failure.cancelled:
            note = Problem("Cancelled; everything is as it was before.", severity=Severity.NOTE)
            self.failed.emit(note)
        else:
            self.failed.emit(failure.problem)
