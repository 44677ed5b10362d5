"""The modules whose results loop nodes and kernels hold, by the graph that Inductor lowered."""

from collections.abc import Iterator, Mapping

import msgspec

from compiler.analysis.queries.loop_calls import LoopCalls
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.calls import Call, call_of
from compiler.model.diagrams.diagrams import Diagram, regrouped, with_calls
from compiler.model.diagrams.node_homes import Path, common_start, homes_of
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind


def computed_modules(stage: Stage, capture: Capture) -> dict[NodeId, tuple[str, ...]]:
    """For each loop node or kernel the module, from the outside in, in which its results were made; of one that is fused
    across two layers, what holds both. Without those of which torch says none.

    What else it computes on the way does not count: views that were made once are computed again in every layer.
    """
    graph = next((other.graph for other in _same_graph(stage, capture, StageKind.POST_GRAD_GRAPH)), None)
    if graph is None or not isinstance(stage.content, LoopStage | KernelStage):
        return {}
    loops = _programs(stage, capture, StageKind.LOOP_IR) | _programs(stage, capture, StageKind.FUSED_LOOP_IR)
    parts: dict[NodeId, tuple[LoopNode, ...]]
    if isinstance(stage.content, LoopStage):
        parts = {node.id: (node,) for node in stage.content.program.nodes}
    else:
        parts = {
            kernel.id: tuple(loops[name] for name in kernel.loop_nodes if name in loops)
            for kernel in stage.kernels
            if not kernel.body
        }
    paths = homes_of(graph)
    found = {name: _module(graph, paths, nodes, loops) for name, nodes in parts.items()}
    return {name: path for name, path in found.items() if path}


def by_modules(stage: Stage, shown: Diagram, capture: Capture) -> Diagram:
    """The diagram of loop IR or kernels with its nodes gathered by module, and with what each computes; that of a graph
    with the bodies that its higher-order operators call.
    """
    if stage.graph is not None:
        return with_calls(shown, _with_bodies(stage, stage.graph, capture))
    modules = computed_modules(stage, capture)
    return with_calls(regrouped(shown, modules), _calls(stage, capture)) if modules else shown


def _with_bodies(stage: Stage, graph: Graph, capture: Capture) -> Mapping[NodeId, Call]:
    """What gets a body, with that body."""
    bodies = {other.id: other.graph for other in capture.stages if stage.id in other.made_from}
    found = {}
    for node in graph.nodes:
        body = bodies.get(f"{stage.id}:{node.target}") if node.op == "get_attr" else None
        if body is not None:
            found[node.id] = msgspec.structs.replace(call_of(node), body=body.nodes)
    return found


def _calls(stage: Stage, capture: Capture) -> Mapping[NodeId, Call]:
    content = stage.content
    graph = next((other.graph for other in _same_graph(stage, capture, StageKind.POST_GRAD_GRAPH)), None)
    loops = _programs(stage, capture, StageKind.LOOP_IR)
    if graph is None or not loops:
        return {}
    calls = LoopCalls(loops.values(), graph)
    if isinstance(content, LoopStage):
        return calls.of_loops(content.program.nodes)
    if isinstance(content, KernelStage):
        return calls.of_kernels(
            content.kernels.kernels, _programs(stage, capture, StageKind.FUSED_LOOP_IR) or loops
        )
    return {}


def _programs(stage: Stage, capture: Capture, kind: StageKind) -> dict[NodeId, LoopNode]:
    return {
        node.id: node
        for other in _same_graph(stage, capture, kind)
        if isinstance(other.content, LoopStage)
        for node in other.content.program.nodes
    }


def _same_graph(stage: Stage, capture: Capture, kind: StageKind) -> Iterator[Stage]:
    """The stages of a kind that are of the same graph."""
    same = stage.compile_id, stage.part
    return (other for other in capture.of_kind(kind) if (other.compile_id, other.part) == same)


def _module(
    graph: Graph,
    paths: Mapping[NodeId, Path],
    nodes: tuple[LoopNode, ...],
    loops: Mapping[NodeId, LoopNode],
) -> Path:
    single = [loops.get(name, node) for node in nodes for name in node.children or (node.id,)]
    found = (paths.get(_result_of(graph, node), ()) for node in single)
    return common_start([path for path in found if path])


def _result_of(graph: Graph, node: LoopNode) -> NodeId:
    """The FX node whose result a loop node makes: where torch reports none, the last that it computes, as all others go into it."""
    if node.value_of:
        return node.value_of
    return max((name for name in node.computes if graph.holds(name)), key=graph.index, default="")
