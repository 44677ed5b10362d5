"""Any stage that is a graph, as boxes and arrows: what the canvas draws.

One form for FX graphs, joint graphs, loop IR and kernels, so that the canvas knows nothing of the pipeline.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from compiler.model.diagrams.calls import Call, call_of
from compiler.model.ir.collectives import (
    Flight,
    collective_name,
    collective_of,
    flights,
    loop_flights,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import KernelSet, LoopProgram
from compiler.model.ir.own_kernels import own_kernel
from compiler.model.ir.stage import FxStage, JointStage, KernelStage, LoopStage, Partition, Stage
from compiler.model.ir.tensor_types import byte_size, describe, describe_bytes

_WITH_OVERLOAD = (
    "aten.",
    "prims.",
    "loupe.",
    "loupe_made.",
    "_c10d_functional.",
    "_c10d_functional_autograd.",
)
"""Namespaces of operators; the last part of such a target is the overload."""


_ROLES = {"output": "output", "get_attr": "attribute"}

THEN = "then"
"""The label of an arrow to what runs next, which need not use the one before."""


class DiagramNode(msgspec.Struct, frozen=True, gc=False):
    """One box."""

    id: NodeId
    title: str
    """The operation: ``linear``, ``relu``, ``cpp_fused_relu_0``."""
    name: str
    """The node's own name."""
    detail: str = ""
    """Result type: ``f32[32, 128]``."""
    role: str = "operation"
    """operation, input, parameter, tangent, output, extern, fused, kernel, attribute, getitem, collective."""
    lane: str = ""
    """forward, backward or empty."""
    group: tuple[str, ...] = ()
    """Module path from the outside in, for collapsing: ``("layers", "0", "linear")``."""
    bytes: int | None = None
    call: Call | None = None
    """What it computes, by which equal layers are distinguished from others; None where that is not known."""


class DiagramEdge(msgspec.Struct, frozen=True, gc=False):
    """One arrow: a result and its use."""

    source: NodeId
    target: NodeId
    label: str = ""
    saved: bool = False
    """A tensor saved in the forward for the backward."""
    indirect: bool = False
    """Leads through nodes that are left out; the label says through how many."""
    flight: bool = False
    """From a collective to its wait: the data travels meanwhile."""


class Diagram(msgspec.Struct, frozen=True):
    """Boxes in a topological order, and arrows, each pair of boxes once."""

    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...]
    hidden: tuple[DiagramNode, ...] = ()
    """Nodes that are left out, but part of what the others compute."""


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
    found = flights(graph)
    flying, reported = {(flight.start, flight.wait) for flight in found}, _flight_texts(found)
    edges = []
    for node in graph.nodes:
        backward = node.lane == "backward"
        for used in node.inputs():
            producer = by_id.get(used)
            if producer is None:
                continue
            crossing = backward and producer.lane == "forward"
            label = describe_bytes(sizes.get(used, byte_size(producer.value))) if crossing else ""
            flies = bool(flying) and (used, node.id) in flying
            edges.append(DiagramEdge(used, node.id, label, crossing, False, flies))
    return Diagram(tuple(_box(graph, node, reported) for node in graph.nodes), tuple(edges))


def _flight_texts(found: tuple[Flight, ...]) -> dict[NodeId, str]:
    """For each wait what runs before it while the data travels; for a collective that nothing waits for, that."""
    return {flight.wait or flight.start: flight_text(flight) for flight in found}


def flight_text(flight: Flight) -> str:
    """What runs between the beginning of a collective and its wait, in words."""
    count = len(flight.between)
    if not flight.wait:
        return "nothing waits for it here"
    return (
        f"{count} {'node runs' if count == 1 else 'nodes run'} meanwhile" if count else "waited for at once"
    )


def short_target(node: Node) -> str:
    """The operation in a word: ``aten.relu.default`` as ``relu``, ``torch.nn.functional.gelu`` as ``gelu``."""
    if node.op == "output":
        return "output"
    return short_name(node.target)


