"""A folder for a client's sockets and scratch files, which only its user can enter. A lock that the kernel lets go of tells
whether its owner still lives, so that what a crash left can be removed and nothing else.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path

from compiler.processes.first_environment import first_environment
from compiler.processes.ownership import closed_to_others, keeps_names
from compiler.processes.started import MARK

_PREFIX = "loupe-"
_LOCK = "owner.lock"
_LONGEST = 60
"""Longer, and the path of a socket in it may be too long."""


class PrivateFolder:
    """Made new, and ours until it is removed or this process ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_place()))
        fresh = self.path / "new.lock"
        self._lock = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        fresh.rename(self.path / _LOCK)  # seen by others only when it is locked

    def remove(self) -> None:
        """Remove it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def sweep() -> None:
    """Remove the folders that clients of this user left when they were killed."""
    for folder in _place().glob(f"{_PREFIX}*"):
        remove_if_abandoned(folder)


def remove_if_abandoned(folder: Path) -> None:
    """Remove a folder of ours whose owner is gone; leave it where anything about it is not as we make it."""
    try:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or not closed_to_others(found):
            return
        if not folder.name.startswith(_PREFIX):
            return
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    else:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def scratch_place() -> str | None:
    """Where a worker and its children put temporary folders: in their client's, which is removed whatever happens to them; a
    sandbox below it has a place there that alone it may write to. None, which is Python's own choice, where there is no client.
    """
    folder = Path(first_environment().get(MARK, "")).parent
    if not folder.name.startswith(_PREFIX) or not folder.is_dir():
        return None
    usual = Path(tempfile.gettempdir())
    return str(usual if usual.is_relative_to(folder) else folder)


def _place() -> Path:
    """Not every folder that ``TMPDIR`` names: where others may rename ours, a worker would connect to a socket of theirs."""
    usual = Path(tempfile.gettempdir())
    fits = len(str(usual)) <= _LONGEST and keeps_names(usual.stat())
    return usual if fits else Path("/tmp")
