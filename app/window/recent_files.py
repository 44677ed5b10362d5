"""The programs and session files opened last."""

from pathlib import Path

from PySide6.QtCore import QSettings

from compiler.model.front_ends import SAVED

_KEY = "recent"
_MOST = 8


def recent() -> tuple[str, ...]:
    """Paths of session files, and ``file.py:Name`` of programs, newest first; files that are gone are left out."""
    saved = QSettings().value(_KEY, [])
    names = [saved] if isinstance(saved, str) else list(saved) if isinstance(saved, list) else []
    return tuple(name for name in names if isinstance(name, str) and _is_there(name))


def remember(name: str) -> None:
    """Put a name in front."""
    names = [name, *(other for other in recent() if other != name)]
    QSettings().setValue(_KEY, names[:_MOST])


def is_session_file(name: str) -> bool:
    """Whether a name is a session file's rather than a program's."""
    return name.endswith(".loupe")


def is_file_to_open(name: str) -> bool:
    """Whether a name is that of a file that is opened by itself: a session, or what torch.export saved."""
    return name.endswith((".loupe", SAVED))


def _is_there(name: str) -> bool:
    if is_file_to_open(name):
        return Path(name).is_file()
    file = name.rpartition(":")[0]
    return not file.endswith(".py") or Path(file).is_file()
