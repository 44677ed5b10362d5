"""Text files that the person names."""

from pathlib import Path

from compiler.command_line.worker_client import CommandFailedError
from compiler.model.ir.diagnostics import Problem


def read_text(path: Path, remedy: str) -> str:
    """What is in a file. Raises CommandFailedError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problem = Problem(f"{path} cannot be read: {reason}.", remedy, path=str(path))
        raise CommandFailedError(problem) from error
