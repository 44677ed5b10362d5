"""The session files whose programs this person trusts, by their contents: those written here, and those agreed to.

One line a file in a folder of the person's own. A list that somebody else could have written counts for nothing.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from compiler.processes.ownership import only_ours

_MOST = 20_000
_LENGTH = 64
"""Of a SHA-256 in hexadecimal."""


def data_folder() -> Path:
    """Where what belongs to the person is kept."""
    root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(root) / "torch-loupe"


def is_trusted(digest: str) -> bool:
    """Whether a file with these contents was written here, or agreed to."""
    return len(digest) == _LENGTH and digest in _known()


def remember(digest: str) -> None:
    """Trust files with these contents from now on. Where that cannot be kept, the person is asked again next time."""
    if len(digest) != _LENGTH or is_trusted(digest):
        return
    known = [*_known(), digest][-_MOST:]
    with contextlib.suppress(OSError):
        folder = data_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = folder / f".trusted-files.{os.getpid()}"
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "w") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write("\n".join((*known, "")))
        partial.replace(folder / "trusted-files")


def _known() -> tuple[str, ...]:
    try:
        return tuple(_lines())
    except (OSError, UnicodeDecodeError):
        return ()


def _lines() -> Iterator[str]:
    folder = data_folder()
    handle = os.open(folder / "trusted-files", os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(handle) as stream:
        if not only_ours(os.fstat(stream.fileno())) or not only_ours(folder.stat()):
            return
        yield from stream.read().split()
