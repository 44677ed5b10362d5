"""A batch norm in evaluation mode folded into the convolution before it.

The folded weight and bias are computed by nodes from the module's own parameters and statistics, so the model's state
stays what it is; they are small beside the batch norm over every pixel, which goes.
"""

from collections.abc import Mapping

import msgspec

from compiler.analysis.transforms.edit_building import EditBuilder, Given
from compiler.analysis.transforms.module_calls import write_as_calls
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.node_edits import SetArguments
from compiler.model.edits.validation import EditError
from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    node_in,
)
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue, Value

_CONVOLUTIONS = tuple(
    f"torch.{prefix}conv{dimensions}d" for prefix in ("nn.functional.", "") for dimensions in (1, 2, 3)
)
_NORMS = ("torch.nn.functional.batch_norm", "torch.batch_norm")
_NAMES = ("input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps")


class _Pair(msgspec.Struct, frozen=True):
    """A convolution that only a batch norm uses."""

    conv: Node
    norm: Node
    weight: NodeId
    bias: NodeId | None
    mean: NodeId
    variance: NodeId
    gamma: NodeId | None
    beta: NodeId | None
    eps: float


def fold_conv_bn(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Fold every batch norm that is not in training into its convolution. Raises EditError where there is none."""
    if speaks_aten(graph):
        raise EditError(
            "Batch norms are folded where a graph has the calls that Python makes, and this one has aten's operations: behind "
            "AOTAutograd torch decomposes them into differences and products per channel, which Inductor computes in the "
            "kernels around. Fold them in Dynamo's graph, in the one after the pre-grad passes, or in that of torch.fx."
        )
    builder = EditBuilder(stage, graph)
    write_as_calls(builder, chosen)
    graph = builder.graph
    users = graph.users()
    for norm in graph.nodes:
        if norm.target not in _NORMS or (chosen and norm.id not in chosen):
            continue
        pair = _pair(graph, norm, users)
        if pair is not None:
            _fold(builder, pair)
    return builder.group(
        "Fold batch norms into convolutions",
        "There is no convolution followed by a batch norm in evaluation mode (and used by nothing else).",
    )


def _pair(graph: Graph, norm: Node, users: Mapping[NodeId, tuple[NodeId, ...]]) -> _Pair | None:
    given: dict[str, Argument] = dict(zip(_NAMES, norm.args.items, strict=False)) | dict(norm.kwargs.items)
    conv_name, mean, variance = (
        node_in(given.get(name)) for name in ("input", "running_mean", "running_var")
    )
    training, eps = given.get("training"), given.get("eps", ConstantArgument("float", "1e-05"))
    if conv_name is None or mean is None or variance is None or not isinstance(eps, ConstantArgument):
        return None
    if isinstance(training, ConstantArgument) and training.text != "False":
        return None
    conv = graph.node(conv_name)
    if conv.target not in _CONVOLUTIONS or users[conv.id] != (norm.id,) or len(conv.args.items) < 2:
        return None
    weight = node_in(conv.args.items[1])
    bias = conv.args.items[2] if len(conv.args.items) > 2 else dict(conv.kwargs.items).get("bias")
    if weight is None or "weight" in dict(conv.kwargs.items):
        return None
    return _Pair(
        conv, norm, weight, node_in(bias), mean, variance, node_in(given.get("weight")), node_in(given.get("bias")),
        float(eps.text),
    )  # fmt: skip


def _fold(builder: EditBuilder, pair: _Pair) -> None:
    conv = pair.conv

    def call(
        wish: str, target: str, *given: Given, value: Value | None = None, method: bool = False
    ) -> NodeId:
        typed = value or channels
        return builder.call(wish, target, *given, before=conv.id, like=pair.norm, value=typed, method=method)

    channels = builder.node(pair.mean).value
    weight_type = builder.node(pair.weight).value
    dimensions = len(weight_type.shape) if isinstance(weight_type, TensorValue) else int(conv.target[-2]) + 2
    shifted = call("var_eps", "_operator.add", pair.variance, pair.eps)
    scale = call("scale", "torch.rsqrt", shifted)
    if pair.gamma is not None:
        scale = call("scale_gamma", "_operator.mul", scale, pair.gamma)
    minus_one, one = ConstantArgument("int", "-1"), ConstantArgument("int", "1")
    sizes = SequenceArgument("tuple", (minus_one, *([one] * (dimensions - 1))))
    column = call("scale_column", "reshape", scale, sizes, method=True)
    weight = call("folded_weight", "_operator.mul", pair.weight, column, value=weight_type)
    centred = (
        call("centred", "_operator.sub", pair.bias, pair.mean)
        if pair.bias
        else call("minus_mean", "_operator.neg", pair.mean)
    )
    bias = call("folded_bias", "_operator.mul", centred, scale)
    if pair.beta is not None:
        bias = call("folded_bias_beta", "_operator.add", bias, pair.beta)
    _give(builder, conv.id, weight, bias)
    builder.bypass(pair.norm.id, conv.id)


def _give(builder: EditBuilder, called: NodeId, weight: NodeId, bias: NodeId) -> None:
    conv = builder.node(called)  # what it convolves may have been a norm that is folded already
    items = list(conv.args.items)
    items[1] = NodeArgument(weight)
    named = dict(conv.kwargs.items)
    if len(items) > 2:
        items[2] = NodeArgument(bias)
    else:
        named["bias"] = NodeArgument(bias)
    args = SequenceArgument("tuple", tuple(items))
    builder.make(SetArguments(builder.stage, conv.id, args, MappingArgument(tuple(named.items()))))
