"""The program that is open under every front end: cells come one by one from a worker of their own."""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine_client.engine import Engine
from app.session.captures.capture_store import CaptureStore
from app.session.captures.program_trust import ProgramTrust
from app.session.engine_requests.background_engine import SecondEngine
from app.session.engine_requests.engine_requests import EngineJobs
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import COMPARED, DYNAMO, DYNAMO_FULLGRAPH, find_front_end
from compiler.model.front_end_comparison.comparison_checkpoint import died_over
from compiler.model.front_end_comparison.front_end_matrix import AlternateInput, FrontEndCell, JudgeFrontEnd
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.stage import SourceStage
from compiler.model.protocol.messages import Failure, ReplyBody
from compiler.model.protocol.progress import Step
from compiler.processes.private_folder import PrivateFolder


class FrontEndMatrix(QObject):
    """One comparison at a time. What is open stays live, since the work is done elsewhere."""

    changed = Signal()
    """`cells`, `running` or `waiting` changed."""
    wanted = Signal(str)
    """A front end whose capture is to be shown, after asking about unsaved edits: `show` does it."""

    def __init__(
        self,
        make_engine: Callable[[], Engine] | None,
        jobs: EngineJobs,
        store: CaptureStore,
        trust: ProgramTrust,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._worker = SecondEngine(make_engine, trust, self)
        self._worker.changed.connect(self.changed)
        self._engine: Engine | None = None
        """The worker's, once it may run the program."""
        self._spec: CaptureSpec | None = None
        self._sources: dict[str, str] = {}
        """Of the program that is compared, by path."""
        self._folder: PrivateFolder | None = None
        """Of the captures that the processes of the cells made."""
        self.cells: dict[str, FrontEndCell] = {}
        """By the front end's name, as they came."""
        self.running = ""
        """The front end that is being judged."""
        self.waiting: tuple[str, ...] = ()

    @property
    def busy(self) -> bool:
        """Whether cells are still to come."""
        return bool(self.running)

    @property
    def doing(self) -> str:
        """What the worker is at, in words."""
        return self._worker.words if self.running else ""

    @property
    def step(self) -> Step | None:
        """Where the worker is, as far as it says."""
        return self._worker.step if self.running else None

    @property
    def is_of_what_is_open(self) -> bool:
        """Whether the cells are of the program that is open, with the source that it has now."""
        root = self._store.root
        if self._spec is None or root is None or _program(root.spec) != self._spec:
            return False
        return all(self._sources.get(path, text) == text for path, text in _sources(root).items())

    def start(self, alternates: tuple[AlternateInput, ...] = (), search: bool = True) -> Problem | None:
        """Judge all front ends, one after the other. Gives why not."""
        root = self._store.root
        if root is None:
            return Problem(tr("Nothing is captured yet."), tr("Open a model first."))
        engine = self._worker.ready(runs_program=True)
        if isinstance(engine, Problem):
            return engine
        self._engine = engine
        self._spec, self._sources = _program(root.spec), _sources(root)
        self._drop_folder()
        self._folder = PrivateFolder()  # swept where we are killed
        self.cells = {}
        self.waiting = tuple(row.name for row in COMPARED)
        self._next(alternates, search)
        return None

    def cancel(self) -> None:
        """Stop; the cells that are there stay."""
        self.waiting = ()
        running, self.running = self.running, ""
        if running:
            self._worker.cancel()
        self.changed.emit()

    def skip(self) -> None:
        """Stop the front end that is being judged, and go on with the next; what it found out so far stays."""
        if self.running:
            self._worker.cancel()

    @property
    def shown(self) -> str:
        """The front end whose capture of the program is what is open, or empty."""
        root = self._store.root
        if root is None or not self.is_of_what_is_open or root.spec.changes or root.spec.is_only_compiled:
            return ""
        whole = root.spec.front_end == DYNAMO and root.spec.compile.fullgraph
        return DYNAMO_FULLGRAPH if whole else root.spec.front_end

    def open(self, front_end: str) -> None:
        """Show the program as this front end captured it, if it is not what is open."""
        if self._spec is not None and front_end != self.shown:
            self.wanted.emit(front_end)

    def show(self, front_end: str) -> None:
        """Show the capture that the cell kept; where it kept none, or the source is another by now, capture again."""
        if self._spec is None:
            return
        cell = self.cells.get(front_end)
        spec = msgspec.structs.replace(self._spec, front_end=find_front_end(front_end).name)
        self._jobs.capture(spec, kept=cell.kept if cell is not None else "")

    def shut_down(self) -> None:
        """End the worker."""
        self.waiting = ()
        self._worker.shut_down()
        self._drop_folder()

    def _drop_folder(self) -> None:
        if self._folder is not None:
            self._folder.remove()
            self._folder = None

    def _next(self, alternates: tuple[AlternateInput, ...], search: bool) -> None:
        if not self.waiting or self._spec is None or self._engine is None:
            self.running = ""
            self.changed.emit()
            return
        self.running, self.waiting = self.waiting[0], self.waiting[1:]
        spec, name = msgspec.structs.replace(self._spec, front_end=self.running), self.running

        def take(cell: FrontEndCell) -> None:
            if self.running == name:
                self.cells[name] = cell
                self._next(alternates, search)

        def on_reply(reply: ReplyBody) -> None:
            if isinstance(reply, FrontEndCell):
                take(reply)

        folder = str(self._folder.path) if self._folder is not None else ""

        def on_failure(failure: Failure) -> None:
            skipped_it = Problem(tr("It was skipped."), tr("Compare again to have it judged."))
            problem = skipped_it if failure.cancelled else failure.problem
            cell = died_over(folder, name, problem)
            skipped = failure.cancelled and not cell.captured
            take(msgspec.structs.replace(cell, skipped=skipped))

        order = JudgeFrontEnd(spec, alternates, search, folder=folder)
        self._engine.send(order, on_reply, on_failure)
        self.changed.emit()


def _sources(capture: Capture) -> dict[str, str]:
    """The user's files as they were captured; other front ends have lines in more or fewer of them."""
    files = (stage.content.file for stage in capture.stages if isinstance(stage.content, SourceStage))
    return {file.path: file.text for file in files}


def _program(spec: CaptureSpec) -> CaptureSpec:
    """What is compared: the same however it was captured."""
    options = msgspec.structs.replace(spec.compile, fullgraph=False)
    return msgspec.structs.replace(spec, front_end="", compile=options, changes=(), device=None)
