"""Notes at a graph's collectives who takes part: a graph holds the name of a process group and nothing else of it."""

import msgspec

from compiler.engine.torch_internals.distributed.process_groups import group_facts
from compiler.model.ir.collectives import collective_of, group_note
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import FxStage, JointStage, Stage


def with_group_notes(stage: Stage) -> Stage:
    """The stage with a note at each collective whose group this process knows."""
    graph = stage.graph
    if graph is None:
        return stage
    nodes = tuple(_noted(graph, node) for node in graph.nodes)
    if all(new is old for new, old in zip(nodes, graph.nodes, strict=True)):
        return stage
    content = stage.content
    assert isinstance(content, FxStage | JointStage)
    return msgspec.structs.replace(stage, content=msgspec.structs.replace(content, graph=Graph(nodes)))


def _noted(graph: Graph, node: Node) -> Node:
    sent = collective_of(graph, node)
    facts = group_facts(sent.group) if sent is not None and sent.group else None
    if sent is None or facts is None:
        return node
    note = group_note(sent.group, *facts)
    return node if note in node.notes else msgspec.structs.replace(node, notes=(*node.notes, note))
