"""What an operation takes: its parameters with types and defaults, as torch's schemas and Python's signatures say."""

import msgspec

from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    text_of,
)
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import ScalarValue, TensorValue, TupleValue, Value


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of an operation."""

    name: str
    type: str
    """As the schema writes it: ``Tensor?``, ``int[2]``, ``float``."""
    kind: str
    """tensor, int, float, number, bool, str, dtype, layout, memory_format, device, generator or any."""
    is_list: bool = False
    optional: bool = False
    """Whether None may be given."""
    default: Argument | None = None
    """None where the parameter must be given, or where the default has no spelling."""
    required: bool = True
    keyword_only: bool = False
    positional_only: bool = False
    variadic: bool = False
    """Takes every further positional argument (``*shape``)."""
    choices: tuple[str, ...] = ()
    """What may be given, as typed text, where that is a short list."""


class OpSignature(msgspec.Struct, frozen=True):
    """One way to call an operation."""

    text: str
    """The schema or signature in one line."""
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        return next((row for row in self.parameters if row.name == name), None)


class NodeSignatures(msgspec.Struct, frozen=True, tag="node_signatures"):
    """Every way in which a node's operation can be called, and what else is known of it."""

    node: str
    signatures: tuple[OpSignature, ...]
    """The one that fits the node's arguments first."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Of a module that the node calls: its plain attributes, name and value."""
    help: str = ""
    """The first lines of its documentation."""


class Bound(msgspec.Struct, frozen=True):
    """A node's arguments by the parameters of a signature."""

    values: tuple[tuple[str, Argument], ...]
    spread: str = ""
    """The parameter whose list is given as further positional arguments: ``x.view(2, 3)``."""


def bind(signature: OpSignature, node: Node) -> Bound | None:
    """Which argument of a node is which parameter; None where the node does not call it in this way."""
    places = [row for row in signature.parameters if not row.keyword_only]
    given = list(node.args.items)
    values: dict[str, Argument] = {}
    spread = ""
    last = places[-1] if places else None
    surplus = len(given) - len(places)
    gathers = last is not None and (last.variadic or (last.is_list and surplus > 0))
    if gathers and last is not None and (surplus > 0 or last.variadic):
        head, tail = given[: len(places) - 1], given[len(places) - 1 :]
        if tail:
            values[last.name] = SequenceArgument("tuple", tuple(tail))
        spread = last.name
        given = head
    elif surplus > 0:
        return None
    values |= {row.name: item for row, item in zip(places, given, strict=False)}
    for key, item in node.kwargs.items:
        if key in values or signature.parameter(key) is None:
            return None
        values[key] = item
    if any(row.required and not row.variadic and row.name not in values for row in signature.parameters):
        return None
    return Bound(tuple(values.items()), spread)


def unbind(
    signature: OpSignature, node: Node, bound: Bound, values: dict[str, Argument]
) -> tuple[SequenceArgument, MappingArgument]:
    """Arguments for a node from values by parameter; what is not among them is left to its default.

    What was given by position stays so, and so does the order of keywords. Raises ValueError where a parameter must
    be given, or can only be given by position behind one that is not.
    """
    missing = [
        row.name
        for row in signature.parameters
        if row.required and not row.variadic and row.name not in values
    ]
    if missing:
        raise ValueError(f"{missing[0]} must be given")
    before = {name for name, _ in node.kwargs.items}
    positional = [row for row in signature.parameters if not row.keyword_only and row.name not in before]
    by_place = len(node.args.items) if not bound.spread else len(signature.parameters)
    args: list[Argument] = []
    keywords: dict[str, Argument] = {}
    gap = ""
    for index, row in enumerate(positional):
        value = values.get(row.name)
        if value is None:
            gap = gap or row.name
        elif not gap and (index < by_place or row.positional_only or (row.required and index == len(args))):
            args += (
                value.items if row.name == bound.spread and isinstance(value, SequenceArgument) else (value,)
            )
        elif row.positional_only or row.name == bound.spread:
            raise ValueError(f"{gap} must be given too, since {row.name} behind it has no name to give it by")
        else:
            keywords[row.name] = value
    for row in signature.parameters:
        if (row.keyword_only or row.name in before) and row.name in values:
            keywords[row.name] = values[row.name]
    order = [name for name, _ in node.kwargs.items if name in keywords]
    order += [name for name in keywords if name not in order]
    kwargs = MappingArgument(tuple((name, keywords[name]) for name in order))
    return SequenceArgument("tuple", tuple(args)), kwargs


