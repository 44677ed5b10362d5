"""Which calls of Dynamo's graph write their first argument."""

import inspect

import torch

from compiler.model.effects.purity import IN_PLACE_OPERATORS
from compiler.model.ir.arguments import Argument, ConstantArgument
from compiler.model.ir.graph import Node

_FUNCTIONAL = "torch.nn.functional."


def writes_in_place(node: Node) -> bool:
    """``relu_``, ``+=``, ``x[0] = y``, or ``hardtanh`` that is asked to (`inplace=True`, which torch's modules give by place)."""
    name = node.target.rpartition(".")[2]
    if name.endswith("_") or name in IN_PLACE_OPERATORS:
        return True
    return node.target.startswith(_FUNCTIONAL) and _is_true(_inplace(node, name))


def _inplace(node: Node, name: str) -> Argument | None:
    named = dict(node.kwargs.items)
    if "inplace" in named:
        return named["inplace"]
    try:
        parameters = list(inspect.signature(getattr(torch.nn.functional, name)).parameters)
        return node.args.items[parameters.index("inplace")]
    except (AttributeError, IndexError, TypeError, ValueError):  # none of Python, or not given
        return None


def _is_true(argument: Argument | None) -> bool:
    return isinstance(argument, ConstantArgument) and argument.text == "True"
