"""Compiled files that are not whole any more: emptied, cut short by a full disk, or overwritten with something else."""

import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path

_HEADER = struct.Struct("<40xQ10xHH")
"""Of an ELF file of 64 bits: where its table of sections stands, how large a row is, how many there are."""
_ELF, _ELF_64_LITTLE, _HEADER_SIZE = b"\x7fELF", b"\x02\x01", 64
_SETTLED_S = 10
"""A file that was written more recently may be in the making, by another worker."""
_TEXTS = (".py", ".cpp", ".h")


def damaged_files(folder: Path) -> Iterator[Path]:
    """Libraries that are not whole, and sources that are empty, in a folder of caches and below."""
    settled = time.time() - _SETTLED_S
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            try:
                if path.lstat().st_mtime > settled:
                    continue
                if name.endswith(".so"):
                    damaged = not is_whole(path)
                else:
                    damaged = name.endswith(_TEXTS) and path.lstat().st_size == 0
            except OSError:
                continue
            if damaged:
                yield path


def is_whole(path: Path) -> bool:
    """Whether a library or a program has all that its header speaks of. Off Linux only that it is not empty. Raises OSError."""
    with path.open("rb") as stream:
        header = stream.read(_HEADER_SIZE)
        size = os.fstat(stream.fileno()).st_size
    if os.uname().sysname != "Linux":
        return size > 0
    if header[:4] != _ELF or len(header) < _HEADER_SIZE:
        return False
    if header[4:6] != _ELF_64_LITTLE:
        return True
    start, row, rows = _HEADER.unpack_from(header)
    return bool(start + row * rows <= size)
