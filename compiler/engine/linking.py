"""Making link tables, and the one rule for graphs that torch transforms: by name where the name lived on, else by the
pattern that rewrote it or the replacement that torch recorded, else by our mark from Dynamo's graph.
"""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from compiler.engine.pass_recording import PassTimeline
from compiler.engine.recording import RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.graph import Graph, Node
from compiler.model.ids import NodeId, StageId
from compiler.model.provenance import LinkTable

_StandsFor: TypeAlias = dict[NodeId, tuple[tuple[NodeId, ...], tuple[NodeId, ...]]]
"""New node → (old nodes that it certainly stands for, those that it may stand for)."""


def table(
    source: StageId,
    target: StageId,
    kind: str,
    proof: str,
    pairs: Iterable[tuple[NodeId, NodeId]],
    ends: bool = False,
) -> tuple[LinkTable, ...]:
    """One table without repeats, or none if there are no pairs."""
    unique = tuple(dict.fromkeys(pairs))
    return (LinkTable(source, target, kind, proof, unique, ends),) if unique else ()


def graph_links(
    region: RegionRecord,
    before: Graph,
    before_id: StageId,
    after: Graph,
    after_id: StageId,
    kind: str,
    passes: PassTimeline | None = None,
) -> tuple[LinkTable, ...]:
    """Links from a graph to what a step made of it. `passes` lead from the one to the other."""
    earlier = {node.id for node in before.nodes}
    rewritten: _StandsFor = {name: (olds, ()) for name, olds in _replaced(before, passes).items()}
    rewritten |= _rewritten(region, before, after)
    same, changed, likely, marked = [], [], [], []
    for node in after.nodes:
        if node.op == "output":
            continue
        if node.id in earlier:
            same.append((node.id, node.id))
        elif node.id in rewritten:
            certain, guessed = rewritten[node.id]
            changed += [(name, node.id) for name in certain]
            likely += [(name, node.id) for name in guessed]
        else:
            marked.append(node)
    return (
        *table(before_id, after_id, kind, "name", same),
        *table(before_id, after_id, "rewritten", "torch", changed),
        *table(before_id, after_id, "rewritten", "guess", likely),
        *_remade_links(region, before, before_id, after, after_id, marked),
    )


def _replaced(before: Graph, passes: PassTimeline | None) -> dict[NodeId, tuple[NodeId, ...]]:
    """Node that a pass made → nodes of `before` whose users torch gave to it, over all passes."""
    reached: dict[NodeId, tuple[NodeId, ...]] = {node.id: (node.id,) for node in before.nodes}
    found: dict[NodeId, tuple[NodeId, ...]] = {}
    for run in passes.runs if passes is not None else ():
        made = {node.id for node in run.difference.made}
        for old, new in run.replaced:
            if new in made and old in reached:
                found[new] = reached[new] = tuple(dict.fromkeys((*found.get(new, ()), *reached[old])))
    return found


def _rewritten(region: RegionRecord, before: Graph, after: Graph) -> _StandsFor:
    """Node that a pattern made → (nodes of `before` that it certainly stands for, those that it may).

    One node in the place of several stands for all of them, and so does one that calls what none of them called: without
    any of them it would not be there. Of several new ones, one that calls what some of the old called stands for those.
    """
    earlier, later = before.by_id(), after.by_id()
    reached: dict[NodeId, tuple[NodeId, ...]] = {name: (name,) for name in earlier}
    found: _StandsFor = {}
    for _, matched, fresh in region.rewrites:
        sources = tuple(dict.fromkeys(item for name in matched for item in reached.get(name, ())))
        there = [name for name in fresh if name in later]
        for name in fresh if sources else ():
            reached[name] = sources
            if name in later:
                alike = tuple(item for item in sources if earlier[item].target == later[name].target)
                own = alike if alike and len(there) > 1 else sources
                found[name] = own, tuple(item for item in sources if item not in own)
    return found


def _remade_links(
    region: RegionRecord,
    before: Graph,
    before_id: StageId,
    after: Graph,
    after_id: StageId,
    nodes: list[Node],
) -> tuple[LinkTable, ...]:
    """Nodes that a pass made outside of the pattern matcher: from Dynamo's graph by mark; and from the one node before
    that bears the mark, calls the same and is no longer there. Where several may be meant, those links are guesses.
    """
    gone = {node.id for node in before.nodes} - {node.id for node in after.nodes}
    bearers: dict[str, list[Node]] = {}
    for node in before.nodes:
        for mark in node.origins:
            bearers.setdefault(mark, []).append(node)
    certain: list[tuple[NodeId, NodeId]] = []
    likely: list[tuple[NodeId, NodeId]] = []
    for node in nodes:
        known = list({item.id: item for mark in node.origins for item in bearers.get(mark, ())}.values())
        known = [item for item in known if item.id in gone] or known
        known = [item for item in known if item.target == node.target] or known
        (certain if len(known) == 1 else likely).extend((item.id, node.id) for item in known)
    return (
        *table(
            region_id(region.compile_id, "dynamo"), after_id, "decomposed", "tag", _mark_pairs(region, nodes)
        ),
        *table(before_id, after_id, "remade", "tag", certain),
        *table(before_id, after_id, "remade", "guess", likely),
    )


