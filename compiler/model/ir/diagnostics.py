"""Something that went wrong, in words for the person who can mend it."""

import enum
import re

import msgspec

from compiler.model.ir.ids import Place

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding of bytes raises that are not what they should be. Text in JSON that is no UTF-8 raises a UnicodeDecodeError, deep
nesting a RecursionError.
"""


class Severity(enum.Enum):
    """How bad."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Problem(msgspec.Struct, frozen=True):
    """What happened, where, and what to do about it."""

    what: str
    """One sentence."""
    remedy: str = ""
    """What to do. One sentence."""
    path: str = ""
    """File of the user's, or empty."""
    line: int | None = None
    severity: Severity = Severity.ERROR
    place: Place | None = None
    """The node it concerns."""
    detail: str = ""
    """Traceback or torch's whole message; shown on demand."""
    read_detail: bool = False
    """The remedy sends the person to `detail`: where nothing can be opened it has to be shown."""
    written: str = ""
    """What stood in `line` of the file when it happened, without its indentation; empty where nobody looked."""
    said: str = ""
    """What an error says by itself, where `what` begins with what was being done: beside a line is little room."""

    def message(self) -> str:
        """The problem as one paragraph: what, where, what to do."""
        where = self._where()
        what = f"{self.what.removesuffix('.')}{where}." if where else self.what
        return f"{what} {self.remedy}" if self.remedy else what

    def _where(self) -> str:
        """The file and line, as far as `what` does not name them."""
        line = str(self.line) if self.line else ""
        if not self.path:
            return ""
        if self.path in self.what:
            return f" (line {line})" if line and f"{self.path}:{line}" not in self.what else ""
        return f" ({self.path}:{line})" if line else f" ({self.path})"


class ProblemError(Exception):
    """`problem` says what cannot be done, why, and what to do about it."""

    def __init__(
        self,
        problem: Problem | str,
        remedy: str = "",
        path: str = "",
        place: Place | None = None,
        detail: str = "",
    ) -> None:
        """`problem`: where a sentence is given, it is what happened, and the rest is of the `Problem`, too."""
        if isinstance(problem, str):
            problem = Problem(problem, remedy, path, place=place, detail=detail)
        self.problem = self._worded(problem)
        super().__init__(self._text())

    def _worded(self, problem: Problem) -> Problem:
        """As it is said where this error is raised."""
        return problem

    def _text(self) -> str:
        """What the error itself says."""
        return self.problem.what


def without_undo(problem: Problem) -> Problem:
    """As it is said where edits are a list, at the command line and in Python: Undo is a command of the window, and no
    version before the edits runs there.
    """
    remedy = re.sub(r"; the version before it [^.;]+", "", problem.remedy)
    for words, instead in _OF_THE_WINDOW:
        remedy = re.sub(words, instead, remedy)
    return msgspec.structs.replace(problem, remedy=remedy) if remedy != problem.remedy else problem


_OF_THE_WINDOW = (
    (r"\bUndo it\b", "Leave it out"),
    (r"\bundo it\b", "leave it out"),
    (r"\bUndo\b", "Leave out"),
    (r"\bundo\b", "leave out"),
)
