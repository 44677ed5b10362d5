"""From the spelling of an operation to torch's object, by looking names up from fixed roots. Nothing is evaluated."""

import math
import operator
from collections.abc import Iterable
from typing import Any

import torch
import torch.fx

from compiler.engine.fx import probe_ops as probe_ops  # registers the operation that a probe is
from compiler.engine.fx.allowed_targets import is_method, is_passed_through, may_be_called
from compiler.engine.fx.graph_import import target_name
from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)

_ROOTS: dict[str, Any] = {
    "torch": torch,
    "operator": operator,
    "_operator": operator,
    "math": math,
}


_NO_OPERATION = "is not an operation: edits call operations on tensors and numbers, and nothing else."


def find_target(op: str, target: str, own: Iterable[Any] = ()) -> Any:
    """What a node of this op and target calls. Raises KeyError with words for the person.

    Found are operations on tensors and numbers (`allowed_targets`), and what the program's graph calls already (`own`).
    """
    if op != "call_function":
        if op == "call_method" and not is_method(target) and target not in own:
            raise KeyError(f"Tensors have no method {target!r} that computes something.")
        return target
    for function in own:
        if not isinstance(function, str) and target_name(function) == target:
            return function
    found = _look_up(target)
    if not callable(found):
        raise KeyError(f"{target!r} cannot be called.")
    if not may_be_called(found):
        raise KeyError(f"{target!r} {_NO_OPERATION}")
    return found


def _look_up(target: str) -> Any:
    root, *path = target.split(".")
    if root in _ROOTS:
        found = _ROOTS[root]
    else:
        found, path = torch.ops, [root, *path]
    for part in path:
        if not is_passed_through(found):
            raise KeyError(f"{target!r} {_NO_OPERATION}")
        if part.startswith("__") or not hasattr(found, part):
            raise KeyError(f"This torch has no {target!r}.")
        found = getattr(found, part)
    return found


def find_argument(argument: Argument, nodes: dict[str, torch.fx.Node]) -> Any:
    """The argument as torch wants it. Raises KeyError for a node or a spelling that is not there."""
    match argument:
        case NodeArgument():
            if argument.node not in nodes:
                raise KeyError(f"There is no node {argument.node}.")
            return nodes[argument.node]
        case SequenceArgument():
            items = [find_argument(item, nodes) for item in argument.items]
            return items if argument.kind == "list" else tuple(items)
        case MappingArgument():
            return {key: find_argument(item, nodes) for key, item in argument.items}
        case SliceArgument():
            return slice(
                *(find_argument(part, nodes) for part in (argument.start, argument.stop, argument.step))
            )
        case ConstantArgument():
            return _constant(argument)


def _constant(argument: ConstantArgument) -> Any:
    import ast

    match argument.kind:
        case "none":
            return None
        case "ellipsis":
            return Ellipsis
        case "dtype" | "layout" | "memory_format":
            found = getattr(torch, argument.text.removeprefix("torch."), None)
            if not isinstance(found, torch.dtype | torch.layout | torch.memory_format):
                raise KeyError(f"{argument.text!r} is no {argument.kind} of this torch.")
            return found
        case "device":
            return torch.device(ast.literal_eval(argument.text.removeprefix("device(").removesuffix(")")))
        case "float" if argument.text in ("inf", "-inf", "nan"):
            return float(argument.text)
        case "opaque":
            raise KeyError(f"{argument.text!r} can be kept where it is, but not put elsewhere.")
        case _:
            return ast.literal_eval(argument.text)
