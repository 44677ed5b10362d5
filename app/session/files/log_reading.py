"""A log of torch's as a session that no file holds yet. Nothing of it is run."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from app.translation.texts import tr
from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.torch_logs.opening import NoLogsError, log_files, read_log
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity

__all__ = ("NoLogsError", "is_log", "read_logs")


def is_log(path: Path) -> bool:
    """Whether a path is read as a log, or as a folder of logs."""
    return path.name.endswith((".log", ".log.gz")) or path.is_dir()


def read_logs(path: Path, watch: Callable[[str], None]) -> tuple[SessionData, str]:
    """The first log in which something was compiled; `watch` is told how far it is, and may raise to stop. Raises
    NoLogsError, OSError.
    """
    files = log_files(path)
    capture: Capture | None = None
    for file in files:
        capture = read_log(file, lambda text, part: watch(f"{text}, {part:.0%}"))
        if capture.frames:
            break
    assert capture is not None
    if len(files) > 1:
        what = tr("{name} holds {count} logs; the one that is shown is {shown}.").format(
            name=path.name, count=len(files), shown=Path(capture.spec.target.name).name
        )
        remedy = tr(
            "The Ranks pane compares them; loupe open {path} -o FILE.loupe writes a session for each."
        ).format(path=path)
        note = Problem(what, remedy, severity=Severity.NOTE)
        capture = msgspec.structs.replace(capture, problems=(note, *capture.problems))
    return SessionData((capture,)), ""
