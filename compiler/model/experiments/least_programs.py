"""The least program that is wrong in the way a larger one is."""

import msgspec

from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import CauseFound
from compiler.model.ir.ids import CaptureId


class ShrinkProgram(msgspec.Struct, frozen=True, tag="shrink_program"):
    """Make the graph of a cause smaller while it stays wrong, with these edits. Replies with `LeastProgram`."""

    capture: CaptureId
    found: CauseFound
    edits: tuple[Edit, ...] = ()


class LeastProgram(msgspec.Struct, frozen=True, tag="least_program"):
    """One file that needs torch alone."""

    text: str
    before: int
    """Operations of the graph it comes from, or statements of the file."""
    after: int
    trials: int
    hidden: str = ""
    """The same file with nothing in it that you wrote: names, and inputs, which are drawn; empty where that cannot be."""
    why_not_hidden: str = ""
    off: float | None = None
    """How far it is off, over the largest value."""
    seconds: float = 0.0
    unit: str = "operation"
    """What is counted: ``operation`` or ``statement``."""
    shows: str = ""
    """What a fresh process did with it, where that is known already."""
