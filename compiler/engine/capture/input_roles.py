"""What the inputs of a region's graphs are: parameters, plain inputs, tangents, saved activations.

Dynamo knows which of its inputs are parameters; AOTAutograd takes them in the same order, and the partitioner keeps
names. So the roles are carried over, where AOTAutograd neither merged nor split inputs (then the counts agree).
"""

import msgspec

from compiler.engine.records.recorder import RegionRecord
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId


def carry_roles(region: RegionRecord) -> None:
    """Name the roles of all placeholders of a finished region, in place of what the hooks could guess."""
    dynamo = [node for node in region.dynamo.nodes if node.op == "placeholder"]
    own = {node.id: node.role for node in dynamo}
    if region.pre_grad is not None:
        region.pre_grad = _with_roles(region.pre_grad, own)
    first = region.joint or next((unit.aot_graph for unit in region.units if unit.part == "inference"), None)
    roles: dict[NodeId, str] = {}
    if first is not None:
        inputs = [node for node in first.nodes if node.op == "placeholder" and node.role != "tangent"]
        if len(inputs) == len(dynamo):
            roles = {node.id: origin.role for node, origin in zip(inputs, dynamo, strict=True)}
    if region.joint is not None:
        region.joint = _with_roles(region.joint, roles)
    for unit in region.units:
        known = roles if unit.part != "backward" else _saved(unit.aot_graph)
        unit.aot_graph = _with_roles(unit.aot_graph, known)
        if unit.post_grad is not None:
            unit.post_grad = _with_roles(unit.post_grad, known)


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
