"""Which FX node a loop node computes, distinguished from what torch merely names as its origin.

Torch's origins of a loop node are all FX nodes that went into its arguments. Some of those are computed by other loop nodes, and
some are views, of which nothing may be left: the loops that read through one are the same where it does not change the
order in memory. Certain is what was seen: code of the FX node is in the loop body, or the library call was made for it. A
view is a guess, but where it is called itself.
"""

import math
from collections.abc import Iterable, Iterator

import msgspec

from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import LoopNode
from compiler.model.ir.tensor_types import TensorValue

_RESHAPES = {
    "aten.view.default", "aten._unsafe_view.default", "aten.reshape.default", "aten.unsqueeze.default",
    "aten.squeeze.dim", "aten.squeeze.dims", "aten.squeeze.default", "aten.expand.default", "aten.alias.default",
    "aten.detach.default",
}  # fmt: skip
_VIEWS = _RESHAPES | {
    "aten.permute.default", "aten.transpose.int", "aten.t.default", "aten.select.int", "aten.slice.Tensor",
    "aten.as_strided.default", "aten.diagonal.default", "aten.unfold.default", "_operator.getitem",
}  # fmt: skip
Pairs = list[tuple[NodeId, NodeId]]


def lowered_pairs(graph: Graph, nodes: Iterable[LoopNode]) -> tuple[Pairs, Pairs]:
    """(FX node, loop node): those that are certain, and those of torch's origins that may be."""
    known = graph.by_id()
    views = {node.id for node in graph.nodes if node.target in _VIEWS and node.target != "_operator.getitem"}
    still = views | {node.id for node in graph.nodes if _moves_nothing(node, known)}
    rows = list(nodes)
    seen = {row.id: _computed(row, known) for row in rows}
    in_others = {name for names in seen.values() for name in names}
    certain: Pairs = []
    likely: Pairs = []
    for row in rows:
        own = seen[row.id] if row.computes else set(row.origins)
        for name in dict.fromkeys((*row.computes, *row.origins, *sorted(own))):
            if name not in known:
                continue
            if name in own and (name not in still or _is_called(known[name], row)):
                certain.append((name, row.id))
            elif name in own or name in still or name not in in_others:
                likely.append((name, row.id))
    return certain, likely


def of_body(nodes: Iterable[LoopNode], body: str) -> Iterator[LoopNode]:
    """Loop nodes with what they have of a body that Inductor lowered in place, by the names that the body has for it."""
    head = f"{body}."
    for row in nodes:
        origins, computes = (
            tuple(name.removeprefix(head) for name in names if name.startswith(head))
            for names in (row.origins, row.computes)
        )
        if origins or computes:
            yield msgspec.structs.replace(row, origins=origins, computes=computes, value_of="")


def inlined_pairs(outer: Graph, name: str, body: Graph, nodes: Iterable[LoopNode]) -> Pairs:
    """(node of a body, loop node), where Inductor writes all of a body into the one kernel of the call that has it
    (``flex_attention``) and notes the call alone. Which of the body is left there is not known.
    """
    own = name.rpartition(".")[2]
    got = {node.id for node in outer.nodes if node.op == "get_attr" and node.target == own}
    callers = {node.id for node in outer.nodes if not got.isdisjoint(node.inputs())}
    rows = [row.id for row in nodes if not callers.isdisjoint(row.computes or row.origins)]
    inside = [node.id for node in body.nodes if node.op not in ("placeholder", "output")]
    return [(node, row) for row in rows for node in inside]


def _computed(row: LoopNode, known: dict[NodeId, Node]) -> set[NodeId]:
    """FX nodes of which code is in a loop node; for a library call, with the views it reads through."""
    names = {name for name in row.computes if name in known}
    if row.body:
        return names
    names |= {name for name in row.origins if known.get(name) and _picks(known[name], names)}
    stack = list(names)
    while stack:
        for used in known[stack.pop()].inputs():
            if used not in names and used in row.origins and known[used].target in _VIEWS:
                names.add(used)
                stack.append(used)
    return names


def _is_called(node: Node, row: LoopNode) -> bool:
    """A view that Inductor writes no loops for, and calls as it stands: of complex numbers."""
    return node.id in row.computes and row.operation == f"torch.ops.{node.target}"


def _picks(node: Node, names: set[NodeId]) -> bool:
    """One of several results of a call."""
    return node.target == "_operator.getitem" and bool(names.intersection(node.inputs()))


def _moves_nothing(node: Node, known: dict[NodeId, Node]) -> bool:
    """A view of a tensor that lies in memory without gaps, in order, as another such tensor of as many elements."""
    inputs = node.inputs()
    if node.target not in _RESHAPES or len(inputs) != 1:
        return False
    before, after = known[inputs[0]].value, node.value
    return (
        isinstance(before, TensorValue)
        and isinstance(after, TensorValue)
        and _is_dense(before)
        and _is_dense(after)
        and before.bytes == after.bytes
    )


def _is_dense(value: TensorValue) -> bool:
    if value.stride is None or value.bytes is None:
        return False
    sizes = [int(size) for size in value.shape]
    steps = [math.prod(sizes[index + 1 :]) for index in range(len(sizes))]
    return all(
        size == 1 or step == str(wanted)
        for size, step, wanted in zip(sizes, value.stride, steps, strict=True)
    )
