"""One statement of a readable graph, from Python's syntax tree: what a node calls, with what. Nothing is evaluated."""

import ast
from collections.abc import Mapping

import msgspec

from compiler.analysis.text_format.operator_names import BINARY, COMPARE, UNARY
from compiler.model.ir.arguments import (
    NONE,
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    constant_from_text,
)
from compiler.model.ir.ids import NodeId

_IN_PLACE: dict[type[ast.operator], str] = {
    kind: f"i{name.removesuffix('_')}" for kind, name in BINARY.items()
}
_FUNCTIONAL = frozenset(
    [
        "adaptive_avg_pool1d",
        "avg_pool1d",
        "avg_pool2d",
        "avg_pool3d",
        "bilinear",
        "celu_",
        "channel_shuffle",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_tbc",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "cosine_similarity",
        "gelu",
        "hardshrink",
        "linear",
        "log_sigmoid",
        "logsigmoid",
        "native_channel_shuffle",
        "one_hot",
        "pairwise_distance",
        "pdist",
        "pixel_shuffle",
        "pixel_unshuffle",
        "prelu",
        "relu_",
        "rrelu_",
        "scaled_dot_product_attention",
        "selu_",
        "softplus",
        "softshrink",
        "threshold_",
    ]
)
"""Builtins that ``torch.nn.functional`` has as they are; live captures name them by it."""
_MOST_OPAQUE = 80


class Call(msgspec.Struct, frozen=True):
    """What a node does."""

    op: str
    target: str
    args: tuple[Argument, ...] = ()
    kwargs: tuple[tuple[str, Argument], ...] = ()


class UnreadError(ValueError):
    """A statement that is none of those that torch prints."""


def read_call(tree: ast.expr, names: Mapping[str, NodeId]) -> Call:
    """The call that an expression is. Raises UnreadError."""
    match tree:
        case ast.Call():
            return _call(tree, names)
        case ast.Attribute():
            return _attribute(tree, names)
        case ast.Subscript(value=value, slice=index):
            return _operator("getitem", (value, index), names)
        case ast.BinOp(left=left, op=kind, right=right):
            return _operator(BINARY[type(kind)], (left, right), names)
        case ast.UnaryOp(op=kind, operand=operand) if type(kind) in UNARY:
            return _operator(UNARY[type(kind)], (operand,), names)
        case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in COMPARE:
            return _operator(COMPARE[type(kind)], (left, right), names)
    raise UnreadError("it is no call")


def in_place(kind: ast.operator, left: ast.expr, right: ast.expr, names: Mapping[str, NodeId]) -> Call:
    """``x += y``."""
    return _operator(_IN_PLACE[type(kind)], (left, right), names)


def set_item(value: ast.expr, index: ast.expr, new: ast.expr, names: Mapping[str, NodeId]) -> Call:
    """``x[i] = y``."""
    return _operator("setitem", (value, index, new), names)


def _operator(name: str, parts: tuple[ast.expr, ...], names: Mapping[str, NodeId]) -> Call:
    return Call("call_function", f"_operator.{name}", tuple(read_argument(part, names) for part in parts))


def _call(tree: ast.Call, names: Mapping[str, NodeId]) -> Call:
    args = tuple(read_argument(item, names) for item in tree.args)
    kwargs = tuple((item.arg or "**", read_argument(item.value, names)) for item in tree.keywords)
    path = module_path(tree.func)
    if path is not None:
        return Call("call_module", path, args, kwargs)
    root = tree.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(tree.func, ast.Attribute) and (
        not isinstance(root, ast.Name) or root.id in names or isinstance(tree.func.value, ast.Constant)
    ):
        owner = read_argument(tree.func.value, names)
        return Call("call_method", tree.func.attr, (owner, *args), kwargs)
    return Call("call_function", function_name(ast.unparse(tree.func)), args, kwargs)


def _attribute(tree: ast.Attribute, names: Mapping[str, NodeId]) -> Call:
    path = module_path(tree)
    if path is not None:
        return Call("get_attr", path)
    owner = ConstantArgument("str", repr(tree.attr))
    return Call("call_function", "builtins.getattr", (read_argument(tree.value, names), owner))


