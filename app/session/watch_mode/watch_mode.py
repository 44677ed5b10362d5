"""Watch mode: the program is captured again whenever one of its files is saved."""

from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from app.session.captures.capture_store import CaptureStore
from app.session.captures.program_trust import ProgramTrust
from app.session.engine_requests.engine_requests import EngineJobs
from app.session.files.file_watch import FileWatch
from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.program_changes import ReplaceSource
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import SourceStage, StageKind
from compiler.remote.machine import chosen


class WatchMode(QObject):
    """On or off; what is on follows the program that is open. Only programs that may be run are watched."""

    changed = Signal()
    """Switched on or off, a capture began, or one failed: `on`, `working`, `failed`."""

    problem_found = Signal(object)
    """A Problem: the file that was saved is broken."""
    problem_settled = Signal(object)
    """The file was saved again, so an earlier Problem is not what matters any more."""

    def __init__(
        self, store: CaptureStore, trust: ProgramTrust, jobs: EngineJobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._trust = trust
        self._jobs = jobs
        self._files = FileWatch(self)
        self._files.saved.connect(self._on_saved)
        jobs.captured.connect(self._on_captured)
        jobs.not_captured.connect(self._on_not_captured)
        self._reported: Problem | None = None
        self.on = False
        self.working: tuple[str, ...] = ()
        """Paths of the files whose saving began the capture that is under way."""
        self.failed: tuple[str, ...] = ()
        """Paths of the files that were saved last but could not be captured; what is open is older than they are."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that are watched."""
        return self._files.paths

    def set_on(self, on: bool) -> None:
        """Begin or end watching. For what is restricted the person is asked first, since saving runs it."""
        root = self._store.root
        if on and (machine := chosen()) is not None:
            what = tr(
                "The files of the program are on {name}, where they cannot be watched from here."
            ).format(name=machine.name)
            self.problem_found.emit(
                Problem(what, tr("Capture again after saving: Ctrl+R."), severity=Severity.NOTE)
            )
            on = False
        if on and (root is None or not self._trust.allow()):
            on = False
        self.on = on
        self.follow()
        self.changed.emit()

    def follow(self) -> None:
        """Another program, or another capture of it, is open: watch its files."""
        root = self._store.root
        if self.on and root is not None:
            self._files.watch(files_of(root))
        else:
            self._files.stop()
            self.working = self.failed = ()

    def stop(self) -> None:
        """For good: the session ends, or a file of somebody's is opened, of which no code may run unasked."""
        if self.on:
            self.set_on(False)
        self._files.stop()

    def _on_saved(self, paths: tuple[str, ...]) -> None:
        root = self._store.root
        if root is None:
            return
        wanted = self._jobs.capturing or root.spec
        if wanted.target != root.spec.target:
            return  # another program is about to take its place
        self.working, self.failed = paths, ()
        if self._reported is not None:
            self.problem_settled.emit(self._reported)
            self._reported = None
        self._jobs.capture(_from_disk(wanted, paths), again=True)
        self.changed.emit()

    def _on_captured(self) -> None:
        self.working = self.failed = ()
        self._reported = None
        self.changed.emit()

    def _on_not_captured(self, problem: Problem) -> None:
        self.working, self.failed = (), self.working
        remedy = tr("{remedy} What is shown is the capture before.").format(remedy=problem.remedy).strip()
        self._reported = msgspec.structs.replace(problem, remedy=remedy)
        self.problem_found.emit(self._reported)
        self.changed.emit()


def _from_disk(spec: CaptureSpec, paths: tuple[str, ...]) -> CaptureSpec:
    """What was saved counts, not a text that was tried in its place before."""
    kept = (
        change for change in spec.changes if not (isinstance(change, ReplaceSource) and change.path in paths)
    )
    return msgspec.structs.replace(spec, changes=tuple(kept))


def files_of(capture: Capture) -> tuple[str, ...]:
    """The target's file and all files of the user's that were captured; libraries do not change while one works."""
    target = capture.spec.target
    file = target.name.rpartition(":")[0]
    own = [str((Path(target.folder) / file).resolve())] if file.endswith(".py") else []
    captured = [
        stage.content.file.path
        for stage in capture.of_kind(StageKind.SOURCE)
        if isinstance(stage.content, SourceStage) and stage.content.file.standing is FileOwner.MINE
    ]
    return tuple(dict.fromkeys((*own, *captured)))
