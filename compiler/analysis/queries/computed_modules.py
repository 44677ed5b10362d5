"""The modules whose results loop nodes and kernels hold, by the graph that Inductor lowered."""

from collections.abc import Iterable, Iterator, Mapping

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind


def computed_modules(stage: Stage, capture: Capture) -> dict[NodeId, tuple[str, ...]]:
    """For each loop node or kernel the module, from the outside in, in which its results were made; of one that is fused
    across two layers, what holds both. Without those of which torch says none.

    What else it computes on the way does not count: views that were made once are computed again in every layer.
    """
    graph = next((other.graph for other in _beside(stage, capture, StageKind.POST_GRAD_GRAPH)), None)
    if graph is None or not isinstance(stage.content, LoopStage | KernelStage):
        return {}
    loops = {
        node.id: node
        for kind in (StageKind.LOOP_IR, StageKind.FUSED_LOOP_IR)
        for other in _beside(stage, capture, kind)
        if isinstance(other.content, LoopStage)
        for node in other.content.program.nodes
    }
    parts: dict[NodeId, tuple[LoopNode, ...]]
    if isinstance(stage.content, LoopStage):
        parts = {node.id: (node,) for node in stage.content.program.nodes}
    else:
        parts = {
            kernel.id: tuple(loops[name] for name in kernel.loop_nodes if name in loops)
            for kernel in stage.content.kernels.kernels
            if not kernel.body
        }
    found = {name: _module(graph, nodes, loops) for name, nodes in parts.items()}
    return {name: path for name, path in found.items() if path}


def _beside(stage: Stage, capture: Capture, kind: StageKind) -> Iterator[Stage]:
    """The stages of a kind that are of the same graph."""
    same = stage.compile_id, stage.part
    return (other for other in capture.of_kind(kind) if (other.compile_id, other.part) == same)


def _module(graph: Graph, nodes: tuple[LoopNode, ...], loops: Mapping[NodeId, LoopNode]) -> tuple[str, ...]:
    single = [loops.get(name, node) for node in nodes for name in node.children or (node.id,)]
    results = _paths(graph, (node.value_of for node in single))
    paths = results or _paths(graph, (name for node in nodes for name in node.computes))
    return _shared(paths)


def _shared(paths: list[list[str]]) -> tuple[str, ...]:
    if not paths:
        return ()
    first, last = min(paths), max(paths)
    count = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None
    )
    return tuple(first[:count])


def _paths(graph: Graph, names: Iterable[NodeId]) -> list[list[str]]:
    found = (graph.node(name).module_path for name in names if graph.holds(name))
    return [path.split(".") for path in found if path]
