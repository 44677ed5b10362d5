"""Dropouts taken out, relus made gelus."""

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.diagrams.diagrams import short_target
from compiler.model.edits.edits import EditGroup
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId, StageId

_DROPOUTS = ("dropout", "dropout_", "alpha_dropout", "feature_dropout", "dropout1d", "dropout2d", "dropout3d")
_DROPOUT_MODULES = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout")
_RELUS = ("relu", "relu_")
_RELU_MODULES = ("ReLU",)
_HALF_ROOT = 0.7071067811865476
_TORCH_GELU = "torch.nn.functional.gelu"


@identity_cached
def dropouts(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a dropout."""
    return _named(graph, _DROPOUTS, _DROPOUT_MODULES)


def remove_dropouts(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Remove every dropout. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for node in dropouts(graph):
        if not chosen or node in chosen:
            builder.bypass(node, builder.graph.node(node).inputs()[0])
    return builder.group("Remove every dropout", "There is no dropout in this graph.")


@identity_cached
def relus(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a relu."""
    return _named(graph, _RELUS, _RELU_MODULES)


def relus_to_gelus(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Make every relu a gelu. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for node in relus(graph):
        if not chosen or node in chosen:
            relu = graph.node(node)
            if relu.target.startswith("aten."):
                _decomposed_gelu(builder, relu)
            else:
                builder.replace(node, _TORCH_GELU, (relu.inputs()[0],))
    return builder.group("Replace every relu by gelu", "There is no relu in this graph.")


def _decomposed_gelu(builder: EditBuilder, relu: Node) -> None:
    """``x / 2 * (1 + erf(x / sqrt(2)))``, as torch decomposes it: Inductor takes no whole gelu behind AOTAutograd."""
    given = relu.inputs()[0]
    half = builder.call("half", "aten.mul.Tensor", given, 0.5, before=relu.id, like=relu, value=relu.value)
    small = builder.call(
        "scaled", "aten.mul.Tensor", given, _HALF_ROOT, before=relu.id, like=relu, value=relu.value
    )
    erf = builder.call("erf", "aten.erf.default", small, before=relu.id, like=relu, value=relu.value)
    more = builder.call("add", "aten.add.Tensor", erf, 1, before=relu.id, like=relu, value=relu.value)
    builder.replace(relu.id, "aten.mul.Tensor", (half, more))


def _named(graph: Graph, names: tuple[str, ...], modules: tuple[str, ...]) -> tuple[NodeId, ...]:
    """Calls by what they call; of a module by its type, since its name is the user's."""
    return tuple(node.id for node in graph.nodes if node.inputs() and _is_named(node, names, modules))


def _is_named(node: Node, names: tuple[str, ...], modules: tuple[str, ...]) -> bool:
    if node.op == "call_module" and node.module_path == node.target:
        return node.module_type in modules
    return node.op.startswith("call") and short_target(node) in names
