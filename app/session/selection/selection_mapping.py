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

    Nodes that survived; else nodes that now come from what they came from; else nodes made from them; else nodes
    they were made from. With `translate`, the program has changed and names mean other things: it alone knows.
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
        ancestor = _nearest(old.ancestors(location), survivors, capture, last_first=True)
        if again := survivors(location.stage, set(new.follow(ancestor).get(location.stage, NOWHERE).nodes)):
            return place(location.stage, *again)
        return _nearest(old.descendants(location), survivors, capture, last_first=False) or ancestor

    return keep if translate is None else keep_translated


def _nearest(
    reached: Mapping[StageId, set[NodeId]],
    survivors: Callable[[StageId, set[NodeId]], set[NodeId]],
    capture: Capture,
    last_first: bool,
) -> Place:
    stages = [stage.id for stage in capture.stages if stage.id in reached]
    for stage in reversed(stages) if last_first else stages:
        if alive := survivors(stage, reached[stage]):
            return place(stage, *alive)
    return NOWHERE
