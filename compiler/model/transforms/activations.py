"""Dropouts taken out, relus made gelus."""

from compiler.model.diagrams import short_target
from compiler.model.edits import EditGroup
from compiler.model.graph import Graph
from compiler.model.ids import NodeId, StageId
from compiler.model.transforms.edit_building import EditBuilder

_DROPOUTS = ("dropout", "dropout_", "alpha_dropout", "feature_dropout", "dropout1d", "dropout2d", "dropout3d")
_RELUS = ("relu", "relu_")
_ATEN_GELU = "aten.gelu.default"
_TORCH_GELU = "torch.nn.functional.gelu"


def dropouts(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a dropout."""
    return _named(graph, _DROPOUTS)


def remove_dropouts(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Remove every dropout. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for node in dropouts(graph):
        if not chosen or node in chosen:
            builder.bypass(node, builder.graph.node(node).inputs()[0])
    return builder.group("Remove every dropout", "There is no dropout in this graph.")


def relus(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a relu."""
    return _named(graph, _RELUS)


def relus_to_gelus(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Make every relu a gelu. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for node in relus(graph):
        if not chosen or node in chosen:
            relu = graph.node(node)
            target = _ATEN_GELU if relu.target.startswith("aten.") else _TORCH_GELU
            builder.replace(node, target, (relu.inputs()[0],))
    return builder.group("Replace every relu by gelu", "There is no relu in this graph.")


def _named(graph: Graph, names: tuple[str, ...]) -> tuple[NodeId, ...]:
    return tuple(
        node.id
        for node in graph.nodes
        if node.op.startswith("call") and short_target(node) in names and node.inputs()
    )
