"""Making link tables, and the one rule for graphs that torch transforms: by name where the name lived on, else by the
pattern that rewrote it, else by our mark from Dynamo's graph.
"""

from collections.abc import Iterable

from compiler.engine.recording import RegionRecord
from compiler.engine.stage_ids import region_id
from compiler.model.graph import Graph, Node
from compiler.model.ids import NodeId, StageId
from compiler.model.provenance import LinkTable


def table(
    source: StageId, target: StageId, kind: str, proof: str, pairs: Iterable[tuple[NodeId, NodeId]]
) -> tuple[LinkTable, ...]:
    """One table without repeats, or none if there are no pairs."""
    unique = tuple(dict.fromkeys(pairs))
    return (LinkTable(source, target, kind, proof, unique),) if unique else ()


def graph_links(
    region: RegionRecord, before: Graph, before_id: StageId, after: Graph, after_id: StageId, kind: str
) -> tuple[LinkTable, ...]:
    """Links from a graph to what a step made of it."""
    earlier = {node.id for node in before.nodes}
    rewritten: dict[NodeId, tuple[str, tuple[NodeId, ...]]] = {}
    for _, matched, fresh in region.rewrites:
        for name in fresh:
            rewritten[name] = (name, tuple(item for item in matched if item in earlier))
    same, changed, marked = [], [], []
    for node in after.nodes:
        if node.op == "output":
            continue
        if node.id in earlier:
            same.append((node.id, node.id))
        elif node.id in rewritten and rewritten[node.id][1]:
            changed += [(name, node.id) for name in rewritten[node.id][1]]
        else:
            marked.append(node)
    dynamo = region_id(region.compile_id, "dynamo")
    return (
        *table(before_id, after_id, kind, "name", same),
        *table(before_id, after_id, "rewritten", "torch", changed),
        *table(dynamo, after_id, "decomposed", "tag", _mark_pairs(region, marked)),
    )


def mark_links(region: RegionRecord, after: Graph, after_id: StageId) -> tuple[LinkTable, ...]:
    """Links from Dynamo's graph to a graph of which every node was made anew, by our mark."""
    dynamo = region_id(region.compile_id, "dynamo")
    return table(dynamo, after_id, "decomposed", "tag", _mark_pairs(region, after.nodes))


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
