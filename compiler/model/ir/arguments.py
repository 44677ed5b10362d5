"""Arguments of an FX node as a small typed tree, so that they can be shown, edited and compared.

A leaf that torch needs as an object (a dtype, a device) is kept by its spelling; the engine turns it back
into the object from a fixed table and never evaluates text.

Like nodes and types they are made of others that were there before, so they hold no cycles, and the collector need not look at
them (`gc=False`): a graph of 50,000 nodes has half a million.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec

from compiler.model.ir.ids import NodeId, is_number


class NodeArgument(msgspec.Struct, frozen=True, gc=False, tag="node"):
    """The result of another node."""

    node: NodeId


class ConstantArgument(msgspec.Struct, frozen=True, gc=False, tag="constant"):
    """A literal. ``kind``: int, float, bool, str, none, ellipsis, complex, dtype, device, layout, memory_format, or
    ``opaque`` for an object that has no spelling (it can be kept or dropped, not typed in).
    """

    kind: str
    text: str


class SequenceArgument(msgspec.Struct, frozen=True, gc=False, tag="sequence"):
    """A list or a tuple."""

    kind: str
    items: tuple["Argument", ...]


class MappingArgument(msgspec.Struct, frozen=True, gc=False, tag="mapping"):
    """A dict with text keys."""

    items: tuple[tuple[str, "Argument"], ...]


class SliceArgument(msgspec.Struct, frozen=True, gc=False, tag="slice"):
    """``slice(start, stop, step)``."""

    start: "Argument"
    stop: "Argument"
    step: "Argument"


Argument: TypeAlias = NodeArgument | ConstantArgument | SequenceArgument | MappingArgument | SliceArgument

NONE = ConstantArgument("none", "None")

ArgumentPath: TypeAlias = tuple[str, ...]
"""Where an argument sits in a node: ``("args", "0")``, ``("kwargs", "dim")``, ``("args", "0", "2")``."""


def text_of(argument: Argument) -> str:
    """The argument as it is written in a program."""
    match argument:
        case NodeArgument():
            return argument.node
        case ConstantArgument():
            return argument.text
        case SequenceArgument(kind="list"):
            return "[" + ", ".join(map(text_of, argument.items)) + "]"
        case SequenceArgument():
            inner = ", ".join(map(text_of, argument.items))
            return f"({inner},)" if len(argument.items) == 1 else f"({inner})"
        case MappingArgument():
            return "{" + ", ".join(f"{key!r}: {text_of(item)}" for key, item in argument.items) + "}"
        case SliceArgument():
            return f"slice({text_of(argument.start)}, {text_of(argument.stop)}, {text_of(argument.step)})"


def children(argument: Argument) -> Iterator[tuple[str, Argument]]:
    """The parts of an argument with the step that leads to each."""
    match argument:
        case SequenceArgument():
            yield from ((str(index), item) for index, item in enumerate(argument.items))
        case MappingArgument():
            yield from argument.items
        case SliceArgument():
            yield from (("start", argument.start), ("stop", argument.stop), ("step", argument.step))
        case _:
            return


def node_in(argument: Argument | None) -> NodeId | None:
    """The node that an argument is; None for all others."""
    return argument.node if isinstance(argument, NodeArgument) else None


def nodes_in(argument: Argument) -> Iterator[NodeId]:
    """Every node an argument names, in order, repeats included."""
    if isinstance(argument, NodeArgument):
        yield argument.node
    elif isinstance(argument, SequenceArgument):
        for (
            item
        ) in argument.items:  # most arguments are right here; a generator each would take most of the time
            if isinstance(item, NodeArgument):
                yield item.node
            elif not isinstance(item, ConstantArgument):
                yield from nodes_in(item)
    else:
        for _, child in children(argument):
            yield from nodes_in(child)


def replace_each(argument: Argument, new: Mapping[ArgumentPath, Argument]) -> Argument:
    """The argument with every part of those paths replaced, in one walk. Raises KeyError where a path leads nowhere."""
    if () in new and len(new) == 1:
        return new[()]
    inside: dict[str, dict[ArgumentPath, Argument]] = {}
    for path, other in new.items():
        if not path:
            raise KeyError("a path leads into what another replaces")
        inside.setdefault(path[0], {})[path[1:]] = other
    if not new:
        return argument
    if isinstance(argument, SequenceArgument):  # the output of a trained graph has thousands
        items = list(argument.items)
        for place, others in inside.items():
            index = _index(argument, place)
            items[index] = replace_each(items[index], others)
        return SequenceArgument(argument.kind, tuple(items))
    parts = [
        (step, replace_each(child, inside.pop(step)) if step in inside else child)
        for step, child in children(argument)
    ]
    if inside:
        raise KeyError(next(iter(inside)))
    match argument:
        case MappingArgument():
            return MappingArgument(tuple(parts))
        case _:
            start, stop, step = (part for _, part in parts)
            return SliceArgument(start, stop, step)


def at(argument: Argument, path: ArgumentPath) -> Argument:
    """The part at `path`. Raises KeyError where the path leads nowhere."""
    for step in path:
        argument = (
            argument.items[_index(argument, step)]
            if isinstance(argument, SequenceArgument)
            else dict(children(argument))[step]
        )
    return argument


def _index(argument: SequenceArgument, step: str) -> int:
    """Raises KeyError."""
    index = int(step) if is_number(step) else -1
    if str(index) != step or not index < len(argument.items):
        raise KeyError(step)
    return index


def constant_from_text(text: str) -> ConstantArgument:
    """The constant that a person typed. Raises ValueError for anything that is not one.

    Accepts Python literals of numbers, text, booleans and None, and the torch spellings ``torch.float32``
    (dtypes), ``torch.strided`` (layouts) and ``torch.channels_last`` (memory formats). Nothing is evaluated.
    """
    import ast

    text = text.strip()
    if text.startswith("torch."):
        return ConstantArgument(_torch_constant_kind(text), text)
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError) as error:
        raise ValueError(f"{text!r} is not a number, text, True, False, None or a torch dtype") from error
    kinds: dict[type, str] = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str"}
    if literal is None:
        return NONE
    if type(literal) not in kinds:
        raise ValueError(f"{text!r} is a {type(literal).__name__}; only single values can be typed here")
    return ConstantArgument(kinds[type(literal)], repr(literal))


_MEMORY_FORMATS = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
_LAYOUTS = (
    "strided",
    "sparse_coo",
    "sparse_csr",
    "sparse_csc",
    "sparse_bsr",
    "sparse_bsc",
    "jagged",
    "_mkldnn",
)


def _torch_constant_kind(text: str) -> str:
    name = text.removeprefix("torch.")
    if name in _MEMORY_FORMATS:
        return "memory_format"
    if name in _LAYOUTS:
        return "layout"
    dtypes = (
        "float",
        "bfloat16",
        "int",
        "uint",
        "bool",
        "complex",
        "double",
        "half",
        "long",
        "short",
        "q",
        "bits",
    )
    if name.isidentifier() and name.startswith(dtypes):
        return "dtype"
    raise ValueError(f"{text!r} is no dtype, layout or memory format of torch")
