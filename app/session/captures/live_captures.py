"""Which captures the present worker holds as live objects, and capturing them again where it does not."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine, problem_of
from app.session.captures.capture_store import CaptureStore
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.messages import CaptureMade, Failure, MakeCapture, Recompile, ReplyBody


def runs_by_itself() -> Problem:
    """Why nothing is asked of a program that is only followed."""
    return Problem(
        tr("This would run the program, which runs by itself."),
        tr("Its times are in the Run pane; open its model by itself for the rest."),
    )


def _other_program() -> Problem:
    return Problem(
        tr("This was asked about a program that is not open any more."),
        tr("Ask again about the one that is."),
        severity=Severity.NOTE,
    )


class LiveCaptures(QObject):
    """Makes sure that the worker has a capture before something is asked about it.

    After a restart the live objects are gone; a capture read from a file never had any here.
    """

    doing_changed = Signal()
    problem_found = Signal(object)
    drifted = Signal(object, bool)
    """A Capture: what the program gives now, other graphs than when it was captured. It takes the place of what is open,
    and its edits are carried over: True."""

    def __init__(self, engine: Engine, store: CaptureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.doing = ""
        """What is being done on the way, or empty."""
        self.in_program: Callable[[Capture | None], bool] = lambda capture: False
        """Whether the objects behind a capture are in a program that runs by itself, which is asked about it."""
        self._engine = engine
        self._store = store
        self._generation = engine.generation
        self._epoch = 0
        self._live: set[CaptureId] = set()
        self._running: CaptureId = ""
        """What the worker compiled last, which is what runs there."""
        self._waiting: list[Callable[[Problem | None], None]] = []

    def note(self, capture_id: CaptureId) -> None:
        """The worker has just made this capture."""
        self._forget_the_dead()
        self._live.add(capture_id)
        self._running = capture_id

    def holds(self, capture: Capture | None) -> bool:
        """Whether the present worker has the live objects of a capture."""
        self._forget_the_dead()
        return capture is not None and (capture.id in self._live or self.in_program(capture))

    def clear(self) -> None:
        """Another root, or none: what was held, or is being captured again, is of no use."""
        self._live.clear()
        self._epoch += 1
        if self.doing:
            self._set_doing("")
        self._report_waiting(_other_program())

    def ensure(self, capture: Capture, then: Callable[[Problem | None], None]) -> None:
        """Call `then(None)` once the worker holds the capture, or `then(problem)` when it cannot be had."""
        if self.holds(capture):
            then(None)
            return
        root = self._store.root
        if root is None:
            then(_other_program())
            return
        if self._waiting:
            self._waiting.append(lambda problem: then(problem) if problem else self.ensure(capture, then))
            return
        self._waiting.append(then)
        if self.holds(root):
            self._recompile_again(capture)
        else:
            self._capture_again(root, capture)

    def ensure_running(self, capture: Capture, then: Callable[[Problem | None], None]) -> None:
        """Call `then(None)` once the program runs in the worker as in this capture, or `then(problem)`."""
        if self.in_program(capture):
            then(runs_by_itself())
            return

        def on_live(problem: Problem | None) -> None:
            if problem is not None or self._running == capture.id:
                then(problem)
                return
            self._waiting.append(then)
            self._recompile_again(capture, tr("Going back to what was compiled"))

        self.ensure(capture, on_live)

    def bring_program(self, capture: Capture, then: Callable[[Problem | None], None]) -> None:
        """Let a program that runs by itself run on as in this capture of it."""
        if self._running != capture.id:
            self._waiting.append(then)
            self._recompile_again(capture, tr("Going back to what was compiled"))

    def cancel(self) -> None:
        """Whoever waits for the program waits no longer. The step under way may be done already: none follows it."""
        if self._waiting:
            self._report_waiting(
                Problem(tr("Cancelled."), tr("Nothing was changed."), severity=Severity.NOTE)
            )

    def _capture_again(self, root: Capture, wanted: Capture) -> None:
        epoch = self._epoch

        def on_reply(reply: ReplyBody) -> None:
            if epoch != self._epoch:
                return
            self.note(root.id)
            self._store.from_file = False
            if isinstance(reply, CaptureMade) and _node_names(reply.capture) != _node_names(root):
                self._take_over(reply.capture)
                return
            if wanted.id == root.id or not self._waiting:
                self._finish(None)
            else:
                self._recompile_again(wanted)

        self._set_doing(
            tr("Capturing the program first: what is open was read from a file")
            if self._store.from_file
            else tr("Capturing again, the engine was restarted")
        )
        self._engine.send(
            MakeCapture(root.spec, root.id),
            on_reply,
            lambda failure: self._fail(failure, epoch),
            purpose=None,
        )

    def _take_over(self, capture: Capture) -> None:
        """The program gives other graphs than those that were asked about: whoever asked may ask again about these."""
        waiting, self._waiting = self._waiting, []  # what becomes of it clears what waits
        self.drifted.emit(capture, True)
        reported = Problem(
            tr(
                "The program gives other graphs now than when it was captured. They are shown, with the edits that still fit."
            ),
            tr("Look at them, then ask again."),
            path=capture.spec.target.name,
            severity=Severity.WARNING,
        )
        for then in waiting:
            then(reported)

    def _recompile_again(self, wanted: Capture, doing: str = "") -> None:
        epoch = self._epoch

        def on_reply(_reply: ReplyBody) -> None:
            if epoch != self._epoch:
                return
            self.note(wanted.id)
            self._finish(None)

        root = self._store.root
        if root is None:
            return
        self._set_doing(doing or tr("Compiling the edits again, the engine was restarted"))
        edits = self._store.edits_of(wanted)
        request = Recompile(root.id, edits, wanted.id, judge=False)
        self._engine.send(request, on_reply, lambda failure: self._fail(failure, epoch), purpose=None)

    def _fail(self, failure: Failure, epoch: int) -> None:
        if epoch == self._epoch:
            self._finish(problem_of(failure))

    def _finish(self, problem: Problem | None) -> None:
        self._set_doing("")
        self._report_waiting(problem)

    def _report_waiting(self, problem: Problem | None) -> None:
        """None waits for ever: what is asked about a program that is gone fails."""
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(problem)

    def _set_doing(self, text: str) -> None:
        self.doing = text
        self.doing_changed.emit()

    def _forget_the_dead(self) -> None:
        if self._generation != self._engine.generation:
            self._generation = self._engine.generation
            self._live.clear()


def _node_names(capture: Capture) -> dict[str, tuple[str, ...]]:
    return {
        stage.id: tuple(node.id for node in stage.graph.nodes)
        for stage in capture.stages
        if stage.graph is not None
    }
