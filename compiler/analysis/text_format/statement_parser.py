"""One call of a graph's program from Python's syntax tree."""

import ast
import re

import msgspec

from compiler.analysis.text_format.argument_parser import ArgumentTextError, Names, argument_from_tree
from compiler.analysis.text_format.operator_names import BINARY, COMPARE, UNARY
from compiler.model.ir.arguments import Argument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_CONSTANT_CALLS = ("slice", "device", "torch.device")


_DIGIT = "__digit__"
"""Stands before a number in the path of a submodule, ``self.layers.0``, which Python cannot read."""


def speakable(text: str) -> str:
    """The text with paths of submodules as Python can read them."""
    return re.sub(r"\bself(?:\.\w+)+", lambda found: re.sub(r"\.(\d\w*)", rf".{_DIGIT}\1", found[0]), text)


class TextFault(msgspec.Struct, frozen=True):
    """Something in a text that is no graph. `line` counts from 1, `column` from 0."""

    line: int
    column: int
    message: str


class Call(msgspec.Struct, frozen=True):
    """What a node does."""

    op: str
    target: str
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())


class CallReader:
    """Reads one statement; calls within it are put into `extra`, to stand before it."""

    def __init__(self, nodes: dict[NodeId, Node], base: dict[NodeId, Node], names: Names, aten: bool) -> None:
        self._nodes, self._base, self._names, self._aten = nodes, base, names, aten
        self.extra: list[tuple[NodeId, Call]] = []

    def unused(self, wish: str) -> NodeId:
        """A name that neither the program nor the graph before it has."""
        return unused_name(Graph(()), wish, {*self._nodes, *self._base, *(name for name, _ in self.extra)})

    def argument(self, tree: ast.expr) -> Argument:
        """An argument; a call in it becomes a node. Raises ArgumentTextError."""
        return argument_from_tree(self._without_calls(tree), self._names_now())

    def call(self, tree: ast.expr) -> Call:
        """What an expression does. Raises ArgumentTextError."""
        match tree:
            case ast.Call():
                return self._call(tree)
            case ast.Attribute() if (path := dotted(tree)) and path.startswith("self."):
                return Call("get_attr", _submodule(path), SequenceArgument("tuple", ()))
            case ast.Subscript():
                return self._operator("getitem", tree, tree.value, _index(tree.slice), always=True)
            case ast.BinOp(op=op) if type(op) in BINARY:
                return self._operator(BINARY[type(op)], tree, tree.left, tree.right)
            case ast.UnaryOp(op=op) if type(op) in UNARY:
                return self._operator(UNARY[type(op)], tree, tree.operand)
            case ast.Compare(ops=[op], comparators=[right]) if type(op) in COMPARE:
                return self._operator(COMPARE[type(op)], tree, tree.left, right)
            case ast.Name():
                raise _refuse(tree, f"this only names {tree.id} again; use {tree.id} itself")
            case _:
                raise _refuse(tree, "a node calls something: name = torch.relu(x)")

    def _call(self, tree: ast.Call) -> Call:
        args = [self.argument(_not_starred(item)) for item in tree.args]
        kwargs = MappingArgument(tuple((_keyword(item), self.argument(item.value)) for item in tree.keywords))
        path = dotted(tree.func)
        if isinstance(tree.func, ast.Attribute) and self._is_value(tree.func.value):
            receiver = self.argument(tree.func.value)
            return Call("call_method", tree.func.attr, SequenceArgument("tuple", (receiver, *args)), kwargs)
        if path is None:
            raise _refuse(tree, f"this is nothing that a graph can call: {ast.unparse(tree.func)}")
        whole = SequenceArgument("tuple", tuple(args))
        if path.startswith("self."):
            return Call("call_module", _submodule(path), whole, kwargs)
        if "." not in path and path not in {node.target for node in self._base.values()}:
            raise _refuse(
                tree, f"the name {path} alone is not known; write it as torch does, such as torch.{path}"
            )
        return Call("call_function", path, whole, kwargs)

    def _is_value(self, tree: ast.expr) -> bool:
        """Whether the thing before a dot is a result, so that what follows is a method."""
        if isinstance(tree, ast.Name):
            return isinstance(self._names_now().argument(tree.id), NodeArgument)
        return not isinstance(tree, ast.Attribute)

    def _operator(self, name: str, tree: ast.expr, *operands: ast.expr, always: bool = False) -> Call:
        if self._aten and not always:
            raise _refuse(
                tree, f"this graph is made of operators of aten; write aten.{name.strip('_')}… as a call"
            )
        args = tuple(self.argument(operand) for operand in operands)
        return Call("call_function", f"_operator.{name}", SequenceArgument("tuple", args))

    def _names_now(self) -> "Names":
        return self._names.with_nodes({*self._nodes, *(name for name, _ in self.extra)})

    def _without_calls(self, tree: ast.expr) -> ast.expr:
        """The tree with the name of a new node for every call in it."""
        reader = self

        class _Outliner(ast.NodeTransformer):
            def generic_visit(self, node: ast.AST) -> ast.AST:
                if isinstance(node, ast.expr) and reader._is_operation(node):
                    return ast.copy_location(ast.Name(reader._outlined(node), ast.Load()), node)
                return super().generic_visit(node)

        made = _Outliner().visit(tree)
        assert isinstance(made, ast.expr)
        return made

    def _outlined(self, tree: ast.expr) -> NodeId:
        call = self.call(tree)
        name = self.unused(call.target.rpartition(".")[2].strip("_") or "node")
        self.extra.append((name, call))
        return name

    def _is_operation(self, tree: ast.expr) -> bool:
        if isinstance(tree, ast.Call):
            return dotted(tree.func) not in _CONSTANT_CALLS
        if isinstance(tree, ast.Attribute):
            return (dotted(tree) or "").startswith("self.")
        if isinstance(tree, ast.Subscript | ast.Compare):
            return True
        if isinstance(tree, ast.BinOp | ast.UnaryOp):
            names = self._names_now()
            return any(
                isinstance(part, ast.Call | ast.Subscript)
                or (isinstance(part, ast.Name) and isinstance(names.argument(part.id), NodeArgument))
                for part in ast.walk(tree)
            )
        return False


