"""The ranks beside the one that is shown: read, compared off the window's thread, and any two of them handed to the comparison."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.concurrency.file_worker import BackgroundWork
from app.session.captures.capture_store import CaptureStore
from app.session.comparison.comparison import Comparison
from app.session.comparison.sides import Side, Source
from app.session.ranks.plan_stages import PlanStages
from app.session.ranks.rank_sources import RankSource, file_sources, live_sources
from app.session.running.run_follower import RunFollower
from app.translation.texts import tr
from compiler.analysis.ranks.compare_ranks import (
    RankCompiles,
    RanksCompared,
    compare_reported,
    difference_lines,
    reported_by,
)
from compiler.analysis.ranks.compile_facts import COLLECTIVES, KERNELS, LOWERED
from compiler.analysis.ranks.rank_files import read_rank, siblings
from compiler.analysis.session_file.session_file import SessionFileError
from compiler.analysis.torch_logs.opening import NoLogsError
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import DYNAMO_GRAPHS, Stage, StageKind

_OF_RESPECT = {
    LOWERED: (StageKind.POST_GRAD_GRAPH, StageKind.AOT_GRAPH),
    COLLECTIVES: (StageKind.POST_GRAD_GRAPH,),
    KERNELS: (StageKind.KERNELS,),
}
_ERRORS = (OSError, SessionFileError, NoLogsError)


class FilesOfSession(Protocol):
    """What of the session's files is needed."""

    path: Path | None

    def open(self, path: Path, once: bool = False) -> None:
        """Read a file and show it."""