def misfit(parameter: Parameter, argument: Argument, graph: Graph) -> str:
    """Why an argument cannot be given to a parameter, in words; empty where it can, as far as its type says."""
    if parameter.kind == "any" or parameter.variadic:
        return ""
    if isinstance(argument, ConstantArgument):
        if argument.kind == "none":
            return "" if parameter.optional else f"must be {_wanted(parameter)}, not None"
        if argument.kind == "opaque":
            return ""
    if parameter.is_list:
        return _list_misfit(parameter, argument, graph)
    return _single_misfit(parameter, argument, graph)


def _list_misfit(parameter: Parameter, argument: Argument, graph: Graph) -> str:
    single = msgspec.structs.replace(parameter, is_list=False, optional=True)
    if isinstance(argument, SequenceArgument):
        return next(filter(None, (misfit(single, item, graph) for item in argument.items)), "")
    if isinstance(argument, NodeArgument):
        value = _value_of(graph, argument.node)
        return "" if isinstance(value, TupleValue | None) else _single_misfit(single, argument, graph)
    return (
        ""
        if parameter.kind == "int" and not _single_misfit(single, argument, graph)
        else f"must be {_wanted(parameter)}"
    )


_ACCEPTS = {
    "int": ("int", "bool"),
    "float": ("float", "int", "bool"),
    "number": ("float", "int", "bool", "complex"),
    "bool": ("bool", "int"),
    "device": ("device", "str"),
    "tensor": ("float", "int", "bool", "complex"),
}
_NEVER_NUMBERS = ("self", "input")
"""Torch takes a number for a tensor, but not for the tensor that a call is about."""


def _single_misfit(parameter: Parameter, argument: Argument, graph: Graph) -> str:
    wanted = f"must be {_wanted(parameter)}"
    match argument:
        case NodeArgument():
            value = _value_of(graph, argument.node)
            if isinstance(value, TensorValue):
                fits = parameter.kind in ("tensor", "number", "any")
            elif isinstance(value, ScalarValue):
                fits = parameter.kind in ("int", "float", "number", "bool", "tensor")
            else:
                fits = value is None
            return "" if fits else f"{wanted}; {argument.node} is {_kind_of(value)}"
        case ConstantArgument():
            accepted = _ACCEPTS.get(parameter.kind, (parameter.kind,))
            if argument.kind not in accepted or (
                parameter.kind == "tensor" and parameter.name in _NEVER_NUMBERS
            ):
                return f"{wanted}, not {argument.text}"
            if parameter.choices and parameter.kind == "str" and argument.text not in parameter.choices:
                return f"must be one of {', '.join(parameter.choices)}"
            return ""
        case _:
            return f"{wanted}, not {text_of(argument)}"


_WORDS = {
    "tensor": "a tensor: the name of a node",
    "int": "a whole number",
    "float": "a number",
    "number": "a number",
    "bool": "True or False",
    "str": "text in quotes",
    "dtype": "a dtype such as torch.float32",
    "layout": "a layout such as torch.strided",
    "memory_format": "a memory format such as torch.channels_last",
    "device": "a device such as device('cpu')",
    "generator": "a generator",
}


def _wanted(parameter: Parameter) -> str:
    word = _WORDS.get(parameter.kind, parameter.type)
    if parameter.is_list:
        return f"a list, each item {word}" if parameter.kind != "tensor" else "a list of nodes"
    return word


def _kind_of(value: Value | None) -> str:
    match value:
        case TensorValue():
            return "a tensor"
        case TupleValue():
            return "several results"
        case ScalarValue():
            return f"a {value.type_name}"
        case _:
            return "something else"


def _value_of(graph: Graph, node_id: str) -> Value | None:
    return next((node.value for node in graph.nodes if node.id == node_id), None)
