"""What the inputs of a region's graphs are: parameters, plain inputs, tangents, saved activations.

Dynamo knows which of its inputs are parameters; AOTAutograd takes them in the same order, and the partitioner keeps
names. So the roles are carried over, where AOTAutograd neither merged nor split inputs (then the counts agree).
"""

import msgspec

from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId


def carry_roles(dynamo_graph: DynamoGraphRecord) -> None:
    """Name the roles of all placeholders of a finished region, in place of what the hooks could guess."""
    dynamo = [node for node in dynamo_graph.dynamo.nodes if node.op == "placeholder"]
    own = {node.id: node.role for node in dynamo}
    if dynamo_graph.pre_grad is not None:
        dynamo_graph.pre_grad = _with_roles(dynamo_graph.pre_grad, own)
    first = dynamo_graph.joint or next(
        (
            inductor_graph.aot_graph
            for inductor_graph in dynamo_graph.inductor_graphs
            if inductor_graph.part == "inference"
        ),
        None,
    )
    roles: dict[NodeId, str] = {}
    if first is not None:
        inputs = [node for node in first.nodes if node.op == "placeholder" and node.role != "tangent"]
        if len(inputs) == len(dynamo):
            roles = {node.id: origin.role for node, origin in zip(inputs, dynamo, strict=True)}
    if dynamo_graph.joint is not None:
        dynamo_graph.joint = _with_roles(dynamo_graph.joint, roles)
    for inductor_graph in dynamo_graph.inductor_graphs:
        known = roles if inductor_graph.part != "backward" else _saved(inductor_graph.aot_graph)
        inductor_graph.aot_graph = _with_roles(inductor_graph.aot_graph, known)
        if inductor_graph.post_grad is not None:
            inductor_graph.post_grad = _with_roles(inductor_graph.post_grad, known)


def _saved(graph: Graph) -> dict[NodeId, str]:
    """A backward graph's inputs are what the forward saved, but for the tangents."""
    return {node.id: "saved" for node in graph.nodes if node.op == "placeholder" and node.role != "tangent"}


def _with_roles(graph: Graph, roles: dict[NodeId, str]) -> Graph:
    return Graph(
        tuple(
            msgspec.structs.replace(node, role=roles[node.id])
            if node.op == "placeholder" and node.id in roles
            else node
            for node in graph.nodes
        )
    )
