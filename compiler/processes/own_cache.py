"""Where what torch compiles is kept: a folder that only its user can enter. What lies there is loaded into processes of ours,
so a folder that others can write is not used.
"""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from pathlib import Path

from compiler.processes.damaged_files import damaged_files
from compiler.processes.ownership import closed_to_others, is_mine, only_ours

HEADERS = "LOUPE_HEADERS"
"""Names the folder of precompiled headers, also for the processes that a worker starts."""

_LEAST_FREE = 4 << 20
"""Bytes below which nothing can be compiled there."""
_HEADERS_KEPT, _HEADER_DAYS = 12, 30
"""Precompiled headers (150 MB each: one for each torch, compiler and set of options) stay so many, and so long unused."""
_UNFINISHED_S = 3600.0
"""No header is that long in the making."""


def use_own_caches(scratch: str | None) -> None:
    """Let torch keep its caches in a folder of ours, unless a person has chosen another. Before torch is imported."""
    try:
        folder = _writable(cache_folder())
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="cache-", dir=scratch))
        sys.stderr.write(f"loupe: kernels are not kept for the next time: {error}\n")
    else:
        _clear_damaged(folder)
        clear_old_headers(folder / "precompiled_headers")
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))
    os.environ.setdefault("TRITON_CACHE_DIR", str(folder / "triton"))
    os.environ[HEADERS] = str(folder / "precompiled_headers")


def _clear_damaged(folder: Path) -> None:
    """Remove what a full disk or a crash left in part: torch would load it, fail each time, and never build it again."""
    damaged = [path for name in ("inductor", "triton") for path in damaged_files(folder / name)]
    for path in damaged:
        with contextlib.suppress(OSError):
            path.unlink()
    if damaged:
        sys.stderr.write(f"loupe: cache damaged, cleared: {len(damaged)} files in {folder} were not whole\n")


def clear_old_headers(folder: Path) -> None:
    """Remove precompiled headers that nothing used lately, and what a worker that was killed left of one. Torch makes a header
    again when it is wanted; until then the small file beside it, which stays, is included in its place.
    """
    now = time.time()
    with contextlib.suppress(OSError):
        used: list[tuple[float, Path]] = []
        for path in folder.iterdir():
            found = path.lstat()
            if path.name.endswith(".gch"):
                used.append((max(found.st_atime, found.st_mtime), path))
            elif path.name.endswith(".unfinished") and now - found.st_mtime > _UNFINISHED_S:
                shutil.rmtree(path, ignore_errors=True)
        used.sort(reverse=True)
        for number, (moment, path) in enumerate(used):
            if number >= _HEADERS_KEPT or now - moment > _HEADER_DAYS * 86400:
                path.unlink()


def _writable(folder: Path) -> Path:
    """The folder again. Raises OSError where nothing can be written into it."""
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} cannot be written.")
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize < _LEAST_FREE:
        raise OSError(f"the disk of {folder} is full.")
    return folder


def cache_folder() -> Path:
    """Our folder of what is kept for the next time. Raises OSError where there is none that is only ours."""
    named = os.environ.get("LOUPE_CACHE_DIR")
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return private(Path(named) if named else Path(root) / "torch-loupe")


def kept_file(name: str) -> Path | None:
    """The file of that name in it, if it is there and only ours: nobody else can have put into it what we run or read."""
    try:
        path = cache_folder() / name
        found = path.lstat()
    except OSError:
        return None
    return path if stat.S_ISREG(found.st_mode) and only_ours(found) and found.st_size else None


def private(folder: Path) -> Path:
    """The folder, made if it is not there. Raises OSError where it is somebody else's, or others may write into it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or not is_mine(found):
        raise PermissionError(f"{folder} is not a folder of this user.")
    if not only_ours(found):
        raise PermissionError(f"others may write into {folder}: look what is in it, and run chmod 700 on it.")
    if not closed_to_others(found):
        folder.chmod(0o700)
    return folder
