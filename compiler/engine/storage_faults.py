"""That a compilation failed since its caches could not be written: a full disk, or a folder that takes no files. torch's own
message says neither where nor what to do.
"""

import errno
import os
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

from compiler.engine.error_chain import chain
from compiler.engine.file_ownership import is_mine
from compiler.model.ir.diagnostics import Problem

_FULL = (errno.ENOSPC, errno.EDQUOT)
_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_SAID = {"No space left on device": _FULL, "Disk quota exceeded": _FULL, "Read-only file system": _CLOSED}
"""As compilers say it."""
_CACHES = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "LOUPE_HEADERS")
_LEAST_FREE = 1 << 20
_REMEDY = "Make room there, or name a folder elsewhere by LOUPE_CACHE_DIR, and capture again."


def storage_problem(error: BaseException) -> Problem | None:
    """The problem where a cache of torch's could not be written; None for every other error, the program's own among them."""
    for found in chain(error):
        kinds = _kinds(found)
        stack = traceback.extract_tb(found.__traceback__)
        if not kinds or (stack and is_mine(stack[-1].filename)):
            continue
        detail = "".join(traceback.format_exception(error))
        named = str(found.filename) if isinstance(found, OSError) and found.filename else ""
        for folder in _folders():
            if named and not named.startswith(f"{folder}{os.sep}"):
                continue
            if kinds is _FULL and _free(folder) < _LEAST_FREE:
                what = f"The disk is full that holds torch's caches: {folder}."
                return Problem(what, _REMEDY, detail=detail)
            if kinds is _CLOSED and not os.access(folder, os.W_OK):
                what = f"The folder of torch's caches cannot be written: {folder}."
                return Problem(what, _REMEDY.replace("Make room there", "Make it writable"), detail=detail)
    return None


def _kinds(error: BaseException) -> tuple[int, ...]:
    if isinstance(error, OSError):
        return next((kinds for kinds in (_FULL, _CLOSED) if error.errno in kinds), ())
    if type(error).__module__.startswith("torch."):
        text = str(error)
        return next((kinds for words, kinds in _SAID.items() if words in text), ())
    return ()


def _folders() -> Iterator[Path]:
    """Of caches, as near as there is one, and of temporary files."""
    for name in (*(os.environ.get(cache, "") for cache in _CACHES), tempfile.gettempdir()):
        if name:
            folder = Path(name)
            yield next((place for place in (folder, *folder.parents) if place.exists()), folder)


def _free(folder: Path) -> int:
    try:
        room = os.statvfs(folder)
    except OSError:
        return 0
    return min(room.f_bavail * room.f_frsize, room.f_favail * room.f_frsize if room.f_files else 1 << 62)
