"""Links from a line to the graph of a frame that it called: a break in the caller left the call to Python, so the stacks of the
graph's nodes begin in the frame itself, often one of a library.
"""

from collections.abc import Iterable, Mapping

from compiler.engine.provenance.link_tables import table
from compiler.engine.stage_ids import dynamo_graph_id, source_id, split
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import Stage, StageKind

_NO_CALLS = ("placeholder", "output", "get_attr")


def caller_links(
    stages: Iterable[Stage], callers: Mapping[str, tuple[SourceLine, ...]], links: Iterable[LinkTable]
) -> tuple[LinkTable, ...]:
    """From every line on the way to a frame, by its compile id, to the operations of Dynamo's graph and of its bodies, to
    those of its inputs that something leads to (a kernel may do no more than lay out weights), and to nodes of later graphs
    that lines lead to straight. Python's own stack says it.
    """
    stages = tuple(stages)
    lengths = {stage.id: stage.node_count + 1 for stage in stages if stage.kind is StageKind.SOURCE}
    straight: dict[StageId, dict[str, None]] = {}
    led_to: dict[StageId, set[str]] = {}
    for row in links:
        led_to.setdefault(row.target, set()).update(node for _, node in row.pairs)
        if row.source in lengths:
            straight.setdefault(row.target, {}).update(dict.fromkeys(node for _, node in row.pairs))
    found: list[LinkTable] = []
    for stage in stages:
        compile_id = split(stage.id)[0]
        lines = [
            line for line in callers.get(compile_id, ()) if line.line <= lengths.get(source_id(line.path), 0)
        ]
        if not lines or stage.graph is None:
            continue
        if stage.id.startswith(dynamo_graph_id(compile_id, "dynamo")):
            known = led_to.get(stage.id, set())
            read = {node.id for node in stage.graph.nodes if node.op == "placeholder"} & known
            nodes = [node.id for node in stage.graph.nodes if node.op not in _NO_CALLS or node.id in read]
        else:
            nodes = list(straight.get(stage.id, ()))
        for line in lines:
            pairs = [(line_id(line.line), node) for node in nodes]
            found += table(source_id(line.path), stage.id, "entered", "python", pairs)
    return tuple(found)
