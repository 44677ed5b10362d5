"""Files that an option names and a command writes at its end: refused before the work is done, which else were lost."""

import argparse
import os
from pathlib import Path, PosixPath

from compiler.command_line.worker_client import CommandFailedError
from compiler.model.ir.diagnostics import Problem


class WrittenFile(PosixPath):
    """The type of such an option."""


def require_written_files(arguments: argparse.Namespace) -> None:
    """Raises CommandFailedError for one that could not be written."""
    for value in vars(arguments).values():
        if isinstance(value, WrittenFile):
            require_place(value)


def require_place(path: Path) -> None:
    """A folder that may be written into, or a file or device that may be. Raises CommandFailedError."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise not_written(path, f"there is no folder {folder}")
    if path.is_dir():
        raise not_written(path, "it is a folder")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise not_written(path, "that is not permitted")


def not_written(path: Path, why: str | None) -> CommandFailedError:
    """The error for a file that cannot be written."""
    return CommandFailedError(
        Problem(f"{path} cannot be written: {why}.", "Choose another place.", path=str(path))
    )
