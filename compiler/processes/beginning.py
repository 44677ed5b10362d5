"""How this process was started, before a program changed anything: processes that it starts begin so too."""

import os
from pathlib import Path

_environment: dict[str, str] | None = None
_folder: Path | None = None


def note() -> None:
    """Remember it. Call before anything of a user's runs."""
    global _environment, _folder
    _environment, _folder = dict(os.environ), Path.cwd()


def environment() -> dict[str, str]:
    """A copy of what was noted; the environment now where nothing was."""
    return dict(os.environ if _environment is None else _environment)


def folder() -> Path:
    """The working folder that was noted, as far as it is still there; else the one now."""
    return _folder if _folder is not None and _folder.is_dir() else Path.cwd()
