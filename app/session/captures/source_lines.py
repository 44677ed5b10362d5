"""Where a line of somebody's program stands in a capture."""

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NOWHERE, Place, line_id, place
from compiler.model.ir.stage import SourceStage


def source_place(capture: Capture, line: SourceLine) -> Place:
    """The line as a place; `NOWHERE` for files that were not captured."""
    for stage in capture.stages:
        if isinstance(stage.content, SourceStage) and stage.content.file.path == line.path:
            return place(stage.id, line_id(line.line))
    return NOWHERE


def short(line: SourceLine | None) -> str:
    """``model.py:14``, or empty."""
    return line.short if line is not None else ""
