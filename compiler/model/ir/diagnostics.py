"""Something that went wrong, in words for the person who can mend it."""

import enum

import msgspec

from compiler.model.ir.ids import Place


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

    def message(self) -> str:
        """The problem as one paragraph: what, where, what to do."""
        where = (
            f" ({self.path}:{self.line})"
            if self.path and self.line
            else f" ({self.path})"
            if self.path
            else ""
        )
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{self.what}{where}{remedy}"
