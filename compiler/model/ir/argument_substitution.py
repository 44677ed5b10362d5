"""Other nodes in the place of those that an argument names."""

from collections.abc import Callable, Mapping

import msgspec

from compiler.model.ir.arguments import (
    Argument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    nodes_in,
)
from compiler.model.ir.graph import Node
from compiler.model.ir.ids import NodeId


def mapped(argument: Argument, other: Callable[[NodeId], Argument]) -> Argument:
    """The argument with `other(node)` wherever it names a node."""
    if not any(True for _ in nodes_in(argument)):
        return argument
    match argument:
        case NodeArgument():
            return other(argument.node)
        case SequenceArgument():
            return mapped_sequence(argument, other)
        case MappingArgument():
            return mapped_mapping(argument, other)
        case SliceArgument():
            return SliceArgument(
                *(mapped(part, other) for part in (argument.start, argument.stop, argument.step))
            )
        case _:
            return argument


def mapped_sequence(argument: SequenceArgument, other: Callable[[NodeId], Argument]) -> SequenceArgument:
    """As `mapped`, for a list or tuple."""
    return SequenceArgument(argument.kind, tuple(mapped(item, other) for item in argument.items))


def mapped_mapping(argument: MappingArgument, other: Callable[[NodeId], Argument]) -> MappingArgument:
    """As `mapped`, for a dict."""
    return MappingArgument(tuple((key, mapped(item, other)) for key, item in argument.items))


def mapped_node(node: Node, other: Callable[[NodeId], Argument]) -> Node:
    """As `mapped`, for what a node calls."""
    return msgspec.structs.replace(
        node, args=mapped_sequence(node.args, other), kwargs=mapped_mapping(node.kwargs, other)
    )


def substituted(node: Node, names: Mapping[NodeId, Argument]) -> Node:
    """The node with others in the place of those that are named."""
    return mapped_node(node, lambda name: names.get(name, NodeArgument(name)))
