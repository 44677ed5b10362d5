"""Parts of graphs that a node holds, made callable: a submodule of the graph, or an operator."""

from typing import Any

import torch.fx

from compiler.engine.fx.custom_op_bodies import note_body
from compiler.engine.fx.resolve_target import find_argument, find_target
from compiler.engine.torch_internals.dispatcher import made_operators
from compiler.model.edits.subgraphs import OPERATORS
from compiler.model.ir.arguments import MappingArgument
from compiler.model.ir.graph import Node


def body_module(body: tuple[Node, ...], own: tuple[Any, ...] = ()) -> torch.fx.GraphModule:
    """A module that makes the calls of a body. Raises KeyError for what is no operation of this torch, nor in `own`."""
    graph = torch.fx.Graph()
    live: dict[str, torch.fx.Node] = {}
    for node in body:
        args = tuple(find_argument(item, live) for item in node.args.items)
        kwargs: dict[str, Any] = find_argument(MappingArgument(node.kwargs.items), live)
        target = (
            node.target if node.op in ("placeholder", "output") else find_target(node.op, node.target, own)
        )
        live[node.id] = graph.create_node(node.op, target, args, kwargs, name=node.id)
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def make_callable(module: torch.fx.GraphModule, node: Node, own: tuple[Any, ...]) -> None:
    """Let the graph of `module` call what a node with a body calls. Raises KeyError."""
    if node.op == "call_module":
        module.add_submodule(node.target, body_module(node.body, own))
    elif node.target.startswith(f"{OPERATORS}."):
        note_body(node.target, node.body)
        name = node.target.removeprefix(f"{OPERATORS}.").removesuffix(".default")
        made_operators.register(f"{OPERATORS}::{name}", body_module(node.body, own))
