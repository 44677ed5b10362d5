"""What a command may have executed: a program that the person named, or that of a file that is trusted."""

import contextlib
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from compiler.analysis.session_file.session_data import Journal, SessionData
from compiler.analysis.session_file.trusted_files import is_trusted, remember
from compiler.analysis.session_file.what_runs import Part, needs_agreement, what_runs
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.counted import counted
from compiler.model.edits.edits import Edit, is_code, single_edits
from compiler.model.protocol.messages import RequestBody

_WIDTH = 110
_BAR = "  │ "
_MOST_LINES = 20
"""Of one part, where nobody can be asked; a person sees all of it."""


class NotTrustedError(Exception):
    """Something of a file would have been executed that nobody agreed to."""


class TrustGate:
    """One command's. Every session file, recipe and log that it reads is noted here; a worker is asked nothing that executes
    code while one of them is neither trusted nor agreed to.
    """

    def __init__(self, trust: bool = False) -> None:
        self._trust = trust
        self._strangers: list[tuple[Path, SessionData, str]] = []

    @property
    def open(self) -> bool:
        """Whether everything that was read is trusted, so that what is written of it is too."""
        return self._trust or not self._strangers

    def note_file(self, path: Path, data: SessionData, digest: str) -> None:
        """A session file was read."""
        if not is_trusted(digest):
            self._strangers.append((path, data, digest))

    def note_edits(self, path: Path, edits: Iterable[Edit], digest: str) -> None:
        """A list of edits was read. Those of graphs are data; those that are text of kernels or of a wrapper are executed."""
        code = tuple(edit for edit in single_edits(edits) if is_code(edit))
        if code:
            self.note_file(path, SessionData((), (Journal("", code),)), digest)

    def note_log(self, path: Path) -> None:
        """A log was read: whoever wrote it, what is made of it is not what ran here."""
        self.note_file(path, SessionData(()), "")

    def check(self, request: RequestBody) -> None:
        """Ask, where somebody can be asked, whether this may be sent. Raises NotTrustedError."""
        if not needs_agreement(not self.open, request):
            return
        names = ", ".join(visible_line(str(path)) for path, _, _ in self._strangers)
        parts = [part for _, data, _ in self._strangers for part in what_runs(data, request)]
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise NotTrustedError(
                f"{names} was not written by Torch Loupe on this computer, and this command would execute what it holds:\n\n"
                f"{_text(parts, _MOST_LINES)}\n\nGive --trust if you trust where the file comes from."
            )
        # the program itself comes last, where it is still on the screen
        sys.stderr.write(
            f"{names} was not written by Torch Loupe on this computer. This would be executed:\n\n{_text(parts[::-1])}\n\n"
        )
        sys.stderr.write("Execute it? Only agree if you trust where the file comes from. [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise NotTrustedError(f"nothing of {names} was executed.")
        for _, _, digest in self._strangers:
            remember(digest)
        self._strangers.clear()


def _text(parts: Iterable[Part], most: int = sys.maxsize) -> str:
    """Titles at the margin, what is the file's behind a bar: it cannot pass itself off as ours."""
    blocks = []
    width = max(min(_columns() - len(_BAR) - 1, _WIDTH), 10)
    for part in parts:
        lines = [row for line in part.text.split("\n") for row in _rows(line.expandtabs(4), width)]
        more = [f"({counted(len(lines) - most, 'more line')})"] if len(lines) > most else []
        blocks.append("\n".join([f"{part.title}:", *(f"{_BAR}{line}" for line in lines[:most]), *more]))
    return "\n".join(blocks)


def _columns() -> int:
    """Of the terminal that the question is put on."""
    with contextlib.suppress(OSError):
        if columns := os.get_terminal_size(2).columns:
            return columns
    return shutil.get_terminal_size((_WIDTH, 24)).columns


def _rows(line: str, columns: int) -> Iterator[str]:
    """All of a line, none of it wider than that: where a terminal breaks it, the rest stands at the margin as ours does."""
    start = width = 0
    for at, char in enumerate(line):
        wide = 2 if unicodedata.east_asian_width(char) in "WFA" else 1
        if width + wide > columns:
            yield line[start:at]
            start, width = at, 0
        width += wide
    yield line[start:]
