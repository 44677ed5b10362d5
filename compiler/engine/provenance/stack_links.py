"""Links straight from a line to a node of a graph, by the stack that torch keeps with the node: for what autograd adds
between two operations, sums of gradients above all, which bears no mark of ours.
"""

from collections.abc import Iterable

from compiler.engine.provenance.link_tables import table
from compiler.engine.stage_ids import source_id
from compiler.model.ir.ids import NodeId, StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage


def stack_links(stages: Iterable[Stage], links: Iterable[LinkTable]) -> tuple[LinkTable, ...]:
    """From every line of its stack, innermost first, to each node that nothing else leads to."""
    stages, reached = tuple(stages), _reached(links)
    lengths = {stage.id: stage.node_count + 1 for stage in stages if stage.id.startswith(source_id(""))}
    found: list[LinkTable] = []
    for stage in stages:
        pairs: dict[StageId, list[tuple[NodeId, NodeId]]] = {}
        for node in stage.graph.nodes if stage.graph is not None else ():
            if (stage.id, node.id) in reached:
                continue
            for line in reversed(node.stack):
                if line.line <= lengths.get(source_id(line.path), 0):
                    pairs.setdefault(source_id(line.path), []).append((line_id(line.line), node.id))
        for source, rows in pairs.items():
            found += table(source, stage.id, "traced", "torch", rows)
    return tuple(found)


def _reached(links: Iterable[LinkTable]) -> set[tuple[StageId, NodeId]]:
    return {(row.target, target) for row in links if not row.ends for _, target in row.pairs}
