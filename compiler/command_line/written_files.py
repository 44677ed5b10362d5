"""Files that an option names and a command writes at its end: refused before the work is done, which else were lost."""

import argparse
import os
from pathlib import Path, PosixPath

from compiler.analysis.session_file.whole_files import require_replaceable
from compiler.command_line.worker_client import CommandFailedError


class WrittenFile(PosixPath):
    """The type of such an option."""


class ReplacedFile(WrittenFile):
    """Of one whose file is written beside it and takes its place (a session, a page), or that gets others beside it."""


def require_written_files(arguments: argparse.Namespace) -> None:
    """Raises CommandFailedError for one that could not be written."""
    for value in vars(arguments).values():
        if isinstance(value, WrittenFile):
            require_place(value)


def require_place(path: WrittenFile) -> None:
    """A folder that may be written into, or a file or device that may be. Raises CommandFailedError."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise not_written(path, f"there is no folder {folder}")
    if path.is_dir():
        raise not_written(path, "it is a folder")
    replaced = isinstance(path, ReplacedFile)
    if replaced:
        try:
            require_replaceable(path)
        except OSError as error:
            raise not_written(path, error.strerror) from error
    if not os.access(folder if replaced or not path.exists() else path, os.W_OK):
        raise not_written(path, "that is not permitted")


def write_text(path: Path, text: str) -> None:
    """Raises CommandFailedError: what was permitted before the work need not be any more."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise not_written(path, error.strerror) from error


def not_written(path: Path, why: str | None) -> CommandFailedError:
    """The error for a file that cannot be written."""
    return CommandFailedError(f"{path} cannot be written: {why}.", "Choose another place.", path=str(path))
