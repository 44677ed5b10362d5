"""From a line or nodes to all that is linked with them."""

from collections.abc import Iterable

from compiler.analysis.queries.stage_lookup import StageNotFoundError, find_stage
from compiler.analysis.text_format.printer import program
from compiler.api.links import Links
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import first_of
from compiler.model.ir.ids import NodeId, Place, line_id, line_of, place
from compiler.model.ir.links import GUESS, Provenance
from compiler.model.ir.stage import SourceStage, Stage


def follow(capture: Capture, where: str, nodes: tuple[str, ...]) -> Links:
    """What is linked with a line, or with nodes of a stage. Raises StageNotFoundError."""
    start = place(find_stage(capture, where).id, *nodes) if nodes else _line(capture, where)
    _require_there(capture.stage(start.stage), start)
    found = Provenance(capture.links).follow(start)
    sure = Provenance(table for table in capture.links if table.proof != GUESS).follow(start)
    reached = {
        stage.id: _in_order(stage, found[stage.id].nodes) for stage in capture.stages if stage.id in found
    }
    guesses = {
        stage: frozenset(nodes).difference(sure[stage].nodes if stage in sure else ())
        for stage, nodes in reached.items()
    }
    return Links(reached, {stage: nodes for stage, nodes in guesses.items() if nodes})


def _in_order(stage: Stage, nodes: Iterable[NodeId]) -> tuple[NodeId, ...]:
    """As they stand in the stage's program; what is not in it comes last."""
    places: dict[NodeId, int] = {}
    for number, owners in enumerate(program(stage).line_nodes):
        for node in owners:
            places.setdefault(node, number)
    return tuple(
        sorted(nodes, key=lambda node: (places.get(node, len(places) + 1), line_of(node) or 0, node))
    )


def _require_there(stage: Stage, start: Place) -> None:
    known = list(dict.fromkeys(node for owners in program(stage).line_nodes for node in owners))
    unknown = [node for node in start.nodes if node not in known]
    if unknown:
        names = [node for node in known if line_of(node) is None]
        lines = [line for node in known if (line := line_of(node)) is not None]
        some = first_of(names, 20) or (f"lines 1 to {max(lines)}, as L1" if lines else "nothing")
        raise StageNotFoundError(f"{stage.id} has no {unknown[0]!r}.", f"It has {some}.")


def _line(capture: Capture, where: str) -> Place:
    """``model.py:16`` in the only file whose path ends so."""
    name, _, line = where.rpartition(":")
    files = [stage for stage in capture.stages if isinstance(stage.content, SourceStage)]
    paths = {stage.id: stage.content.file.path for stage in files if isinstance(stage.content, SourceStage)}
    found = [stage for stage, path in paths.items() if path == name or path.endswith(f"/{name}")]
    if not line.isdecimal() or len(found) != 1:
        several = (
            f"Several files are called {name}." if found else f"No file of the capture is called {name}."
        )
        what = several if line.isdecimal() else f"{where!r} names no line."
        raise StageNotFoundError(
            what, f"Write FILE:LINE, or a stage and its nodes; files are {', '.join(paths.values())}."
        )
    return place(found[0], line_id(int(line)))
