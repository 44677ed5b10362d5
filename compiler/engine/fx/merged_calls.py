"""Which calls AOTAutograd's partitioner made one: it keeps the first of equal ones and does not say which."""

from typing import Any

import torch
from torch.fx.node import map_arg

from compiler.model.ir.ids import NodeId


def merged_calls(before: torch.fx.Graph, after: torch.fx.Graph) -> dict[NodeId, NodeId]:
    """Call that is not there any more → the equal one that is used in its place. Names stay as they were."""
    kept = {node.name for node in after.nodes}
    stands_for: dict[torch.fx.Node, torch.fx.Node] = {}
    known: dict[tuple[Any, str], torch.fx.Node] = {}
    for node in before.nodes:
        if node.op != "call_function" or _is_random(node):
            continue
        args, kwargs = map_arg((node.args, node.kwargs), lambda used: stands_for.get(used, used))
        call = node.target, repr((args, kwargs))
        if node.name in kept:
            known[call] = node
        elif call in known:
            stands_for[node] = known[call]
    return {node.name: other.name for node, other in stands_for.items()}


def _is_random(node: torch.fx.Node) -> bool:
    """Two draws are never one: that which is gone was not used."""
    return torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())
