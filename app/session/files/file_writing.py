"""Files written for other programs: in the background, with a word about what came of it."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject

from app.concurrency.file_worker import BackgroundWork
from app.translation.texts import tr
from compiler.model.ir.diagnostics import Problem, Severity

_Made = TypeVar("_Made")


class FileWriting(QObject):
    """What a file that cannot be written is reported as, whatever is written."""

    def __init__(self, report: Callable[[Problem], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self._work = BackgroundWork(self)

    def _write(
        self, path: Path, work: Callable[[], _Made], what: Callable[[_Made], str], remedy: str
    ) -> None:
        """Do the work and report what was written; its OSErrors become a problem."""

        def then(made: _Made) -> None:
            self._report(
                Problem(
                    tr("Written: {name}, {what}.").format(name=path.name, what=what(made)),
                    remedy,
                    severity=Severity.NOTE,
                )
            )

        def failed(error: Exception) -> None:
            reason = error.strerror if isinstance(error, OSError) else error
            self._report(
                Problem(
                    tr("{path} cannot be written: {reason}.").format(path=path, reason=reason),
                    tr("Choose another place."),
                    path=str(path),
                )
            )

        self._work.run(work, then, failed, (OSError,))

    def wait(self) -> None:
        """Block until everything is written and reported."""
        self._work.wait()
