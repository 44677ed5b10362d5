"""Dropouts taken out, relus made gelus."""

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.diagrams.diagrams import short_name, short_target
from compiler.model.edits.edits import EditGroup, SetArgument
from compiler.model.edits.node_edits import SetArguments
from compiler.model.effects.memory import Memory, memory_of
from compiler.model.effects.purity import written_by
from compiler.model.ir.arguments import (
    ArgumentPath,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId, StageId

_DROPOUTS = (
    *(
        f"{kind}dropout{ending}"
        for kind in ("", "alpha_", "feature_", "feature_alpha_")
        for ending in ("", "_")
    ),
    *("dropout1d", "dropout2d", "dropout3d"),
)
_DROPOUT_MODULES = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout")
_ATTENTION = "scaled_dot_product_attention"
_DROPPING_ATTENTION = {
    _ATTENTION: 4,
    "_scaled_dot_product_flash_attention_for_cpu": 3,
    "_scaled_dot_product_flash_attention": 3,
    "_scaled_dot_product_efficient_attention": 5,
    "_scaled_dot_product_cudnn_attention": 5,
}
"""Where each takes ``dropout_p``. All but the first have a backward of their own in the graph, with the same rate."""
_RELUS = ("relu", "relu_")
_RELU_MODULES = ("ReLU",)
_TORCH_GELU, _ATEN_GELU = "torch.nn.functional.gelu", "aten.gelu.default"


@identity_cached
def dropouts(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a dropout, and calls of attention that drop by themselves."""
    called = _called(graph, (_ATTENTION,))
    attentions = (node.id for node in graph.nodes if node.target in called and _drops(node))
    return (*_named(graph, _DROPOUTS, _DROPOUT_MODULES), *attentions)


def remove_dropouts(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Remove every dropout; attention is given a dropout of 0. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for name in dropouts(graph):
        node = builder.node(name)
        if chosen and name not in chosen:
            continue
        if short_target(node) == _ATTENTION:
            builder.make(_without_dropout(stage, node))
        else:
            builder.bypass(name, node.inputs()[0])
    kept = [node.id for node in graph.nodes if short_target(node) != _ATTENTION and _drops(node)]
    stays = f"; that inside {', '.join(kept)} stays: its backward is compiled for it" if kept else ""
    return builder.group(
        f"Remove every dropout{stays}", f"There is no dropout to take out of this graph{stays}."
    )


def _drops(node: Node) -> bool:
    """Whether it is attention with a dropout that is not known to be 0."""
    place = _DROPPING_ATTENTION.get(short_target(node)) if node.op.startswith("call") else None
    if place is None:
        return False
    given = dict(node.kwargs.items)
    rate = given.get("dropout_p", node.args.items[place] if len(node.args.items) > place else None)
    return rate is not None and not (isinstance(rate, ConstantArgument) and rate.text in ("0", "0.0"))


def _without_dropout(stage: StageId, node: Node) -> SetArguments:
    place, none = _DROPPING_ATTENTION[_ATTENTION], ConstantArgument("float", "0.0")
    args = tuple(none if at == place else item for at, item in enumerate(node.args.items))
    kwargs = tuple((key, none if key == "dropout_p" else item) for key, item in node.kwargs.items)
    return SetArguments(stage, node.id, SequenceArgument(node.args.kind, args), MappingArgument(kwargs))


@identity_cached
def relus(graph: Graph) -> tuple[NodeId, ...]:
    """The nodes that are a relu."""
    return _named(graph, _RELUS, _RELU_MODULES)


def relus_to_gelus(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...] = ()) -> EditGroup:
    """Make every relu a gelu. Raises EditError where there is none."""
    builder, memory = EditBuilder(stage, graph), memory_of(graph)
    kept = []
    for node in relus(graph):
        if not chosen or node in chosen:
            relu = builder.node(node)
            later = _read_later(builder, memory, relu) if written_by(relu) else ()
            if later is None:
                kept.append(node)
                continue
            gelu = _ATEN_GELU if relu.target.startswith("aten.") else _TORCH_GELU
            builder.replace(node, gelu, (relu.inputs()[0],))
            for user, path in later:  # gelu does not work in place
                builder.make(SetArgument(stage, user, path, NodeArgument(node)))
    stays = f"; {', '.join(kept)} stays: it works in place, and is seen through views" if kept else ""
    return builder.group(
        f"Replace every relu by gelu{stays}", f"There is no relu to replace in this graph{stays}."
    )


def _read_later(
    builder: EditBuilder, memory: Memory, relu: Node
) -> tuple[tuple[NodeId, ArgumentPath], ...] | None:
    """The uses of what a relu works on in place that come after it; None where others share its memory, and are used then."""
    given, at = relu.inputs()[0], builder.index(relu.id)

    def later(name: NodeId) -> tuple[tuple[NodeId, ArgumentPath], ...]:
        return tuple(use for use in builder.uses_of(name) if builder.index(use[0]) > at)

    others = [name for name in memory.members(given) if name != given and builder.index(name) < at]
    return None if any(map(later, others)) else later(given)


def _named(graph: Graph, names: tuple[str, ...], modules: tuple[str, ...]) -> tuple[NodeId, ...]:
    """Calls by what they call; of a module by its type, since its name is the user's."""
    called = _called(graph, names)
    return tuple(
        node.id
        for node in graph.nodes
        if (node.target in called or node.op == "call_module")
        and _is_named(node, names, modules)
        and node.inputs()
    )


def _called(graph: Graph, names: tuple[str, ...]) -> set[str]:
    """The targets in a graph that have one of these names in short: a large graph has few targets."""
    return {target for target in {node.target for node in graph.nodes} if short_name(target) in names}


def _is_named(node: Node, names: tuple[str, ...], modules: tuple[str, ...]) -> bool:
    if node.op == "call_module" and node.module_path == node.target:
        return node.module_type in modules
    return node.op.startswith("call") and short_target(node) in names