def module_path(tree: ast.expr) -> str | None:
    """The path of what is reached from ``self``, also through ``getattr(self.layers, "0")``; None for anything else."""
    steps: list[str] = []
    while True:
        match tree:
            case ast.Name(id="self") if steps:
                return ".".join(reversed(steps))
            case ast.Attribute(value=value, attr=name):
                steps.append(name)
                tree = value
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(name))]):
                steps.append(name)
                tree = value
            case _:
                return None


def function_name(text: str) -> str:
    """How a live capture names what is called: ``aten.relu.default``, ``torch.nn.functional.linear``, ``_operator.add``."""
    parts = text.split(".")
    if parts[:2] == ["torch", "ops"] and len(parts) == 5 and parts[2] != "higher_order":
        return ".".join(parts[2:])
    last = parts[-1]
    if last in _FUNCTIONAL and parts[:-1] in (["torch"], ["torch", "_C", "_nn"]):
        return f"torch.nn.functional.{last}"
    return f"_{text}" if parts[0] == "operator" else text


def read_argument(tree: ast.expr, names: Mapping[str, NodeId]) -> Argument:
    """One argument; what is neither a node nor a literal is kept by its text."""
    match tree:
        case ast.Name(id=name):
            node = names.get(name)
            if node is not None:
                return NodeArgument(node)
            if name == "Ellipsis":
                return ConstantArgument("ellipsis", "...")
            return ConstantArgument("float" if name in ("inf", "nan") else "opaque", name)
        case ast.Constant():
            return _constant(tree.value)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            kind = "list" if isinstance(tree, ast.List) else "tuple"
            return SequenceArgument(kind, tuple(read_argument(item, names) for item in items))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return MappingArgument(tuple((_key(key), read_argument(item, names)) for key, item in pairs))
        case ast.Slice(lower=lower, upper=upper, step=step):
            ends = (NONE if part is None else read_argument(part, names) for part in (lower, upper, step))
            return SliceArgument(*ends)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() | ast.Name()):
            return _negative(tree)
    return _other(tree, names)


def _other(tree: ast.expr, names: Mapping[str, NodeId]) -> Argument:
    text = ast.unparse(tree)
    if isinstance(tree, ast.Call):
        if text.startswith("slice(") and 1 <= len(tree.args) <= 3:
            ends = [read_argument(item, names) for item in tree.args]
            if len(ends) == 1:
                ends = [NONE, ends[0]]
            return SliceArgument(ends[0], ends[1], ends[2] if len(ends) == 3 else NONE)
        values = [*tree.args, *(item.value for item in tree.keywords)]
        if text.startswith(("device(", "torch.device(")) and isinstance(values[0], ast.Constant):
            name = ":".join(str(item.value) for item in values if isinstance(item, ast.Constant))
            return ConstantArgument("device", f"device({name!r})")
    if isinstance(tree, ast.Attribute):
        try:
            return constant_from_text(text)
        except ValueError:
            pass
    return ConstantArgument("opaque", text if len(text) <= _MOST_OPAQUE else f"{text[: _MOST_OPAQUE - 3]}...")


def _constant(value: object) -> Argument:
    if value is None:
        return NONE
    if value is Ellipsis:
        return ConstantArgument("ellipsis", "...")
    kind = type(value).__name__
    return ConstantArgument(
        kind if kind in ("bool", "int", "float", "complex", "str") else "opaque", repr(value)
    )


def _negative(tree: ast.UnaryOp) -> Argument:
    operand = tree.operand
    if isinstance(operand, ast.Name):
        return ConstantArgument("float" if operand.id in ("inf", "nan") else "opaque", f"-{operand.id}")
    assert isinstance(operand, ast.Constant)
    if isinstance(operand.value, bool) or not isinstance(operand.value, int | float | complex):
        return ConstantArgument("opaque", ast.unparse(tree)[:_MOST_OPAQUE])
    return ConstantArgument(type(operand.value).__name__, repr(-operand.value))


def _key(key: ast.expr | None) -> str:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return key.value
    return "**" if key is None else ast.unparse(key)[:_MOST_OPAQUE]
