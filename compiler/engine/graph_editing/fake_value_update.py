"""Result types in the metadata of a live graph after an edit: torch's partitioner and passes read them there.

Only what an edit touched is computed again, and what follows from it as long as its type is another one than before.
"""

import contextlib
import operator
from collections.abc import Collection
from typing import Any

import torch
import torch.fx
from torch.fx.passes.shape_prop import _extract_tensor_metadata
from torch.utils import _pytree as pytree

from compiler.engine.fx.graph_import import read_value
from compiler.engine.graph_editing.shape_propagation import propagate_with_values


def refresh_values(module: torch.fx.GraphModule, touched: Collection[str], fake_mode: Any) -> str:
    """Give the named nodes of a graph of aten operations, and what follows from them, fresh fake results.

    Gives "" or, in words, which node does not fit its inputs and why.
    """
    stale = set(touched)
    with torch.no_grad(), fake_mode or contextlib.nullcontext():
        for node in module.graph.nodes:
            if node.name in stale and node.op == "call_function":
                try:
                    _refresh(module, node, stale)
                except Exception as error:  # noqa: BLE001  any operator may raise anything; it is the answer
                    reason = str(error).strip().split("\n")[0]
                    return f"{node.name} does not work after this edit: {type(error).__name__}: {reason}"
    return ""


def _refresh(module: torch.fx.GraphModule, node: torch.fx.Node, stale: set[str]) -> None:
    def value_of(used: torch.fx.Node) -> Any:
        if "val" not in used.meta and used.op == "get_attr":
            return operator.attrgetter(str(used.target))(module)
        return used.meta.get("val")

    before = node.meta.get("val")
    target: Any = node.target
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), value_of)
    value = target(*args, **kwargs)
    if before is not None and read_value(before) == read_value(value):
        return
    node.meta["val"] = value
    node.meta.pop("tensor_meta", None)
    if isinstance(value, torch.Tensor):
        node.meta["tensor_meta"] = _extract_tensor_metadata(value)
    elif isinstance(value, tuple | list):
        node.meta["tensor_meta"] = pytree.tree_map_only(torch.Tensor, _extract_tensor_metadata, value)
    stale.update(user.name for user in node.users)


def refresh_examples(
    module: torch.fx.GraphModule, touched: Collection[str], inputs: list[Any], fake_mode: Any, gradients: bool
) -> None:
    """The same for a graph of torch-level calls, as far as it can be run; its types stand under another name. Of what a
    nested region gives, torch reads there whether it has `gradients`.
    """
    if not touched:
        return
    values, _ = propagate_with_values(module, list(inputs), fake_mode, gradients)
    for node in module.graph.nodes:
        if node.name not in values:
            continue
        value = values[node.name]
        known = node.meta.get("example_value")
        if node.op != "placeholder" and (known is None or read_value(known) != read_value(value)):
            node.meta["example_value"] = value
