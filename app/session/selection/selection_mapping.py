"""Keeping a selection when another capture is shown."""

from collections.abc import Callable, Mapping

from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId, place
from compiler.model.ir.links import Provenance
from compiler.model.session_file.stage_checks import node_ids


def keeper(
    old: Provenance,
    new: Provenance,
    capture: Capture,
    translate: Callable[[Place], Place] | None = None,
) -> Callable[[Place], Place]:
    """The function that finds a place of the old capture in the new one.

    Nodes that survived; else what replaced them: nodes that come from what they came from and did not before. Nothing
    where they were removed: their neighbours of the same line, and all that it became, are not what was looked at. Where
    the stage is gone, what they were made from. With `translate`, the program has changed and names mean other things: it
    alone knows.
    """
    ids: dict[StageId, set[NodeId]] = {}

    def survivors(stage: StageId, nodes: set[NodeId]) -> set[NodeId]:
        if stage not in ids:
            found = next((other for other in capture.stages if other.id == stage), None)
            ids[stage] = node_ids(found) if found else set()
        return nodes & ids[stage]

    def keep_translated(location: Place) -> Place:
        there = translate(location) if translate is not None else NOWHERE
        alive = survivors(there.stage, set(there.nodes))
        return place(there.stage, *alive) if alive else NOWHERE

    def keep(location: Place) -> Place:
        if not location:
            return NOWHERE
        if same := survivors(location.stage, set(location.nodes)):
            return place(location.stage, *same)
        ancestor = _nearest(old.ancestors(location), survivors, capture)
        if not ids[location.stage]:
            return ancestor
        before, now = (links.follow(ancestor).get(location.stage, NOWHERE).nodes for links in (old, new))
        instead = survivors(location.stage, set(now).difference(before))
        return place(location.stage, *instead) if instead else NOWHERE

    return keep if translate is None else keep_translated


def _nearest(
    reached: Mapping[StageId, set[NodeId]],
    survivors: Callable[[StageId, set[NodeId]], set[NodeId]],
    capture: Capture,
) -> Place:
    for stage in reversed([stage.id for stage in capture.stages if stage.id in reached]):
        if alive := survivors(stage, reached[stage]):
            return place(stage, *alive)
    return NOWHERE
