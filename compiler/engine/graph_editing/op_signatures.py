"""How a node's operation can be called: torch's schemas where there are any, else Python's signature."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.graph_import import read_argument, read_graph, read_node
from compiler.engine.torch_internals.patch.operators import (
    schema_of,
    schemas_of_function,
    schemas_of_method,
    type_of,
)
from compiler.model.ir.arguments import Argument, ConstantArgument
from compiler.model.ir.graph import Graph
from compiler.model.operators.op_schemas import NodeSignatures, OpSignature, Parameter, bind, misfit

_KINDS = {
    "Tensor": "tensor",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "number": "number",
    "Scalar": "number",
    "bool": "bool",
    "str": "str",
    "ScalarType": "dtype",
    "Layout": "layout",
    "MemoryFormat": "memory_format",
    "Device": "device",
    "Generator": "generator",
}
_PYTHON_KINDS = {
    "Tensor": "tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "dtype": "dtype",
    "device": "device",
}
_TEXT_CHOICES = {
    "approximate": ("'none'", "'tanh'"),
    "reduction": ("'none'", "'mean'", "'sum'"),
    "rounding_mode": ("'trunc'", "'floor'"),
    "padding_mode": ("'zeros'", "'border'", "'reflection'"),
}
_DTYPES = (
    "float32",
    "float64",
    "bfloat16",
    "float16",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint8",
    "bool",
    "complex64",
)
_CHOICES = {
    "bool": ("True", "False"),
    "dtype": tuple(f"torch.{name}" for name in _DTYPES),
    "layout": ("torch.strided", "torch.sparse_coo"),
    "memory_format": (
        "torch.contiguous_format",
        "torch.channels_last",
        "torch.channels_last_3d",
        "torch.preserve_format",
    ),
    "device": ("device('cpu')", "device('cuda')", "device('meta')"),
}
_LONGEST_HELP = 300


def signatures_of(node: torch.fx.Node) -> NodeSignatures:
    """Every way to call what a live node calls, the one that fits its arguments first."""
    plain = read_node(node)
    found = tuple(_signatures(node))
    graph = read_graph(node.graph)
    fitting = [
        row for row in found if (bound := bind(row, plain)) and not _misfits(row, dict(bound.values), graph)
    ]
    fitting += [row for row in found if row not in fitting and bind(row, plain) is not None]
    ordered = (*fitting, *(row for row in found if row not in fitting))
    module = _module(node)
    attributes = tuple(_attributes(module)) if module is not None else ()
    return NodeSignatures(node.name, ordered, attributes, _help(module or node.target))


def _misfits(signature: OpSignature, values: dict[str, Argument], graph: Graph) -> bool:
    rows = {row.name: row for row in signature.parameters}
    return any(misfit(rows[name], value, graph) for name, value in values.items())


def _signatures(node: torch.fx.Node) -> Iterator[OpSignature]:
    match node.op:
        case "call_method":
            yield from map(_from_schema, _functional(schemas_of_method(str(node.target))))
        case "call_module":
            module = _module(node)
            if module is not None:
                yield from _from_python(module.forward, node)
        case "call_function":
            schema = schema_of(node.target)
            schemas = [schema] if schema is not None else _functional(schemas_of_function(node.target))
            yield from map(_from_schema, schemas)
            if not schemas and callable(node.target):
                yield from _from_python(node.target, node)


def _functional(schemas: list[Any]) -> list[Any]:
    """Without the overloads that write into tensors of the caller's, and without dimension names."""
    return [
        schema
        for schema in schemas
        if not any(argument.is_out for argument in schema.arguments) and "Dimname" not in str(schema)
    ]


def _from_schema(schema: Any) -> OpSignature:
    text = str(schema).partition("::")[2] or str(schema)
    types = _written_types(text)
    return OpSignature(
        text, tuple(_parameter(argument, types.get(argument.name, "")) for argument in schema.arguments)
    )


def _written_types(text: str) -> dict[str, str]:
    """The types as the schema writes them, by parameter: ``int[2]`` is distinguished from ``int[]`` only there."""
    return {
        name: re.sub(r"\([a-z]!?(?: -> \*)?\)", "", kind)
        for kind, name in re.findall(
            r"[(,] (?:\*, )?([^ ,(]+(?:\([^)]*\))?[^ ,]*) (\w+)", text.replace("(", "( ", 1)
        )
    }


