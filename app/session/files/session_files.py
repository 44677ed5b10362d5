"""Opening and saving session files, off the window's thread."""

import contextlib
import gc
import threading
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.concurrency.file_worker import BackgroundWork
from app.concurrency.idle_collection import IdleCollection, set_aside
from app.session.captures.capture_store import CaptureStore
from app.session.edit_history.edit_history import EditHistory
from app.session.files.log_reading import NoLogsError, is_log, read_logs
from app.translation.texts import tr
from compiler.analysis.queries.graph_view_state import GraphLooks
from compiler.analysis.session_file.session_file import (
    Journal,
    SessionData,
    SessionFileError,
    read_with_digest,
    write_session,
)
from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import Change
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.session_file.collection_pause import collection_paused
from compiler.model.session_file.reading_limits import ReadingStoppedError
from compiler.model.timing.timings import TimingReport

_QUIET_S = 0.3
"""A reading shorter than this is not announced."""


class SessionFiles(QObject):
    """Knows the file that is open; reads and writes it in the background."""

    opened = Signal(Path, object, str)
    """A path, its SessionData, and what its contents are recognised by."""
    saved = Signal(Path, int, object)
    """A path, the index of the undo stack that it holds, and the capture that is its root."""
    failed = Signal(object)
    """A problem: something could not be read or written, or only in part."""

    progress = Signal()
    """`reading` says something else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self._once: Path | None = None
        """What was opened and removed."""
        self._changes: tuple[Change, ...] = ()
        """Those that the file holds the program captured with."""
        self._work = BackgroundWork(self)
        self._collection = IdleCollection(self)
        self._stop = threading.Event()
        self.reading = ""
        """What is being read and how far it is, where that takes a while."""

    def open(self, path: Path, once: bool = False) -> None:
        """Read a file, or torch's logs; `opened` or `failed` follows. `once`: it is removed then, and what is open has no file."""
        self._once = path if once else None
        began, stop = time.monotonic(), threading.Event()
        self._stop = stop

        def watch(text: str) -> None:
            if stop.is_set():
                raise ReadingStoppedError
            if time.monotonic() - began > _QUIET_S:
                self.reading = tr("Reading {name}: {text}").format(name=path.name, text=text)
                self.progress.emit()

        def on_end() -> None:
            self.reading = ""
            self.progress.emit()

        def on_read(read: tuple[SessionData, str, int]) -> None:
            on_end()
            data, digest, made = read
            if data.captures:
                self.opened.emit(path, data, digest)
                self._collection.after(made)
            else:
                self.failed.emit(
                    Problem(
                        tr("{path} holds no capture.").format(path=path), tr("Save it again."), path=str(path)
                    )
                )

        def on_error(error: Exception) -> None:
            on_end()
            if isinstance(error, ReadingStoppedError):
                return
            if isinstance(error, OSError):
                reason = error.strerror or str(error)
                self.failed.emit(
                    Problem(
                        tr("{path} cannot be read: {reason}.").format(path=path, reason=reason),
                        tr("Check the name and the permissions."),
                        str(path),
                    )
                )
            else:
                self.failed.emit(Problem(str(error), path=str(path)))

        kinds = (OSError, SessionFileError, ReadingStoppedError, NoLogsError)
        self._work.run(lambda: _read(path, watch, once), on_read, on_error, kinds)

    def stop_reading(self) -> None:
        """Give up the file that is being read."""
        self._stop.set()

    def save(self, path: Path, data: SessionData, index: int | None, own: bool) -> None:
        """Write a file; `saved` or `failed` follows, of a copy (no `index`) only `failed`. `own`: its program may be run, so it is trusted when it is opened."""
        if not data.captures:
            what = tr("{name} is not written: no capture has ended yet.").format(name=path.name)
            self.failed.emit(Problem(what, tr("Save when it has."), str(path)))
            return

        def on_error(error: Exception) -> None:
            self.failed.emit(
                Problem(
                    tr("{path} was not saved: {error}.").format(path=path, error=error),
                    tr("Choose another folder or make room."),
                    str(path),
                )
            )

        def on_written(faults: tuple[str, ...]) -> None:
            for fault in faults:
                what = tr("A part of what was saved in {name} cannot be read again: {fault}.").format(
                    name=path.name, fault=fault
                )
                self.failed.emit(
                    Problem(
                        what, tr("The rest is whole. Please report it."), str(path), None, Severity.WARNING
                    )
                )
            if index is not None:
                self.saved.emit(path, index, data.captures[0])

        self._work.run(
            lambda: write_session(path, data, own), on_written, on_error, (OSError, SessionFileError)
        )

    def remember(self, path: Path, root: Capture) -> None:
        """Take a path as the file that is open; it holds this capture as its root. A log is never written to."""
        if path == self._once:
            return
        self.path, self._changes = (None if is_log(path) else path), root.spec.changes

    def forget(self) -> None:
        """What is open has no file."""
        self.path, self._changes = None, ()

    def lacks_changes(self, root: Capture | None) -> bool:
        """Whether the program was captured with changes that no file holds, or without some that the file has."""
        return root is not None and root.spec.changes != self._changes

    def wait(self) -> None:
        """Block until nothing is read or written."""
        self._work.wait()

    @staticmethod
    def data_of(
        store: CaptureStore, history: EditHistory, report: TimingReport | None, looks: GraphLooks
    ) -> SessionData:
        """Everything that is open, as a session file holds it."""
        edits = history.all_edits
        undone = len(edits) - len(history.edits)
        root = store.root
        journals = [Journal(root.id, edits, undone, history.tree)] if root else []
        journals += [Journal(capture.id, store.edits_of(capture)) for capture in store.all[1:]]
        return SessionData(store.all, tuple(journals), store.verdicts, (report,) if report else (), looks)


def _read(path: Path, watch: Callable[[str], None], once: bool) -> tuple[SessionData, str, int]:
    """The session, what its contents are recognised by, and how many objects were made."""
    try:
        with collection_paused():  # what is read has no cycles, and would be looked through again and again
            data, digest = read_logs(path, watch) if is_log(path) else read_with_digest(path, watch)
            made = gc.get_count()[0]
            set_aside(made)
            return data, digest, made
    finally:
        if once:
            remove_once(path)


def remove_once(path: Path) -> None:
    """Remove a file that was made to be opened once, and its folder if nothing else is in it."""
    with contextlib.suppress(OSError):
        path.unlink()
        path.parent.rmdir()
