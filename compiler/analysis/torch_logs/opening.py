"""Which files a person means by a folder or a file of logs, and each of them as a capture, one after the other."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from compiler.analysis.torch_logs.capture_of_log import LogCapture
from compiler.analysis.torch_logs.records.log_lines import LogReader, open_log
from compiler.analysis.torch_logs.records.process_log import ProcessLog
from compiler.model.capture.capture import Capture

_RANK = re.compile(r"(?:^|_)rank_(\d{1,9})(?=[_.])")
"""As torch names its files; records from before the process group was made name no rank."""
_ENDINGS = (".log", ".log.gz")
Report = Callable[[str, float], None]
"""What is read, and how far: 0 to 1."""


class NoLogsError(Exception):
    """There is no log at that place. The message says what to do."""


def is_log(path: Path) -> bool:
    """Whether a name is that of a log, or a folder that holds logs."""
    return path.name.endswith(_ENDINGS) if not path.is_dir() else bool(_inside(path))


def log_files(path: Path) -> tuple[Path, ...]:
    """The logs at a place, in the order of their names, so that rank 2 stands before rank 10. Raises NoLogsError, OSError."""
    if not path.is_dir():
        if not path.exists():
            raise NoLogsError(f"There is no file or folder {path}.")
        return (path,)
    found = _inside(path)
    if not found:
        raise NoLogsError(f"{path} holds no .log or .log.gz; give the folder that TORCH_TRACE named.")
    return found


def _inside(path: Path) -> tuple[Path, ...]:
    files = (row for row in path.iterdir() if row.name.endswith(_ENDINGS) and row.is_file())
    return tuple(sorted(files, key=lambda row: _numbered(row.name)))


def _numbered(name: str) -> list[tuple[int, int, str]]:
    parts: list[tuple[int, int, str]] = []
    word = ""
    for letter in f"{name} ":
        if word and letter.isdigit() != word[0].isdigit():
            parts.append((0, int(word[:18]), "") if word.isascii() and word.isdigit() else (1, 0, word))
            word = ""
        word += letter
    return parts


def read_log(path: Path, report: Report = lambda _, __: None) -> Capture:
    """One log as a capture; `report` may raise to stop. Raises OSError."""
    stream, disk = open_log(path)
    size = max(path.stat().st_size, 1)
    with stream, disk:
        log = ProcessLog(LogReader(stream)).read(
            lambda: report(f"Reading {path.name}", min(disk.tell() / size, 1.0))
        )
    report(f"Reading the graphs of {path.name}", 1.0)
    named = _RANK.search(path.name)
    rank = named[1] if named is not None else "" if log.rank is None else str(log.rank)
    return LogCapture(log, str(path), rank).made()


def captures(path: Path, report: Report = lambda _, __: None) -> Iterator[tuple[Path, Capture]]:
    """Every log at a place as a capture, one at a time. Raises NoLogsError, OSError."""
    for file in log_files(path):
        yield file, read_log(file, report)
