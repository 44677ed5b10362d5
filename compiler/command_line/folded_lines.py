"""A stream that reports a line once, however often a program prints it."""

import io
import re
import threading
from typing import TextIO

_NUMBER = re.compile(r"\d+")
_OURS = "loupe: "


class FoldedLines(io.TextIOBase):
    """Passes the first of each line on at once, and `finish` says how many like it came: lines that differ in their numbers
    only are alike. What we say ourselves is never folded. Several threads may write.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begun = ""
        self._times: dict[str, int] = {}
        self._first: dict[str, str] = {}
        self._guard = threading.Lock()

    def write(self, text: str) -> int:
        with self._guard:
            *lines, self._begun = (self._begun + text).split("\n")
            for line in lines:
                self._print_or_fold(line)
        return len(text)

    def flush(self) -> None:
        """What is begun is shown when it is a question, which ends without a new line."""
        with self._guard:
            if self._begun.endswith("] "):
                self._stream.write(self._begun)
                self._begun = ""
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def finish(self) -> None:
        """Tell what came more than once, and how often."""
        with self._guard:
            if self._begun:
                self._print_or_fold(self._begun)
                self._begun = ""
            for key, times in self._times.items():
                if times > 1 and key.strip():
                    alike = "" if _NUMBER.search(self._first[key]) is None else ", with other numbers too"
                    self._stream.write(f"  printed {times} times{alike}: {self._first[key].strip()}\n")
            self._times.clear()
            self._stream.flush()

    def _print_or_fold(self, line: str) -> None:
        key = _NUMBER.sub("0", line)
        self._times[key] = self._times.get(key, 0) + (not line.startswith(_OURS))
        if self._times[key] <= 1:
            self._first[key] = line
            self._stream.write(line + "\n")
