"""What Dynamo did with each Python frame: captured, broke, resumed, skipped."""

import msgspec

from compiler.model.graph import SourceLine
from compiler.model.ids import Place, StageId


class GraphBreak(msgspec.Struct, frozen=True):
    """One place where Dynamo stopped capturing."""

    id: str
    frame: str
    """The compile id of the frame, ``"0/0"``; empty if the frame was never compiled."""
    kind: str
    """Torch's ``gb_type``, ``"Data-dependent branching"``."""
    reason: str
    """What torch said, whole."""
    registry_id: str = ""
    """``"GB0170"`` from torch's own registry, or empty."""
    explanation: str = ""
    context: str = ""
    hints: tuple[str, ...] = ()
    stack: tuple[SourceLine, ...] = ()
    """The user's stack, innermost last."""
    instruction: Place | None = None
    """The bytecode instruction it stopped at."""
    count: int = 1
    """How often the same cause was met on the same line."""
    skipped_frame: bool = False
    """The whole frame was given up and runs eagerly."""


class Frame(msgspec.Struct, frozen=True):
    """One compile of one Python frame."""

    id: str
    """Torch's compile id, ``"0/0"``, or ``"skipped-1"``."""
    name: str
    path: str
    line: int
    original: StageId = ""
    rewritten: StageId = ""
    graph: StageId = ""
    parent: str = ""
    """For a resume function: the frame whose break made it."""
    breaks: tuple[str, ...] = ()
    restarts: tuple[str, ...] = ()
    """Why Dynamo began this frame again, once for each further attempt."""
    recompile_reasons: tuple[str, ...] = ()
    guards: int = 0
    error: str = ""
    skip_reason: str = ""
    seconds: float | None = None
