"""The model's own modules as something a node could call: Dynamo writes a module as a call with its parameters, so what
another module does is that call on this node's input.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.graph_import import read_argument, read_node, read_value, target_name
from compiler.model.ir.arguments import MappingArgument, SequenceArgument
from compiler.model.ir.tensor_types import describe
from compiler.model.operators.op_candidates import OpChoice


def module_choices(node: torch.fx.Node, value_of: Callable[[torch.fx.Node], Any]) -> Iterator[OpChoice]:
    """Every module of the graph that takes what the node takes first, by its path; tried out, as all choices are."""
    if not node.args or not isinstance(node.args[0], torch.fx.Node):
        return
    given = value_of(node.args[0])
    yield from _called_modules(node, given)
    for other in node.graph.nodes:
        if other is node or other.op != "call_function" or not other.args or not _has_parameters(other):
            continue
        plain = read_node(other)
        if not plain.module_path:
            continue
        args = (node.args[0], *other.args[1:])
        values, named = torch.fx.map_arg(((given, *other.args[1:]), dict(other.kwargs)), value_of)
        try:
            result = other.target(*values, **named)
        except Exception:  # noqa: BLE001  whatever it raises, the module does not take this input
            continue
        if isinstance(result, torch.Tensor):
            kind = plain.module_type.rpartition(".")[2]
            yield OpChoice(
                op="call_function",
                target=target_name(other.target),
                label=plain.module_path,
                signature=f"{kind} {plain.module_path}, as {other.name} calls it → {describe(read_value(result))}",
                args=SequenceArgument("tuple", tuple(read_argument(item) for item in args)),
                kwargs=MappingArgument(
                    tuple((key, read_argument(item)) for key, item in other.kwargs.items())
                ),
            )


def _called_modules(node: torch.fx.Node, given: Any) -> Iterator[OpChoice]:
    """Those that the graph calls as modules (`call_module`), each once."""
    owner = node.graph.owning_module
    seen = {str(node.target)} if node.op == "call_module" else set()
    for other in node.graph.nodes:
        path = str(other.target)
        if other.op != "call_module" or path in seen or owner is None:
            continue
        seen.add(path)
        module = owner.get_submodule(path)
        try:
            result = module(given)
        except Exception:  # noqa: BLE001  whatever it raises, the module does not take this input
            continue
        if isinstance(result, torch.Tensor):
            yield OpChoice(
                op="call_module",
                target=path,
                label=path,
                signature=f"{type(module).__name__} {path} → {describe(read_value(result))}",
                args=SequenceArgument("tuple", (read_argument(node.args[0]),)),
            )


def _has_parameters(node: torch.fx.Node) -> bool:
    """Whether all that a call is given but its first input comes from outside the graph: a module's own state."""
    inputs = node.all_input_nodes
    rest = [used for used in inputs if used is not node.args[0]]
    return bool(rest) and all(used.op in ("placeholder", "get_attr") for used in rest)