def joint_links(
    region: RegionRecord, traced: Graph, after: Graph, after_id: StageId
) -> tuple[LinkTable, ...]:
    """Links to the joint graph after its passes. A node that a pattern made bears the marks of all that it matched: it is
    linked by the marks of those nodes of the graph as it was traced that it stands for.
    """
    earlier = traced.by_id()
    rewritten: _StandsFor = {
        name: (olds, ()) for name, olds in _replaced(traced, region.joint_passes).items()
    }
    rewritten |= _rewritten(region, traced, after)

    def marked(names: Iterable[NodeId]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mark for name in names for mark in earlier[name].origins))

    certain, likely = [], []
    for node in after.nodes:
        sources, guessed = rewritten.get(node.id, ((), ())) if node.id not in earlier else ((), ())
        if sources or guessed:
            certain.append(msgspec.structs.replace(node, origins=marked(sources)))
            likely.append(msgspec.structs.replace(node, origins=marked(guessed)))
        else:
            certain.append(node)
    guesses = mark_links(region, Graph(tuple(likely)), after_id)
    return (
        *mark_links(region, Graph(tuple(certain)), after_id),
        *(msgspec.structs.replace(row, proof="guess") for row in guesses),
    )


def mark_links(region: RegionRecord, after: Graph, after_id: StageId) -> tuple[LinkTable, ...]:
    """Links from what AOTAutograd received to a graph of which it made every node anew, by our mark.

    Pre-grad passes may have made nodes that bear no mark of their own; those of Dynamo's graph are then joined directly.
    """
    before, before_id = traced_graph(region)
    bearing: dict[str, list[NodeId]] = {}
    for node in before.nodes:
        for mark in node.origins:
            bearing.setdefault(mark, []).append(node.id)
    pairs = [
        (name, node.id) for node in after.nodes for mark in node.origins for name in bearing.get(mark, ())
    ]
    dynamo = region_id(region.compile_id, "dynamo")
    lost = {mark for node in after.nodes for mark in node.origins} - set(bearing)
    marked = marked_nodes(region)
    direct = [
        (marked[mark], node.id)
        for node in after.nodes
        for mark in node.origins
        if mark in lost and mark in marked
    ]
    return (
        *table(before_id, after_id, "decomposed", "tag", pairs),
        *(table(dynamo, after_id, "decomposed", "tag", direct) if before_id != dynamo else ()),
    )


def traced_graph(region: RegionRecord) -> tuple[Graph, StageId]:
    """The graph that AOTAutograd traced: after the pre-grad passes, or Dynamo's where the backend has none."""
    if region.pre_grad is not None:
        return region.pre_grad, region_id(region.compile_id, "pre_grad")
    return region.dynamo, region_id(region.compile_id, "dynamo")


def marked_nodes(region: RegionRecord) -> dict[str, NodeId]:
    """Mark → node of Dynamo's graph. Dynamo may rename a node after it was marked, so the mark tells, not the name."""
    return {mark: node.id for node in reversed(region.dynamo.nodes) for mark in node.origins}


def _mark_pairs(region: RegionRecord, nodes: Iterable[Node]) -> list[tuple[NodeId, NodeId]]:
    marked = marked_nodes(region)
    return [(marked[mark], node.id) for node in nodes for mark in node.origins if mark in marked]


def input_links(
    region: RegionRecord, before: Graph, before_id: StageId, after: Graph, after_id: StageId
) -> tuple[LinkTable, ...]:
    """AOTAutograd's ``primals_i`` is Dynamo's i-th input, where it neither merged nor split inputs. That it did not is a
    guess from the counts: they agree.
    """
    inputs = [node for node in before.nodes if node.op == "placeholder"]
    primals = [node for node in after.nodes if node.op == "placeholder" and node.role != "tangent"]
    if len(inputs) != len(primals):
        return ()
    pairs = [
        (first.id, second.id) for first, second in zip(inputs, primals, strict=True) if not second.origins
    ]
    return table(before_id, after_id, "passed", "guess", pairs)
