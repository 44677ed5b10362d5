"""From a line or nodes to all that is linked with them."""

from compiler.analysis.queries.stage_lookup import StageNotFoundError, find_stage
from compiler.analysis.text_format.printer import program
from compiler.api.stage import Links
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import Place, line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import SourceStage, Stage


def follow(capture: Capture, where: str, nodes: tuple[str, ...]) -> Links:
    """What is linked with a line, or with nodes of a stage. Raises StageNotFoundError."""
    start = place(find_stage(capture, where).id, *nodes) if nodes else _line(capture, where)
    _require_there(capture.stage(start.stage), start)
    found = Provenance(capture.links).follow(start)
    order = [stage.id for stage in capture.stages]
    return Links({stage: found[stage].nodes for stage in order if stage in found})


def _require_there(stage: Stage, start: Place) -> None:
    known = {node for owners in program(stage).line_nodes for node in owners}
    unknown = [node for node in start.nodes if node not in known]
    if unknown:
        some = ", ".join(sorted(known)[:20])
        raise StageNotFoundError(Problem(f"{stage.id} has no {unknown[0]!r}.", f"It has {some}."))


def _line(capture: Capture, where: str) -> Place:
    """``model.py:16`` in the only file whose path ends so."""
    name, _, line = where.rpartition(":")
    files = [stage for stage in capture.stages if isinstance(stage.content, SourceStage)]
    paths = {stage.id: stage.content.file.path for stage in files if isinstance(stage.content, SourceStage)}
    found = [stage for stage, path in paths.items() if path == name or path.endswith(f"/{name}")]
    if not line.isdigit() or len(found) != 1:
        what = f"{where!r} names no line of one file." if line.isdigit() else f"{where!r} names no line."
        raise StageNotFoundError(Problem(what, f"Write FILE:LINE; files are {', '.join(paths.values())}."))
    return place(found[0], line_id(int(line)))
