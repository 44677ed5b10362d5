"""A convolution and its batch norm that are called as modules, as torch.fx traces them, written as calls with parameters."""

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.ir.arguments import Argument, ConstantArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_CONVOLUTIONS = ("Conv1d", "Conv2d", "Conv3d")
_NORMS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d")


def write_as_calls(builder: EditBuilder, chosen: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    """Let every such pair in evaluation mode, whose convolution nothing else uses, be calls of functions. Gives the norms."""
    graph = builder.graph
    users = graph.users()
    found = []
    for norm in graph.nodes:
        conv = _convolution(graph, norm)
        if conv is None or users[conv.id] != (norm.id,) or (chosen and norm.id not in chosen):
            continue
        _write_norm(builder, norm, conv.id)
        _write_convolution(builder, conv)
        found.append(norm.id)
    return tuple(found)


def _convolution(graph: Graph, norm: Node) -> Node | None:
    settings = dict(norm.settings.items)
    evaluated = _text(settings.get("training")) == "False" and "running_mean" in settings
    if not _is_module(norm, _NORMS) or not evaluated or len(norm.inputs()) != 1:
        return None
    conv = graph.node(norm.inputs()[0])
    padded = _text(dict(conv.settings.items).get("padding_mode"))
    return conv if _is_module(conv, _CONVOLUTIONS) and padded == "'zeros'" else None


def _is_module(node: Node, kinds: tuple[str, ...]) -> bool:
    return node.op == "call_module" and node.module_path == node.target and node.module_type in kinds


def _text(argument: Argument | None) -> str:
    return argument.text if isinstance(argument, ConstantArgument) else ""


def _write_convolution(builder: EditBuilder, conv: Node) -> None:
    settings = dict(conv.settings.items)
    own = {name: _state(builder, conv, name, conv.id) for name in ("weight", "bias") if name in settings}
    rest = (settings[name] for name in ("stride", "padding", "dilation", "groups"))
    target = f"torch.nn.functional.{conv.module_type.lower()}"
    builder.replace(conv.id, target, (conv.inputs()[0], own["weight"], own.get("bias"), *rest))


def _write_norm(builder: EditBuilder, norm: Node, before: NodeId) -> None:
    """Its parameters stand before the convolution, whose weight is made of them."""
    settings = dict(norm.settings.items)
    names = ("running_mean", "running_var", "weight", "bias")
    own = [_state(builder, norm, name, before) if name in settings else None for name in names]
    given = (norm.inputs()[0], *own, False, 0.0, settings["eps"])
    builder.replace(norm.id, "torch.nn.functional.batch_norm", given)


def _state(builder: EditBuilder, node: Node, name: str, before: NodeId) -> NodeId:
    return builder.attribute(f"{node.id}_{name}", f"{node.target}.{name}", before, node)
