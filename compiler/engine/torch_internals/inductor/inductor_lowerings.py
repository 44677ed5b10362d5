"""Which operators Inductor takes as they are, behind AOTAutograd, where torch decomposes nothing any more, and the decomposition of what
an edit put there and Inductor would refuse.
"""

import operator
from typing import Any

import torch
import torch._inductor.decomposition
import torch._inductor.lowering
import torch.fx
from torch._dynamo.utils import detect_fake_mode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

GIVES = "operators that Inductor lowers"
NEEDS = (
    "torch._inductor.lowering:lowerings",
    "torch._inductor.decomposition:decompositions",
    "torch._inductor.decomposition:select_decomp_table",
)
STANDS_FOR = "torch_loupe_stands_for"
"""In the metadata of a node that is lowered in the place of one of the graph that is shown: the name of that one."""
_OWN = frozenset({"val", "tensor_meta", "original_aten"})
"""What of a node's metadata says what it is, and not where it comes from."""


def can_lower(target: Any) -> bool:
    """Whether Inductor has a lowering for an operator or may call it as it is; one that it would have decomposed before
    is refused by it.
    """
    return (
        target in torch._inductor.lowering.lowerings
        or target not in torch._inductor.decomposition.decompositions
    )


def can_take(target: Any) -> bool:
    """Whether an edit may put an operator behind AOTAutograd: random numbers are replaced by Inductor's own before."""
    return can_lower(target) or torch.Tag.nondeterministic_seeded not in target.tags


def decompose(module: torch.fx.GraphModule, is_lowered: bool = False) -> None:
    """Decompose, as torch does before this graph, each call that Inductor would refuse: only an edit can have put it here. The last of
    what becomes of a node keeps its name; all keep where it comes from. `is_lowered`: what follows is the loop IR, which is linked
    to the graph as it was. Raises what a decomposition raises.
    """
    for inner in module.modules():
        if isinstance(inner, torch.fx.GraphModule):
            refused = [node for node in inner.graph.nodes if _is_refused(node)]
            for node in refused:
                _decompose(inner, node, {STANDS_FOR: node.name} if is_lowered else {})
            if refused:
                inner.graph.lint()
                inner.recompile()


def _is_refused(node: torch.fx.Node) -> bool:
    known = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
    return known and not can_lower(node.target)


def _decompose(module: torch.fx.GraphModule, node: torch.fx.Node, more: dict[str, str]) -> None:
    graph, inputs = module.graph, node.all_input_nodes
    values = [_value(module, used) for used in inputs]
    traced = _traced(node, inputs, values)
    new: dict[torch.fx.Node, Any] = {}
    given = iter(inputs)
    last: Any = traced.graph.output_node().args[0]
    with graph.inserting_before(node):
        for inside in traced.graph.nodes:
            if inside.op == "placeholder":
                new[inside] = next(given)
            elif inside.op == "get_attr":
                new[inside] = _constant(module, graph, getattr(traced, str(inside.target)))
            elif inside.op != "output":
                made = graph.create_node(
                    inside.op,
                    inside.target,
                    *torch.fx.map_arg((inside.args, inside.kwargs), new.__getitem__),
                )
                new[inside] = made
                made.meta = {key: value for key, value in node.meta.items() if key not in _OWN}
                made.meta |= {key: value for key, value in inside.meta.items() if key in _OWN}
                made.meta |= {"original_aten": node.target, **more}
    if isinstance(last, torch.fx.Node):
        _stand_in(node, new[last], set(inputs))
        return
    for user in list(node.users):  # of several results each is got by itself
        part = last[user.args[1]] if user.target is operator.getitem else None
        if part is None:
            raise NotImplementedError(f"{user.name} takes {node.name} whole")
        _stand_in(user, new[part], set(inputs))
    graph.erase_node(node)


def _stand_in(node: torch.fx.Node, made: torch.fx.Node, inputs: set[torch.fx.Node]) -> None:
    """The name goes to what is used instead, unless that is what the decomposition was given."""
    name, graph = node.name, node.graph
    node.replace_all_uses_with(made)
    graph.erase_node(node)
    if made not in inputs:
        made.name = name


def _value(module: torch.fx.GraphModule, node: torch.fx.Node) -> Any:
    if "val" not in node.meta and node.op == "get_attr":
        return operator.attrgetter(str(node.target))(module)
    return node.meta["val"]


def _constant(module: torch.fx.GraphModule, graph: torch.fx.Graph, value: Any) -> torch.fx.Node:
    count = 0
    while hasattr(module, name := f"_taken_apart_constant{count}"):
        count += 1
    setattr(module, name, value)
    made = graph.get_attr(name)
    made.meta["val"] = value
    return made


def _traced(node: torch.fx.Node, inputs: list[torch.fx.Node], values: list[Any]) -> torch.fx.GraphModule:
    def call(*args: Any) -> Any:
        own = dict(zip(inputs, args, strict=True))
        taken, named = torch.fx.map_arg((node.args, node.kwargs), own.__getitem__)
        result = node.target(*taken, **named)  # type: ignore[operator]
        return result if isinstance(result, torch.Tensor) else tuple(pytree.tree_leaves(result))

    table = torch._inductor.decomposition.select_decomp_table()
    mode = detect_fake_mode(values)
    tracing = make_fx(call, decomposition_table=table)
    if mode is None:
        return tracing(*values)
    with mode:
        return tracing(*values)