def dotted(tree: ast.expr) -> str | None:
    """``torch.nn.functional.gelu`` as text; None for anything but names and dots."""
    if isinstance(tree, ast.Name):
        return tree.id
    if isinstance(tree, ast.Attribute):
        before = dotted(tree.value)
        return f"{before}.{tree.attr}" if before is not None else None
    return None


def _submodule(path: str) -> str:
    return path.removeprefix("self.").replace(_DIGIT, "")


def _index(tree: ast.expr) -> ast.expr:
    """``a:b`` in a subscript as the call ``slice(a, b, None)``."""
    if isinstance(tree, ast.Slice):
        none = ast.Constant(None)
        parts = [part if part is not None else none for part in (tree.lower, tree.upper, tree.step)]
        return ast.fix_missing_locations(
            ast.copy_location(ast.Call(ast.Name("slice", ast.Load()), parts, []), tree)
        )
    if isinstance(tree, ast.Tuple):
        return ast.copy_location(ast.Tuple([_index(item) for item in tree.elts], ast.Load()), tree)
    return tree


def _not_starred(tree: ast.expr) -> ast.expr:
    if isinstance(tree, ast.Starred):
        raise _refuse(tree, "arguments cannot be unpacked with * in a graph")
    return tree


def _keyword(item: ast.keyword) -> str:
    if item.arg is None:
        raise _refuse(item.value, "arguments cannot be unpacked with ** in a graph")
    return item.arg


def _refuse(tree: ast.expr, why: str) -> ArgumentTextError:
    return ArgumentTextError(why, tree.lineno, tree.col_offset)
