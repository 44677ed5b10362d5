"""The files of one run: which ranks stand beside a session file or a log, and whose each is."""

import re
from collections.abc import Iterable
from pathlib import Path

from compiler.analysis.session_file.session_file import read_session
from compiler.analysis.torch_logs.opening import is_log, log_files, read_log
from compiler.model.capture.capture import Capture

_RANKED = re.compile(r"\.rank(\d{1,9})$")
_SESSION = ".loupe"


def rank_of(capture: Capture, path: Path | None = None) -> str:
    """As the run or the log said it, else as the file is named; else empty."""
    reported = (
        capture.run.rank if capture.run is not None else capture.log.rank if capture.log is not None else ""
    )
    named = _RANKED.search(path.stem) if path is not None else None
    return reported or (named[1] if named is not None else "")


def siblings(path: Path) -> tuple[Path, ...]:
    """The files that the same run wrote for its ranks, the given one among them, by rank. One alone: no others are there."""
    if not path.name.endswith(_SESSION):
        logs = log_files(path.parent) if is_log(path) and path.parent.is_dir() else ()
        return logs if path in logs else (path,)
    stem = _RANKED.sub("", path.stem)
    base = path.with_name(f"{stem}{_SESSION}")
    ranked = [
        (int(found[1]), other)
        for other in (path.parent.iterdir() if path.parent.is_dir() else ())
        if other.suffix == _SESSION
        and (found := _RANKED.search(other.stem)) is not None
        and _RANKED.sub("", other.stem) == stem
    ]
    if not ranked:
        return (path,)
    first = (base,) if base.exists() else ()
    return (*first, *(other for _, other in sorted(ranked)))


def files_of(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Files and folders as a person names them: of a folder its logs, or else its session files. Raises NoLogsError, OSError."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            sessions = sorted(other for other in path.iterdir() if other.suffix == _SESSION)
            found.update(dict.fromkeys(log_files(path) if is_log(path) or not sessions else sessions))
        else:
            found[path] = None
    return tuple(found)


def read_rank(path: Path) -> Capture | None:
    """What a file holds first: what was compiled, before any edit. None of a session file without a capture.

    Raises OSError, SessionFileError.
    """
    if not path.name.endswith(_SESSION):
        return read_log(path)
    captures = read_session(path).captures
    return captures[0] if captures else None
