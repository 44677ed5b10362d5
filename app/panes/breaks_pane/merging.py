"""Graph breaks of the same cause on the same line, told once with a count."""

from dataclasses import dataclass

from compiler.model.capture import Capture
from compiler.model.frames import GraphBreak
from compiler.model.graph import SourceLine
from compiler.model.ids import NOWHERE, Place, line_id, place
from compiler.model.stage import SourceStage


@dataclass(frozen=True)
class MergedBreak:
    """One cause on one line."""

    first: GraphBreak
    count: int
    frames: tuple[str, ...]
    places: tuple[Place, ...]
    """The instruction of each, where torch told it."""

    @property
    def spot(self) -> SourceLine | None:
        """The user's line."""
        return self.first.stack[-1] if self.first.stack else None

    @property
    def where(self) -> str:
        """``model.py:14``, or empty."""
        return f"{self.spot.path.rpartition('/')[2]}:{self.spot.line}" if self.spot else ""


def merged_breaks(capture: Capture) -> list[MergedBreak]:
    """The breaks of a capture in the order they were met, same causes together."""
    groups: dict[tuple[object, ...], list[GraphBreak]] = {}
    for item in capture.breaks:
        at = (item.stack[-1].path, item.stack[-1].line) if item.stack else ()
        groups.setdefault((item.kind, item.reason, *at), []).append(item)
    return [
        MergedBreak(
            items[0],
            sum(item.count for item in items),
            tuple(dict.fromkeys(item.frame for item in items if item.frame)),
            tuple(item.instruction for item in items if item.instruction is not None),
        )
        for items in groups.values()
    ]


def line_place(capture: Capture, spot: SourceLine) -> Place:
    """A source line as a place; `NOWHERE` for files that were not captured."""
    for stage in capture.stages:
        if isinstance(stage.content, SourceStage) and stage.content.file.path == spot.path:
            return place(stage.id, line_id(spot.line))
    return NOWHERE


def break_place(capture: Capture, item: MergedBreak) -> Place:
    """Where a break is: its instruction, else its source line."""
    if item.places:
        return item.places[0]
    return line_place(capture, item.spot) if item.spot is not None else NOWHERE
