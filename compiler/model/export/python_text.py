"""Targets and arguments of FX nodes as Python text that gives torch's objects."""

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Node

_MODULES = ("torch", "operator", "_operator", "math")


class ExportError(ValueError):
    """Something of the edits cannot be written as code. The message says what and why."""


def target_text(node: Node) -> str:
    """What the node calls: ``torch.nn.functional.gelu``, ``torch.ops.aten.mm.default``, ``"view"``."""
    if node.op != "call_function":
        return repr(node.target)
    root = node.target.partition(".")[0]
    if root in _MODULES:
        return node.target.replace("_operator.", "operator.", 1) if root == "_operator" else node.target
    return f"torch.ops.{node.target}"


def argument_text(argument: Argument, owner: str) -> str:
    """The argument, nodes as ``n["relu"]``. Raises ExportError."""
    match argument:
        case NodeArgument():
            return f"n[{argument.node!r}]"
        case SequenceArgument():
            items = [argument_text(item, owner) for item in argument.items]
            if argument.kind == "list":
                return f"[{', '.join(items)}]"
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        case MappingArgument():
            pairs = [f"{key!r}: {argument_text(item, owner)}" for key, item in argument.items]
            return "{" + ", ".join(pairs) + "}"
        case SliceArgument():
            parts = (argument.start, argument.stop, argument.step)
            return f"slice({', '.join(argument_text(part, owner) for part in parts)})"
        case ConstantArgument():
            return _constant(argument, owner)


def _constant(argument: ConstantArgument, owner: str) -> str:
    match argument.kind:
        case "opaque":
            raise ExportError(f"{owner} takes {argument.text}, an object that has no spelling as code.")
        case "float" if argument.text in ("inf", "-inf", "nan"):
            return f'float("{argument.text}")'
        case "device":
            return f"torch.{argument.text}" if argument.text.startswith("device(") else argument.text
        case _:
            return argument.text
