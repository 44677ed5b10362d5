"""Links straight from a line to a node of a graph, by the stack that torch keeps with the node: for what autograd adds
between two operations, sums of gradients above all, which bears no mark of ours; and for what Dynamo reads in code that torch
wrote, of an exported program, whose nodes keep the lines that they were exported from.
"""

from collections.abc import Iterable

from compiler.engine.provenance.link_tables import table
from compiler.engine.stage_ids import source_id
from compiler.model.ir.ids import NodeId, StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage, StageKind

_Node = tuple[StageId, NodeId]


def stack_links(stages: Iterable[Stage], links: Iterable[LinkTable]) -> tuple[LinkTable, ...]:
    """From every line of its stack, innermost first, to each node that nothing else leads to, and to each of Dynamo's that
    its instructions do not lead to from the innermost.
    """
    stages, links = tuple(stages), tuple(links)
    reached, lines_of = _reached(links), _lines_of_instructions(stages, links)
    lengths = {stage.id: stage.node_count + 1 for stage in stages if stage.id.startswith(source_id(""))}
    found: list[LinkTable] = []
    for stage in stages:
        pairs: dict[StageId, list[tuple[NodeId, NodeId]]] = {}
        for node in stage.graph.nodes if stage.graph is not None else ():
            here = stage.id, node.id
            lines = lines_of.get(here)
            if here in reached and lines is None:
                continue
            shown = [
                (source_id(line.path), line_id(line.line))
                for line in reversed(node.stack)
                if line.line <= lengths.get(source_id(line.path), 0)
            ]
            if lines is not None and (not shown or shown[0] in lines):
                continue
            for source, line in shown:
                pairs.setdefault(source, []).append((line, node.id))
        for source, rows in pairs.items():
            found += table(source, stage.id, "traced", "torch", rows)
    return tuple(found)


def _reached(links: Iterable[LinkTable]) -> set[_Node]:
    return {(row.target, target) for row in links if not row.ends for _, target in row.pairs}


def _lines_of_instructions(stages: Iterable[Stage], links: Iterable[LinkTable]) -> dict[_Node, set[_Node]]:
    """By node that instructions lead to: their lines."""
    bytecode = {stage.id for stage in stages if stage.kind is StageKind.BYTECODE}
    of_instruction: dict[_Node, set[_Node]] = {}
    for row in links:
        if row.source.startswith(source_id("")) and row.target in bytecode:
            for line, target in row.pairs:
                of_instruction.setdefault((row.target, target), set()).add((row.source, line))
    found: dict[_Node, set[_Node]] = {}
    for row in links:
        if row.source in bytecode:
            for source, target in row.pairs:
                found.setdefault((row.target, target), set()).update(
                    of_instruction.get((row.source, source), ())
                )
    return {node: lines for node, lines in found.items() if lines}
