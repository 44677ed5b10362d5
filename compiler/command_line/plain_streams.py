"""What a command prints holds names and texts out of files and programs. A terminal would obey some of them (another title, the
clipboard, lines that pass themselves off as ours), so these are written out, as in the window.
"""

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from compiler.analysis.text_format.visible_text import visible


class AsItIs(str):
    """Text that is passed on unchanged: our own, or what the person's program prints."""

    __slots__ = ()


class _PlainStream(io.TextIOWrapper):
    def write(self, text: str, /) -> int:
        super().write(text if isinstance(text, AsItIs) else visible(text))
        return len(text)


@contextmanager
def plain_streams() -> Iterator[None]:
    """Standard output and error meanwhile. A file gets the very text: somebody may edit it and give it back to us."""
    before = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    made = {name: _plain(stream) for name, stream in before.items() if _may_be_obeyed(stream)}
    for name, stream in made.items():
        setattr(sys, name, stream)
    try:
        yield
    finally:
        for name, stream in made.items():
            setattr(sys, name, before[name])
            stream.detach()  # or it would close what is below it


def _plain(stream: io.TextIOWrapper) -> _PlainStream:
    stream.flush()
    return _PlainStream(stream.buffer, stream.encoding, stream.errors, line_buffering=stream.line_buffering)


def _may_be_obeyed(stream: object) -> bool:
    """Whether it leads to a terminal, as pipes often do (``| head``)."""
    if not isinstance(stream, io.TextIOWrapper):
        return False
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False
