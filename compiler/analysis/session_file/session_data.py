"""What a session file holds, and what it says of itself."""

import msgspec

from compiler.analysis.edits.history_tree import EditTree
from compiler.analysis.queries.graph_view_state import GraphLooks
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId, StageId
from compiler.model.timing.timings import TimingReport
from compiler.model.timing.verdicts import Verdict

FORMAT = "torch-loupe session"
VERSION = 1
LOOKS = "looks.json"


class Journal(msgspec.Struct, frozen=True):
    """Edits of one capture in the order they were made; the last `undone` of them are undone."""

    capture: CaptureId
    edits: tuple[Edit, ...] = ()
    undone: int = 0
    tree: EditTree | None = None
    """Every state there was, where there are branches or names; `edits` is the way to its tip."""

    @property
    def applied(self) -> tuple[Edit, ...]:
        """The active edits."""
        return self.edits[: len(self.edits) - self.undone]


class SessionData(msgspec.Struct, frozen=True):
    """Everything a session file holds. The first capture is the one loaded; the rest are recompiles of it."""

    captures: tuple[Capture, ...]
    journals: tuple[Journal, ...] = ()
    verdicts: tuple[tuple[CaptureId, Verdict], ...] = ()
    timings: tuple[TimingReport, ...] = ()
    looks: GraphLooks | None = None
    """How the graphs were looked at; None where nobody noted it."""
    left_out: tuple[str, ...] = ()
    """What of the file could not be read, in words. Never written."""


class Manifest(msgspec.Struct, frozen=True):
    """What a session file says of itself."""

    format: str
    version: int
    captures: int
    stages: tuple[int, ...]
    """How many each capture has."""
    stage_ids: tuple[tuple[StageId, ...], ...] = ()
    """Which, so that one that can't be read is named. Older files do not say."""
