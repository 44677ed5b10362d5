"""Attention written out (matmul, scale, mask, softmax, dropout, matmul) made one scaled_dot_product_attention."""

from collections.abc import Mapping

import msgspec

from compiler.analysis.transforms.edit_building import EditBuilder, Given
from compiler.model.diagrams.diagrams import short_target
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.validation import EditError
from compiler.model.effects.memory import Memory, memory_of
from compiler.model.ir.arguments import ConstantArgument, SequenceArgument, node_in
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue

_SDPA = "torch.nn.functional.scaled_dot_product_attention"
_PRODUCTS = ("matmul", "bmm")


class _Attention(msgspec.Struct, frozen=True):
    """What was found, from the output backwards."""

    output: Node
    query: NodeId
    keys: NodeId
    """Transposed, as the first product uses them."""
    values: NodeId
    scale: float
    mask: NodeId | None
    dropout: float
    inner: tuple[NodeId, ...]
    """What the operation stands for, besides the output, last first."""


def attention_to_sdpa(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Replace each attention that is written out. Raises EditError where there is none."""
    if speaks_aten(graph):
        raise EditError(
            "Behind AOTAutograd softmax is decomposed, forward and backward apart, and Inductor has looked for attentions "
            "already (its fuse_attention patterns). Replace it in Dynamo's graph or the one after the pre-grad passes."
        )
    builder, memory = EditBuilder(stage, graph), memory_of(graph)
    users = graph.users()
    for node in graph.nodes:
        found = _found(graph, node, users) if not chosen or node.id in chosen else None
        if found is not None and not _is_written_on_the_way(found, memory):
            _replace(builder, found)
    return builder.group(
        "Attention → scaled_dot_product_attention",
        "There is no softmax(q @ k.transpose(-2, -1) · scale + mask) @ v whose steps are used by nothing else.",
    )


def _found(graph: Graph, output: Node, users: Mapping[NodeId, tuple[NodeId, ...]]) -> _Attention | None:
    if short_target(output) not in _PRODUCTS or len(output.args.items) != 2:
        return None
    return _Reader(graph, output, users).read()


def _is_written_on_the_way(found: _Attention, memory: Memory) -> bool:
    """Whether something writes to what an attention read by then between its first product and its last: one call reads all at the end."""
    used = (found.query, found.keys, *found.inner, *([found.mask] if found.mask else ()))
    return any(memory.is_written_between(name, found.inner[-1], found.output.id) for name in used)


class _Reader:
    """Reads upwards from the last product; every step in between must have no other user."""

    def __init__(self, graph: Graph, output: Node, users: Mapping[NodeId, tuple[NodeId, ...]]) -> None:
        self._graph, self._output, self._users = graph, output, users
        self._scale = 1.0
        self._mask: NodeId | None = None
        self._dropout = 0.0
        self._inner: list[NodeId] = []
        self._scores = False
        """Whether softmax was passed: what stands above it makes the scores."""

    def read(self) -> _Attention | None:
        step, values = (node_in(item) for item in self._output.args.items)
        while step is not None and values is not None and self._only_here(step):
            node = self._graph.node(step)
            if self._scores and short_target(node) in _PRODUCTS and len(node.args.items) == 2:
                return self._product(node, values)
            if not self._pass(node, short_target(node)):
                return None
            self._inner.append(step)
            step = node_in(node.args.items[0])
        return None

    def _only_here(self, step: NodeId) -> bool:
        return self._users[step] == (self._inner[-1] if self._inner else self._output.id,)

    def _product(self, node: Node, values: NodeId) -> _Attention | None:
        query, keys = (node_in(item) for item in node.args.items)
        if query is None or keys is None:
            return None
        inner = (*self._inner, node.id)
        return _Attention(self._output, query, keys, values, self._scale, self._mask, self._dropout, inner)

    def _pass(self, node: Node, name: str) -> bool:
        """Take a step into account; False where it is no step of attention."""
        if not node.args.items:
            return False
        if not self._scores:
            return self._weights_step(node, name)
        if name == "add" and self._mask is None and self._scale == 1.0 and len(node.args.items) == 2:
            self._mask = node_in(node.args.items[1])
            return (
                self._mask is not None and _is_added(self._graph.node(self._mask)) and not node.kwargs.items
            )
        factor = _factor(node, name) if name in ("mul", "truediv", "div") else None
        self._scale *= factor or 1.0
        return factor is not None

    def _weights_step(self, node: Node, name: str) -> bool:
        if name == "dropout" and not self._inner:
            rate = _dropout_rate(node)
            self._dropout = rate or 0.0
            return rate is not None
        self._scores = name == "softmax" and _over_last(node)
        return self._scores


def _is_added(mask: Node) -> bool:
    """A mask of truth values is none that is added: the operation takes it for what to keep."""
    return not isinstance(mask.value, TensorValue) or mask.value.dtype.startswith(("float", "bfloat"))


def _factor(node: Node, name: str) -> float | None:
    number = node.args.items[1] if len(node.args.items) == 2 else None
    if not isinstance(number, ConstantArgument) or number.kind not in ("int", "float") or node.kwargs.items:
        return None
    value = float(number.text)
    return None if value == 0 else value if name == "mul" else 1 / value


def _over_last(node: Node) -> bool:
    given = dict(node.kwargs.items)
    dimension = given.get("dim", node.args.items[1] if len(node.args.items) > 1 else None)
    if not isinstance(dimension, ConstantArgument) or "dtype" in given:
        return False
    size = len(node.value.shape) if isinstance(node.value, TensorValue) else 0
    return dimension.text in ("-1", str(size - 1))


def _dropout_rate(node: Node) -> float | None:
    given = dict(zip(("input", "p", "training", "inplace"), node.args.items, strict=False)) | dict(
        node.kwargs.items
    )
    rate, training = given.get("p"), given.get("training", ConstantArgument("bool", "True"))
    if not isinstance(training, ConstantArgument):
        return None
    if training.text == "False":
        return 0.0
    return float(rate.text) if isinstance(rate, ConstantArgument) else 0.5


def _replace(builder: EditBuilder, found: _Attention) -> None:
    keys = _untransposed(builder.node(found.keys))
    if keys is None:
        axes = (ConstantArgument("int", "-2"), ConstantArgument("int", "-1"))
        keys = builder.call(
            "keys", "transpose", found.keys, *axes, before=found.output.id, like=found.output, method=True
        )
    named: list[tuple[str, Given]] = [("scale", found.scale)]
    if found.mask is not None:
        named.insert(0, ("attn_mask", found.mask))
    if found.dropout:
        named.insert(0, ("dropout_p", found.dropout))
    builder.replace(found.output.id, _SDPA, (found.query, keys, found.values), tuple(named))
    for node in found.inner:
        builder.bypass(node, None)
    if found.keys != keys and not builder.uses_of(found.keys):
        builder.bypass(found.keys, None)


def _untransposed(node: Node) -> NodeId | None:
    """The node that a transposition of the last two axes was made of."""
    axes = [item.text for item in node.args.items[1:] if isinstance(item, ConstantArgument)]
    last = len(node.value.shape) if isinstance(node.value, TensorValue) else 0
    swaps = ({"-2", "-1"}, {str(last - 2), str(last - 1)}, {"-2", str(last - 1)}, {str(last - 2), "-1"})
    if short_target(node) == "transpose" and len(axes) == 2 and set(axes) in swaps:
        return node_in(node.args.items[0])
    order = node.args.items[1:]
    if len(order) == 1 and isinstance(order[0], SequenceArgument):
        order = order[0].items
    numbers = [item.text for item in order if isinstance(item, ConstantArgument)]
    swapped = [*map(str, range(last - 2)), str(last - 1), str(last - 2)]
    return node_in(node.args.items[0]) if short_target(node) == "permute" and numbers == swapped else None
