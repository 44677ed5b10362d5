"""What a node does, spelled so that names and addresses of one run do not count, and what is different about a node."""

import re
from collections.abc import Mapping

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    children,
    nodes_in,
)
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import TensorValue, Value, describe

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LONGEST = 300
"""More letters about one argument are no help; texts beside each other are."""
_NUMBERED = re.compile(r"\d+")
_RESUMED = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+$")


def function_name(name: str) -> str:
    """The function that a resume function resumes; any other name as it is."""
    found = _RESUMED.search(name)
    return found.group(1) if found else name


def spell(argument: Argument, names: Mapping[NodeId, str]) -> str:
    """An argument as text with other names for nodes; one without a name there has a minus before its own."""
    match argument:
        case NodeArgument():
            return names.get(argument.node) or f"-{argument.node}"
        case ConstantArgument(kind="opaque"):
            return _ADDRESS.sub("0x", argument.text)
        case ConstantArgument():
            return argument.text
        case SequenceArgument():
            inside = ", ".join([spell(item, names) for item in argument.items])
            return f"[{inside}]" if argument.kind == "list" else f"({inside})"
        case MappingArgument():
            return "{" + ", ".join([f"{key}: {spell(item, names)}" for key, item in argument.items]) + "}"
        case SliceArgument():
            return ":".join(spell(part, names) for part in (argument.start, argument.stop, argument.step))


def called(node: Node) -> tuple[str, str]:
    """What a node does. Names of placeholders and attributes count without their numbers."""
    numbered = node.op in ("placeholder", "get_attr")
    return node.op, _NUMBERED.sub("#", node.target) if numbered else _ADDRESS.sub("0x", node.target)


def differences(old: Node, new: Node, partner: Mapping[NodeId, NodeId]) -> tuple[tuple[str, str], ...]:
    """What is different about a node, part by part in words: (``call``, ``arguments``, ``inputs``, ``type``, ``role`` or
    ``notes``, words). `partner` leads from nodes of the graph before to those of the graph after. ``inputs`` is an argument
    in which nothing but the nodes it names differs.
    """
    what = []
    if called(old) != called(new):
        verb = "calls" if old.op.startswith("call") else "is"
        what.append(("call", f"{verb} {old.target} → {new.target}"))
    what += _argument_differences(old.args, new.args, partner)
    what += _argument_differences(old.kwargs, new.kwargs, partner)
    if new.op != "output":  # it gives what it is given
        what += [
            ("type", words) for words in _value_differences(old.value, new.value, new.op == "placeholder")
        ]
    if old.role != new.role:
        what.append(("role", f"role {old.role or 'none'} → {new.role or 'none'}"))
    if old.lane != new.lane and old.lane and new.lane:  # a graph of one half has no lanes
        what.append(("role", f"in the {old.lane or 'forward'} → in the {new.lane or 'forward'}"))
    if old.notes != new.notes:
        what += [("notes", f"now {note}") for note in new.notes if note not in old.notes]
        what += [("notes", f"no longer {note}") for note in old.notes if note not in new.notes]
    return tuple(what)


class _Itself(dict[str, str]):
    def get(self, key: str, default: object = None) -> str:
        return key


class _Any(dict[str, str]):
    def get(self, key: str, default: object = None) -> str:
        return "•"


_ITSELF, _ANY = _Itself(), _Any()


def _argument_differences(
    old: Argument, new: Argument, partner: Mapping[NodeId, NodeId]
) -> list[tuple[str, str]]:
    if old == new and all(partner.get(name) == name for name in nodes_in(old)):
        return []
    if spell(old, partner) == spell(new, _ITSELF):
        return []
    parts_old, parts_new = dict(children(old)), dict(children(new))
    reported = []
    for key in dict.fromkeys((*parts_old, *parts_new)):
        left, right = parts_old.get(key), parts_new.get(key)
        if left is None or right is None or spell(left, partner) != spell(right, _ITSELF):
            name = f"argument {key}" if key.isdigit() else key
            rewired = left is not None and right is not None and spell(left, _ANY) == spell(right, _ANY)
            words = f"{name}: {_shown(left)} → {_shown(right)}"
            words = words if len(words) <= _LONGEST and "\n" not in words else f"another {name}"
            reported.append(("inputs" if rewired else "arguments", words))
    return reported


def _shown(argument: Argument | None) -> str:
    return "none" if argument is None else spell(argument, _ITSELF)


def _value_differences(old: Value | None, new: Value | None, is_input: bool) -> list[str]:
    """Where a type is not known there is no saying that it is another. Whether a gradient is wanted is a property of inputs;
    what is written on results depends on how their types were found out.
    """
    if old == new or old is None or new is None:
        return []
    before, after = describe(old), describe(new)
    if before != after:
        return [f"result {before or 'unknown'} → {after or 'unknown'}"]
    if not (isinstance(old, TensorValue) and isinstance(new, TensorValue)):
        return []
    rows = (
        ("stride", ", ".join(old.stride or ()), ", ".join(new.stride or ())),
        ("device", old.device, new.device),
        ("requires_grad", str(old.requires_grad), str(new.requires_grad)),
    )
    return [
        f"{name} ({left}) → ({right})"
        for name, left, right in rows
        if left != right and (is_input or name != "requires_grad")
    ]
