"""Stages and links as networkx graphs: ids stay ids, facts are plain attributes that every format can hold."""

from itertools import pairwise

import networkx

from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import THEN
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.loop_ir import KernelSet, LoopNode, LoopProgram
from compiler.model.ir.stage import KernelStage, LoopStage, Stage
from compiler.model.ir.tensor_types import describe


def stage_graph(stage: Stage) -> networkx.DiGraph | None:
    """A stage's nodes, with an edge from each to every node that uses it, or from each kernel to the one that runs next; None for
    a stage that is text.
    """
    if stage.graph is not None:
        made = _fx(stage.graph)
    elif isinstance(stage.content, LoopStage):
        made = _loops(stage.content.program)
    elif isinstance(stage.content, KernelStage):
        made = _kernels(stage.content.kernels)
    else:
        return None
    made.graph.update(name=stage.id, title=stage.title, kind=stage.kind.value)
    return made


def link_graph(capture: Capture) -> networkx.MultiDiGraph:
    """All links of a capture: a node is ``stage|node``, an edge says what the step did and how the link is known."""
    made = networkx.MultiDiGraph(name=capture.id)
    for table in capture.links:
        for first, second in table.pairs:
            ends = []
            for stage, node in ((table.source, first), (table.target, second)):
                ends.append(f"{stage}|{node}")
                made.add_node(ends[-1], stage=stage, node=node)
            made.add_edge(*ends, kind=table.kind, proof=table.proof)
    return made


def _fx(graph: Graph) -> networkx.DiGraph:
    made = networkx.DiGraph()
    for node in graph.nodes:
        made.add_node(node.id, **_facts(node))
    for node in graph.nodes:
        places: dict[str, list[str]] = {}
        for used, path in node.uses():
            places.setdefault(used, []).append(".".join(map(str, path)))
        for used, found in places.items():
            made.add_edge(used, node.id, arguments=", ".join(found))
    return made


def _facts(node: Node) -> dict[str, str | int]:
    facts: dict[str, str | int] = {"op": node.op, "target": node.target, "value": describe(node.value) or ""}
    facts |= {"module": node.module_path, "module_type": node.module_type, "role": node.role}
    if node.stack:
        facts |= {"path": node.stack[-1].path, "line": node.stack[-1].line}
    return facts


def _loops(program: LoopProgram) -> networkx.DiGraph:
    made = networkx.DiGraph()
    for node in program.nodes:
        made.add_node(node.id, **_loop_facts(node))
    for node in program.nodes:
        makers = {
            buffer: other.id for other in program.nodes if other.id in node.inputs for buffer in other.buffers
        }
        for used in node.inputs:
            read = [item.buffer for item in node.reads if makers.get(item.buffer) == used]
            made.add_edge(used, node.id, buffers=", ".join(dict.fromkeys(read)))
    return made


def _kernels(kernels: KernelSet) -> networkx.DiGraph:
    made = networkx.DiGraph()
    for kernel in kernels.kernels:
        made.add_node(
            kernel.id,
            op=kernel.language,
            target=kernel.name,
            loops=", ".join(kernel.loop_nodes),
            origins=", ".join(kernel.origins),
        )
    for first, second in pairwise(kernels.kernels):
        made.add_edge(first.id, second.id, kind=THEN)
    return made


def _loop_facts(node: LoopNode) -> dict[str, str | int]:
    facts: dict[str, str | int] = {
        "op": node.kind,
        "target": node.operation,
        "fuses": ", ".join(node.children),
    }
    numbers = {"bytes": node.bytes_moved, "flops": node.flops}
    return facts | {name: count for name, count in numbers.items() if count is not None}
