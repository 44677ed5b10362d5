"""What is written beside a file takes its place in one step: never the place of what is no file."""

import errno
from pathlib import Path


def require_replaceable(path: Path) -> None:
    """Raises OSError for a folder, and for a device or pipe such as /dev/null, which would be gone for everybody."""
    if path.is_dir():
        raise OSError(errno.EISDIR, "it is a folder", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file but a device, pipe or socket", str(path))