@lru_cache(maxsize=4096)
def short_name(target: str) -> str:
    """The same of what a node calls."""
    parts = target.split(".")
    if len(parts) == 3 and target.startswith(_WITH_OVERLOAD):
        return parts[1]
    return parts[-1]


def _box(graph: Graph, node: Node, reported: Mapping[NodeId, str]) -> DiagramNode:
    if node.op == "placeholder":
        role = node.role or "input"
    else:
        role = _ROLES.get(node.op, "operation")
        if node.op == "call_function" and node.target in ("_operator.getitem", "operator.getitem"):
            role = "getitem"
    if node.body:
        role = "fused"
    title = node.id if node.op == "placeholder" or node.body else own_kernel(node) or short_target(node)
    detail = describe(node.value)
    if node.op.startswith("call") and collective_name(node.target):
        role = "collective"
        sent = collective_of(graph, node)
        parts = (detail, sent.text if sent is not None else "", reported.get(node.id, ""))
        detail = " · ".join(filter(None, parts))
    return DiagramNode(
        node.id, title, node.id, detail, role, node.lane, node.modules, byte_size(node.value), call_of(node)
    )


def _loop_diagram(loops: LoopProgram) -> Diagram:
    known = {node.id for node in loops.nodes}
    found = loop_flights(loops.nodes)
    flying, reported = {(flight.start, flight.wait) for flight in found}, _flight_texts(found)
    nodes = []
    for node in loops.nodes:
        role = "fused" if node.children else "extern" if "Extern" in node.kind else "operation"
        detail = f"moves {describe_bytes(node.bytes_moved)}" if node.bytes_moved is not None else ""
        title, name = node.operation, collective_name(node.operation)
        if name:
            role, title = "collective", name
            detail = reported.get(node.id, "")  # what the scheduler counts here leaves buffers out
        nodes.append(DiagramNode(node.id, title, node.id, detail, role, bytes=node.bytes_moved))
    edges = [
        DiagramEdge(used, node.id, flight=(used, node.id) in flying)
        for node in loops.nodes
        for used in dict.fromkeys(node.inputs)
        if used in known
    ]
    return Diagram(tuple(nodes), tuple(edges))


def _kernel_diagram(kernels: KernelSet) -> Diagram:
    nodes = tuple(
        DiagramNode(
            kernel.id,
            collective_name(kernel.name) or kernel.name,
            kernel.id,
            f"{len(kernel.origins)} node{'s' * (len(kernel.origins) != 1)}",
            "collective"
            if collective_name(kernel.name)
            else "extern"
            if kernel.language == "extern"
            else "kernel",
        )
        for kernel in kernels.kernels
    )
    edges = tuple(
        DiagramEdge(first.id, second.id, THEN)
        for first, second in zip(kernels.kernels, kernels.kernels[1:], strict=False)
    )
    return Diagram(nodes, edges)


def regrouped(shown: Diagram, groups: Mapping[NodeId, tuple[str, ...]]) -> Diagram:
    """The diagram with other groups to collapse; nodes that are not named are in none."""
    nodes = tuple(msgspec.structs.replace(node, group=groups.get(node.id, ())) for node in shown.nodes)
    return msgspec.structs.replace(shown, nodes=nodes)


def with_calls(shown: Diagram, calls: Mapping[NodeId, Call]) -> Diagram:
    """The diagram with what its nodes compute; what they use that is not in it, as hidden nodes."""
    if not calls:
        return shown
    nodes = tuple(
        msgspec.structs.replace(node, call=calls[node.id]) if node.id in calls else node
        for node in shown.nodes
    )
    there = {node.id for node in (*shown.nodes, *shown.hidden)}
    outside = tuple(
        DiagramNode(name, name, name, role="input", call=call)
        for name, call in calls.items()
        if name not in there
    )
    return msgspec.structs.replace(shown, nodes=nodes, hidden=(*shown.hidden, *outside))
