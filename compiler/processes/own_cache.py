"""Where what torch compiles is kept: a folder that only its user can enter. What lies there is loaded into processes of ours,
so a folder that others can write is not used.
"""

import os
import stat
import sys
import tempfile
from pathlib import Path

HEADERS = "LOUPE_HEADERS"
"""Names the folder of precompiled headers, also for the processes that a worker starts."""


def use_own_caches(scratch: str | None) -> None:
    """Let torch keep its caches in a folder of ours, unless a person has chosen another. Before torch is imported."""
    usual = Path(os.environ.get("LOUPE_CACHE_DIR") or Path.home() / ".cache" / "torch-loupe")
    try:
        folder = private(usual)
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="cache-", dir=scratch))
        sys.stderr.write(f"loupe: kernels are not kept for the next time: {error}\n")
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))
    os.environ.setdefault("TRITON_CACHE_DIR", str(folder / "triton"))
    os.environ[HEADERS] = str(folder / "precompiled_headers")


def private(folder: Path) -> Path:
    """The folder, made if it is not there. Raises OSError where it is somebody else's, or others may write into it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is not a folder of this user.")
    if found.st_mode & 0o022:
        raise PermissionError(f"others may write into {folder}: look what is in it, and run chmod 700 on it.")
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return folder
