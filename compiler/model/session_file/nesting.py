"""What can hold its like goes down only so far: who follows it further would run out of stack."""

from collections.abc import Callable, Iterable

import msgspec

from compiler.model.ir.arguments import (
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
)
from compiler.model.ir.graph import Node
from compiler.model.ir.tensor_types import OtherValue, ScalarValue, TensorValue, TupleValue

DEEPEST = 60
_LEAVES = frozenset((NodeArgument, ConstantArgument, TensorValue, ScalarValue, OtherValue, type(None)))
_FLAT = (str, int, float, bytes, type(None))


def node_too_deep(node: Node) -> bool:
    """Whether arguments, results or a body are nested deeper than any program's."""
    named = node.kwargs.items or node.settings.items or node.body
    if not named and type(node.value) in _LEAVES and _LEAVES.issuperset(map(type, node.args.items)):
        return False  # as most are
    return _deeper((node,), _inside_node, DEEPEST)


def too_deep(value: object) -> bool:
    """The same of any of our values; slower."""
    return _deeper((value,), _inside, 3 * DEEPEST)


def _deeper(level: Iterable[object], inside: Callable[[object], Iterable[object]], most: int) -> bool:
    for _ in range(most):
        level = [inner for item in level for inner in inside(item)]
        if not level:
            return False
    return True


def _inside_node(value: object) -> Iterable[object]:
    match value:
        case Node():
            parts = (*value.args.items, value.value, *value.body)
            named = (*value.kwargs.items, *value.settings.items)
            return (*parts, *(item for _, item in named)) if named else parts
        case SequenceArgument() | TupleValue():
            return value.items
        case MappingArgument():
            return [item for _, item in value.items]
        case SliceArgument():
            return (value.start, value.stop, value.step)
    return ()


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, tuple):
        return [item for item in value if not isinstance(item, _FLAT)]
    if isinstance(value, msgspec.Struct):
        found = (getattr(value, name) for name in value.__struct_fields__)
        return [item for item in found if not isinstance(item, _FLAT)]
    return ()
