"""The line of a file that a selection stands for."""

from collections import Counter
from collections.abc import Iterable

from compiler.analysis.line_times.outer_calls import outer_calls
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


def selected_stack(capture: Capture | None, location: Place, links: Provenance) -> tuple[SourceLine, ...]:
    """The calls that lead to what is selected, in files that were captured, outermost first, its own line last. Of a line
    that is reached on several ways, the one that most operations were made on; empty where none is known.
    """
    line = selected_line(capture, location, links)
    if capture is None or line is None:
        return ()
    files = {stage.content.file.path for stage in capture.stages if isinstance(stage.content, SourceStage)}
    reached = links.ancestors(location)
    own = {stage: set(nodes) for stage, nodes in reached.items()}
    own.setdefault(location.stage, set()).update(location.nodes)
    ways: Counter[tuple[SourceLine, ...]] = Counter()
    nearest: Counter[tuple[SourceLine, ...]] = Counter()
    for stage in capture.stages:
        stacks = stage.graph.by_stack if stage.graph is not None else {}
        calls = outer_calls(capture, stage.compile_id)
        mine = own.get(stage.id, set())
        for made_on, nodes in stacks.items():
            stack = (*calls, *made_on)
            for depth, frame in enumerate(stack):
                if (frame.path, frame.line) == (line.path, line.line):
                    way = tuple(row for row in stack[: depth + 1] if row.path in files)
                    ways[way] += len(nodes)
                    nearest[way] += len(mine & nodes)
                    break
    best = max(ways, key=lambda way: (nearest[way], ways[way]), default=())
    return best if best and best[-1].path == line.path else ()


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
            graph = stage.graph
            if graph is None:
                return None
            held = sorted(filter(graph.holds, nodes), key=graph.index)
            return next((stack[-1] for node in held if (stack := graph.node(node).stack)), None)
    lines = [line for node in nodes if (line := line_of(node))]
    return SourceLine(path, min(lines)) if lines else None


def _stage(capture: Capture, stage_id: StageId) -> Stage | None:
    return next((stage for stage in capture.stages if stage.id == stage_id), None)
