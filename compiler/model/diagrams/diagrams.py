"""Any stage that is a graph, as boxes and arrows: what the canvas draws.

One form for FX graphs, joint graphs, loop IR and kernels, so that the canvas knows nothing of the pipeline.
"""

from collections.abc import Mapping

import msgspec

from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import KernelSet, LoopProgram
from compiler.model.ir.stage import FxStage, JointStage, KernelStage, LoopStage, Partition, Stage
from compiler.model.ir.tensor_types import byte_size, describe, describe_bytes


class DiagramNode(msgspec.Struct, frozen=True):
    """One box."""

    id: NodeId
    title: str
    """The operation: ``linear``, ``relu``, ``cpp_fused_relu_0``."""
    name: str
    """The node's own name."""
    detail: str = ""
    """Result type: ``f32[32, 128]``."""
    role: str = "operation"
    """operation, input, parameter, tangent, output, extern, fused, kernel, attribute, getitem."""
    lane: str = ""
    """forward, backward or empty."""
    group: tuple[str, ...] = ()
    """Module path from the outside in, for collapsing: ``("layers", "0", "linear")``."""
    bytes: int | None = None


class DiagramEdge(msgspec.Struct, frozen=True):
    """One arrow: a result and its use."""

    source: NodeId
    target: NodeId
    label: str = ""
    saved: bool = False
    """A tensor saved in the forward for the backward."""
    indirect: bool = False
    """Leads through nodes that are left out; the label says through how many."""


class Diagram(msgspec.Struct, frozen=True):
    """Boxes in a topological order, and arrows, each pair of boxes once."""

    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...]


def is_drawn(stage: Stage) -> bool:
    """Whether a stage is boxes and arrows, rather than a text."""
    return isinstance(stage.content, FxStage | JointStage | LoopStage | KernelStage)


@identity_cached
def diagram(stage: Stage) -> Diagram | None:
    """The stage as boxes and arrows, or None for a stage that is a text."""
    match stage.content:
        case FxStage():
            return graph_diagram(stage.content.graph)
        case JointStage():
            return graph_diagram(stage.content.graph, stage.content.partition)
        case LoopStage():
            return _loop_diagram(stage.content.program)
        case KernelStage():
            return _kernel_diagram(stage.content.kernels)
        case _:
            return None


def graph_diagram(graph: Graph, partition: Partition | None = None) -> Diagram:
    """An FX graph as boxes and arrows. Edges that cross from forward to backward are marked as saved."""
    sizes = {tensor.node: tensor.bytes for tensor in partition.saved} if partition else {}
    by_id = graph.by_id()
    edges = []
    for node in graph.nodes:
        for used in node.inputs():
            producer = by_id.get(used)
            if producer is None:
                continue
            crossing = producer.lane == "forward" and node.lane == "backward"
            label = describe_bytes(sizes.get(used, byte_size(producer.value))) if crossing else ""
            edges.append(DiagramEdge(used, node.id, label, crossing))
    return Diagram(tuple(_box(node) for node in graph.nodes), tuple(edges))


def short_target(node: Node) -> str:
    """The operation in a word: ``aten.relu.default`` as ``relu``, ``torch.nn.functional.gelu`` as ``gelu``."""
    if node.op == "output":
        return "output"
    parts = node.target.split(".")
    if len(parts) == 3 and node.target.startswith(("aten.", "prims.", "loupe.", "loupe_made.")):
        return parts[1]
    return parts[-1]


def _box(node: Node) -> DiagramNode:
    roles = {"output": "output", "get_attr": "attribute"}
    role = node.role if node.op == "placeholder" and node.role else roles.get(node.op, "operation")
    if node.op == "placeholder" and not node.role:
        role = "input"
    if node.op == "call_function" and node.target in ("_operator.getitem", "operator.getitem"):
        role = "getitem"
    if node.body:
        role = "fused"
    title = node.id if node.op == "placeholder" or node.body else short_target(node)
    group = tuple(part for part in node.module_path.split(".") if part)
    return DiagramNode(
        node.id, title, node.id, describe(node.value), role, node.lane, group, byte_size(node.value)
    )


def _loop_diagram(loops: LoopProgram) -> Diagram:
    known = {node.id for node in loops.nodes}
    nodes = []
    for node in loops.nodes:
        role = "fused" if node.children else "extern" if "Extern" in node.kind else "operation"
        detail = f"moves {describe_bytes(node.bytes_moved)}" if node.bytes_moved is not None else ""
        nodes.append(DiagramNode(node.id, node.operation, node.id, detail, role, bytes=node.bytes_moved))
    edges = [
        DiagramEdge(used, node.id)
        for node in loops.nodes
        for used in dict.fromkeys(node.inputs)
        if used in known
    ]
    return Diagram(tuple(nodes), tuple(edges))


def _kernel_diagram(kernels: KernelSet) -> Diagram:
    nodes = tuple(
        DiagramNode(
            kernel.id,
            kernel.name,
            kernel.id,
            f"{len(kernel.origins)} nodes",
            "extern" if kernel.language == "extern" else "kernel",
        )
        for kernel in kernels.kernels
    )
    edges = tuple(
        DiagramEdge(first.id, second.id, "then")
        for first, second in zip(kernels.kernels, kernels.kernels[1:], strict=False)
    )
    return Diagram(nodes, edges)


def regrouped(shown: Diagram, groups: Mapping[NodeId, tuple[str, ...]]) -> Diagram:
    """The diagram with other groups to collapse; nodes that are not named are in none."""
    return Diagram(
        tuple(msgspec.structs.replace(node, group=groups.get(node.id, ())) for node in shown.nodes),
        shown.edges,
    )