def _parameter(argument: Any, written: str) -> Parameter:
    text = str(type_of(argument))
    optional = text.startswith("Optional[")
    inner = text.removeprefix("Optional[").removesuffix("]") if optional else text
    is_list = inner.startswith("List[")
    if is_list:
        inner = inner.removeprefix("List[").removesuffix("]").removeprefix("Optional[").removesuffix("]")
    kind = _KINDS.get(inner, "any")
    has_default = argument.has_default_value()
    default = read_argument(argument.default_value) if has_default else None
    if kind == "dtype" and isinstance(default, ConstantArgument) and default.kind == "int":
        default = None
    choices = (
        () if is_list else _TEXT_CHOICES.get(argument.name, ()) if kind == "str" else _CHOICES.get(kind, ())
    )
    return Parameter(
        argument.name, written or text, kind, is_list, optional, default, not has_default, argument.kwarg_only,
        argument.name == "self", choices=choices,
    )  # fmt: skip


def _from_python(function: Callable[..., Any], node: torch.fx.Node) -> Iterator[OpSignature]:
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        yield _as_given(node)
        return
    kinds = inspect.Parameter
    rows = []
    for item in found.parameters.values():
        if item.kind is kinds.VAR_KEYWORD:
            continue
        annotation = "" if item.annotation is kinds.empty else inspect.formatannotation(item.annotation)
        rows.append(_from_annotation(item, annotation))
    name = getattr(function, "__name__", str(node.target))
    yield OpSignature(f"{name}{found}", tuple(rows))


def _from_annotation(item: inspect.Parameter, annotation: str) -> Parameter:
    bare = annotation.replace("torch.", "").replace("typing.", "")
    optional = "None" in bare or "Optional" in bare
    names = [part for part in re.split(r"[^A-Za-z]+", bare) if part not in ("None", "Optional", "Union", "")]
    is_list = bool(names) and names[0] in ("list", "List", "tuple", "Sequence")
    if is_list:
        names = names[1:]
    kind = _PYTHON_KINDS.get(names[0], "any") if len(set(names)) == 1 else "any"
    has_default = item.default is not inspect.Parameter.empty
    default = read_argument(item.default) if has_default else None
    if isinstance(default, ConstantArgument) and default.kind == "opaque":
        default = None
    optional = optional or (default is not None and default == read_argument(None))
    if item.name == "dtype":  # torch annotates dtypes as int
        kind = "dtype"
    choices = () if is_list else _TEXT_CHOICES.get(item.name, ()) if kind == "str" else _CHOICES.get(kind, ())
    return Parameter(
        item.name, annotation or "any", kind, is_list, optional, default,
        required=not has_default and item.kind is not inspect.Parameter.VAR_POSITIONAL,
        keyword_only=item.kind is inspect.Parameter.KEYWORD_ONLY,
        positional_only=item.kind is inspect.Parameter.POSITIONAL_ONLY,
        variadic=item.kind is inspect.Parameter.VAR_POSITIONAL,
        choices=choices,
    )  # fmt: skip


def _as_given(node: torch.fx.Node) -> OpSignature:
    """For a builtin that says nothing of itself: the arguments it is called with, of any type."""
    rows = [Parameter(str(index), "any", "any", positional_only=True) for index in range(len(node.args))]
    rows += [Parameter(key, "any", "any", keyword_only=True) for key in node.kwargs]
    return OpSignature(f"{node.target}(…)", tuple(rows))


def _module(node: torch.fx.Node) -> torch.nn.Module | None:
    owner = node.graph.owning_module
    if node.op != "call_module" or owner is None:
        return None
    try:
        return owner.get_submodule(str(node.target))
    except AttributeError:
        return None


def _attributes(module: torch.nn.Module) -> Iterator[tuple[str, str]]:
    yield "type", type(module).__name__
    for name, value in vars(module).items():
        if not name.startswith("_") and isinstance(value, bool | int | float | str | tuple | list):
            yield name, repr(value)[:80]


def _help(target: Any) -> str:
    """The first paragraph of what torch says of an operation, without its markup."""
    thing = getattr(torch.Tensor, target, None) if isinstance(target, str) else target
    paragraphs = re.split(r"\n\s*\n", (inspect.getdoc(thing) or "").strip())
    reported = next((text for text in paragraphs if not re.match(r"\w+\(.*->", text)), "")
    plain = re.sub(r":\w+:`~?([^`]*)`", r"\1", " ".join(reported.split()))
    return plain.replace("``", "").replace("`", "")[:_LONGEST_HELP]
