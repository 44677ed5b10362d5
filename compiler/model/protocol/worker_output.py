"""What the worker prints, as text for people."""

import codecs

from compiler.model.protocol.crash_report import STACK_BEGIN, STACK_END

LONGEST_LINE = 1 << 16
"""One that is longer, or has no end, comes in pieces."""
_LONGEST_TAIL = 200_000
_OF_STACK = ("  ", "Stack (", "Thread ", "Current thread", "Extension modules: ", "\n")
"""How the lines of a stack begin. A program that prints our mark itself hides nothing else by it."""


class WorkerOutput:
    """Decodes bytes as they come, hides stacks meant for us, and remembers the last of everything."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._partial = ""
        self._in_stack = False
        self.tail = ""
        """The end of all that was printed, stacks included."""

    def feed(self, data: bytes) -> str:
        """The text to show of what arrived."""
        text = self._decoder.decode(data)
        self.tail = (self.tail + text)[-_LONGEST_TAIL:]
        lines = (self._partial + text).splitlines(keepends=True)
        self._partial = ""
        shown = []
        for line in lines:
            if not line.endswith("\n") and self._may_be_marker(line):
                self._partial = line
                continue
            self._in_stack = self._in_stack and line.startswith((*_OF_STACK, STACK_END))
            if line.strip() == STACK_BEGIN:
                self._in_stack = True
            elif not self._in_stack:
                shown.append(line)
            elif line.strip() == STACK_END:
                self._in_stack = False
        return "".join(shown)

    def rest(self) -> str:
        """What still waits, once nothing more comes."""
        waiting, self._partial = self._partial + self._decoder.decode(b"", final=True), ""
        return "" if self._in_stack else waiting

    def _may_be_marker(self, line: str) -> bool:
        """Whether an unfinished line must wait, since it may turn out to be one of ours."""
        if len(line) > LONGEST_LINE:
            return False
        return self._in_stack or STACK_BEGIN.startswith(line) or line.strip() == STACK_BEGIN