class Ranks(QObject):
    """Follows the run and the file that is open; `compared` is of the newest state that was compared."""

    changed = Signal()
    """`sources`, `compared`, `beside` or `doing` changed."""
    difference_found = Signal(object)
    """(compile id, respect, rank, other rank, lines) that were asked for."""
    wanted = Signal()
    """Somebody asked to see them."""
    offered = Signal()
    """The file that was opened is one of several of a run; the others were not read."""
    problem_found = Signal(object)

    def __init__(
        self,
        run: RunFollower,
        comparison: Comparison,
        store: CaptureStore,
        files: FilesOfSession,
        show_stage: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._run, self._comparison, self._store, self._files = run, comparison, store, files
        self.stages = PlanStages(store, self)
        self._show_stage = show_stage
        self._read: dict[Path, Capture] = {}
        self._reported: dict[str, tuple[Capture, RankCompiles]] = {}
        self._compared_of: tuple[Capture, ...] = ()
        self._compared_running: frozenset[str] = frozenset()
        self._to_show = ""
        """Compile id to show once another rank's capture is there."""
        self._work = BackgroundWork(self)
        self._reading = BackgroundWork(self)
        self._comparing = False
        self._offered: Path | None = None
        """The file whose other ranks were offered last."""
        self.sources: tuple[RankSource, ...] = ()
        self.compared: RanksCompared | None = None
        self.in_folder: tuple[Path, ...] = ()
        """Files of other ranks that lie beside the one that is open and were not read."""
        self.doing = ""
        run.changed.connect(self.follow)

    # -- which there are -----------------------------------------------------------------------------------------

    @property
    def shown(self) -> str:
        """The rank whose capture the other panes show, or empty."""
        path = self._path
        for source in self.sources:
            if source.lane is not None and source.lane == self._run.shown:
                return source.rank
            if source.path is not None and source.path == path:
                return source.rank
        return ""

    def source(self, rank: str) -> RankSource | None:
        """The rank of that name."""
        return next((source for source in self.sources if source.rank == rank), None)

    def file_changed(self) -> None:
        """Another file is open, or none."""
        path = self._path
        if path is None or path not in (self._read or siblings(path)):
            self._read.clear()
        self.follow()
        if path != self._offered and self.in_folder and path == self._files.path:
            self.offered.emit()
        self._offered = path

    def follow(self) -> None:
        """Take up what is there now; cheap where nothing changed."""
        self.stages.follow()
        live = live_sources(self._run.rows)
        path, shown = self._path, self._store.root
        if len(live) > 1:
            self._read.clear()
            self.sources, self.in_folder = live, ()
        else:
            self.in_folder = ()
            if path is not None and shown is not None:
                held = {other: capture for other, capture in self._read.items() if other != path}
                self._read = {path: shown, **held}
                self.in_folder = tuple(other for other in siblings(path) if other not in self._read)
            self.sources = file_sources(self._read) if len(self._read) > 1 else ()
        shown_rank = self._comparison.choices.rank_shown = self.shown
        self._comparison.choices.ranks = tuple(
            Source(f"rank:{row.rank}", tr("Rank {rank}").format(rank=row.rank), row.capture)
            for row in self.sources
            if row.rank != shown_rank
        )
        if self._to_show:
            self._show_compile(self._to_show)
        self._compare()
        self.changed.emit()

    @property
    def _path(self) -> Path | None:
        """Of the file or the log that is open."""
        root = self._store.root
        if root is not None and root.log is not None:
            return Path(root.log.path)
        return self._files.path

    def read_folder(self) -> None:
        """Read the ranks whose files lie beside the one that is open."""
        self.add(self.in_folder)

    def add(self, paths: tuple[Path, ...]) -> None:
        """Read these too, one after the other; each takes part as soon as it is there."""
        self.in_folder = tuple(path for path in self.in_folder if path not in paths)
        for path in paths:
            self._read_one(path, path == paths[-1])
        self.doing = (
            tr("Reading %n file(s)", None, len(paths))
            if len(paths) > 1
            else tr("Reading {name}").format(name=paths[0].name)
            if paths
            else ""
        )
        self.changed.emit()

    def _read_one(self, path: Path, last: bool) -> None:
        self._reading.run(
            lambda: read_rank(path),
            lambda capture: self._take(path, capture, last),
            lambda error: self._fail(path, error, last),
            _ERRORS,
        )

    def _take(self, path: Path, capture: Capture | None, last: bool) -> None:
        if capture is not None and self._read:
            self._read[path] = capture
        self.doing = "" if last else self.doing
        if last:
            self.follow()

    def _fail(self, path: Path, error: Exception, last: bool) -> None:
        self.problem_found.emit(
            Problem(
                tr("{path} cannot be read: {error}").format(path=path, error=error),
                tr("The other ranks are compared."),
                str(path),
                severity=Severity.WARNING,
            )
        )
        self._take(path, None, last)

    # -- comparing -----------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        captures = tuple(source.capture for source in self.sources)
        if len(captures) < 2:
            self.compared, self._compared_of = None, ()
            self._reported.clear()
            return
        running = frozenset(source.rank for source in self.sources if source.running)
        if self._comparing or (_same(captures, self._compared_of) and running == self._compared_running):
            return
        self._comparing = True
        sources, known = self.sources, dict(self._reported)

        def work() -> tuple[dict[str, tuple[Capture, RankCompiles]], RanksCompared | None]:
            reported = {}
            for row in sources:
                held = known.get(row.rank)
                fresh = held is None or held[0] is not row.capture
                reported[row.rank] = (
                    (row.capture, reported_by(row.rank, row.capture)) if held is None or fresh else held
                )
            return reported, compare_reported([row for _, row in reported.values()], running)

        def then(found: tuple[dict[str, tuple[Capture, RankCompiles]], RanksCompared | None]) -> None:
            self._comparing = False
            self._reported, self.compared = found
            self._compared_of, self._compared_running = captures, running
            self._compare()
            self.changed.emit()

        def failed(_: Exception) -> None:
            self._comparing = False

        self._work.run(work, then, failed, ())

    def ask_difference(self, compile_id: str, what: str, rank: str, other: str) -> None:
        """What two ranks have there, as a diff; `difference_found` follows."""
        before, after = self.source(rank), self.source(other)
        if before is None or after is None:
            return

        def then(lines: list[str]) -> None:
            self.difference_found.emit((compile_id, what, rank, other, tuple(lines)))

        pair = (rank, before.capture), (other, after.capture)
        self._work.run(lambda: difference_lines(compile_id, what, *pair), then, lambda _: None, ())

    # -- going there ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Let the person see them."""
        self.wanted.emit()

    def show_rank(self, rank: str, compile_id: str = "") -> None:
        """Show a rank's capture in every pane, and a compile of it. A file is opened: what is open is closed."""
        source = self.source(rank)
        if source is None:
            return
        self._to_show = compile_id
        if rank == self.shown:
            self._show_compile(compile_id)
        elif source.lane is not None:
            self._run.show(source.lane)
        elif source.path is not None:
            self._files.open(source.path)

    def show_two(self, rank: str, other: str, compile_id: str, what: str = "") -> bool:
        """Hand a compile of two ranks to the comparison; False where one of them has no such graph."""
        sides = [self._side(name, compile_id, what) for name in (rank, other)]
        if sides[0] is None or sides[1] is None:
            return False
        self._comparison.show(sides[0], sides[1])
        return True

    def _side(self, rank: str, compile_id: str, what: str) -> Side | None:
        source, root = self.source(rank), self._store.root
        if source is None or root is None:
            return None
        shown = rank == self.shown
        stage = stage_of(root if shown else source.capture, compile_id, what)
        return Side(root.id if shown else f"rank:{rank}", stage.id) if stage is not None else None

    def _show_compile(self, compile_id: str) -> None:
        shown = self._store.shown
        stage = stage_of(shown, compile_id, "") if shown is not None else None
        if stage is not None:
            self._to_show = ""
            self._show_stage(stage.id)

    def wait(self) -> None:
        """Block until nothing is read or compared; for when the session ends."""
        self._reading.wait()
        self._work.wait()


def stage_of(capture: Capture, compile_id: str, what: str) -> Stage | None:
    """The stage that shows a respect of a compile best: Dynamo's graph, or the one that the respect is about."""
    own = [stage for stage in capture.stages if stage.compile_id == compile_id]
    for kind in (*_OF_RESPECT.get(what, ()), *DYNAMO_GRAPHS):
        found = next((stage for stage in own if stage.kind is kind), None)
        if found is not None:
            return found
    return next((stage for stage in own if stage.graph is not None), None) or next(iter(own), None)


def _same(captures: tuple[Capture, ...], others: tuple[Capture, ...]) -> bool:
    return len(captures) == len(others) and all(map(lambda a, b: a is b, captures, others))
