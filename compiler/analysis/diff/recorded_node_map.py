"""Which node of one stage became which of another, as far as that was recorded: by links between stages, or pass by pass."""

from collections import defaultdict
from collections.abc import Mapping

from compiler.analysis.diff.stage_matching import graph_of
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import describe
from compiler.model.passes.pass_replay import Replay


def linked_pairs(capture: Capture, before: StageId, after: StageId) -> dict[NodeId, NodeId]:
    """Node before → node after, one to one, for two stages of which either was made from the other; else nothing.

    Of several nodes that one became, the last in the forward with a result of its type stands for it. Links that are guesses
    (inputs by their position) pair what is left: so does any comparison by structure.
    """
    order = {stage.id: number for number, stage in enumerate(capture.stages)}
    if before not in order or after not in order or before == after:
        return {}
    if order[before] > order[after]:
        return {new: old for old, new in linked_pairs(capture, after, before).items()}
    found: dict[NodeId, NodeId] = {}
    for guesses in (False, True):
        _pair(found, capture, before, after, _origins(capture, before, after, order, guesses))
    return found


def pass_pairs(replay: Replay, before: int, after: int) -> dict[NodeId, NodeId]:
    """Nodes at one position of a stage's passes → the nodes that took their places at another, where that is one each."""
    old, new = (graph_of(replay.stage_at(position)) for position in (before, after))
    if old is None or new is None:
        return {}
    became = {
        node.id: replay.went_to((node.id,), before, after) for node in old.nodes if not new.holds(node.id)
    }
    takers: defaultdict[NodeId, list[NodeId]] = defaultdict(list)
    for name, successors in became.items():
        for successor in successors:
            takers[successor].append(name)
    return {
        name: successors[0]
        for name, successors in became.items()
        if len(successors) == 1
        and len(takers[successors[0]]) == 1
        and new.holds(successors[0])
        and not old.holds(successors[0])
    }


def _origins(
    capture: Capture, before: StageId, after: StageId, order: Mapping[StageId, int], guesses: bool
) -> Mapping[NodeId, set[NodeId]]:
    """For each node after, the nodes before that it was made from. Each link is looked at once."""
    made_from: dict[StageId, defaultdict[NodeId, set[NodeId]]] = defaultdict(lambda: defaultdict(set))
    graph = graph_of(capture.stage(before))
    for node in graph.nodes if graph is not None else ():
        made_from[before][node.id].add(node.id)
    for table in sorted(capture.links, key=lambda table: order.get(table.source, -1)):
        known = table.source in made_from and order[before] <= order.get(table.source, -1)
        if (
            not known
            or (table.proof == "guess" and not guesses)
            or order.get(table.target, -1) > order[after]
        ):
            continue
        sources, targets = made_from[table.source], made_from[table.target]
        for source, target in table.pairs:
            if source in sources:
                targets[target] |= sources[source]
    return made_from.get(after, {})


def _pair(
    found: dict[NodeId, NodeId],
    capture: Capture,
    before: StageId,
    after: StageId,
    origins: Mapping[NodeId, set[NodeId]],
) -> None:
    """Add pairs of nodes that have none yet."""
    old, new = graph_of(capture.stage(before)), graph_of(capture.stage(after))
    if old is None or new is None:
        return
    became: defaultdict[NodeId, list[Node]] = defaultdict(list)
    taken = set(found.values())
    for node in new.nodes:
        for origin in origins.get(node.id, ()) if node.id not in taken else ():
            became[origin].append(node)
    for node in old.nodes:
        there = [
            other
            for other in became[node.id]
            if other.id not in taken and (other.lane != "backward" or node.lane == "backward")
        ]
        if there and node.id not in found:
            alike = [other for other in there if describe(other.value) == describe(node.value)]
            found[node.id] = (alike or there)[-1].id
            taken.add(found[node.id])
