"""The line of a file that a selection stands for."""

from collections.abc import Iterable

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NodeId, Place, StageId, line_of
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import SourceStage, Stage, WrapperStage


def selected_line(capture: Capture | None, location: Place, links: Provenance) -> SourceLine | None:
    """The line that was clicked; for a node, the user's line that it was made on; else the first line that it is
    linked to.
    """
    if capture is None or not location:
        return None
    own = line_in(capture, location.stage, location.nodes)
    if own is not None:
        return own
    return linked_line(capture, links, location)


def linked_line(capture: Capture, links: Provenance, location: Place) -> SourceLine | None:
    """The line that a place was made from: the innermost one of a node on the way, else the first that links lead to."""
    reached = links.ancestors(location)
    for stage in capture.stages:
        if stage.graph is not None and stage.id in reached:
            line = line_in(capture, stage.id, reached[stage.id])
            if line is not None:
                return line
    for stage_id, nodes in reached.items():
        source = _stage(capture, stage_id)
        if source is not None and isinstance(source.content, SourceStage):
            return line_in(capture, stage_id, nodes)
    return None


def line_in(capture: Capture, stage_id: StageId, nodes: Iterable[NodeId]) -> SourceLine | None:
    """The first line that nodes of a stage are, or were made on; None where they have none."""
    stage = _stage(capture, stage_id)
    if stage is None:
        return None
    match stage.content:
        case SourceStage():
            path = stage.content.file.path
        case WrapperStage():
            path = stage.content.code.path
        case _:
            wanted = set(nodes)
            made = stage.graph.nodes if stage.graph is not None else ()
            return next((node.stack[-1] for node in made if node.id in wanted and node.stack), None)
    lines = [line for node in nodes if (line := line_of(node))]
    return SourceLine(path, min(lines)) if lines else None


def _stage(capture: Capture, stage_id: StageId) -> Stage | None:
    return next((stage for stage in capture.stages if stage.id == stage_id), None)
