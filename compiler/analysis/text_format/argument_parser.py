"""Arguments from what a person typed: Python's own literals, names of nodes, and torch's constants.

The text is parsed and never evaluated. What is accepted is exactly what `arguments.text_of` prints.
"""

import ast
from collections.abc import Collection, Mapping

from compiler.model.ir.arguments import (
    NONE,
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
    SliceArgument,
    children,
    constant_from_text,
)
from compiler.model.ir.ids import NodeId


class ArgumentTextError(ValueError):
    """What was typed is no argument. `line` counts from 1 and `column` from 0, within the text."""

    def __init__(self, message: str, line: int = 1, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Names:
    """What names may stand for: nodes, and objects without a spelling, which can only be kept.

    Those are recognised by their text; where that is no Python, `masked` puts a name in its place.
    """

    def __init__(self, nodes: Collection[NodeId], opaque: Collection[str] = ()) -> None:
        self.nodes = nodes
        self._masks = {f"__kept_{index}__": text for index, text in enumerate(sorted(opaque, key=len)[::-1])}
        self._plain = set(opaque)

    def with_nodes(self, nodes: Collection[NodeId]) -> "Names":
        """The same, for other nodes."""
        other = Names(nodes)
        other._masks, other._plain = self._masks, self._plain
        return other

    def masked(self, text: str) -> str:
        """The text with every object that is no Python replaced by a name."""
        for mask, kept in self._masks.items():
            if not kept.isidentifier():
                text = text.replace(kept, mask)
        return text

    def argument(self, name: str) -> Argument | None:
        """What a name stands for, or None."""
        if name in self.nodes:
            return NodeArgument(name)
        if name in self._masks:
            return ConstantArgument("opaque", self._masks[name])
        if name in self._plain:
            return ConstantArgument("opaque", name)
        return ConstantArgument("float", name) if name in ("inf", "nan") else None


def argument_from_text(text: str, names: Names) -> Argument:
    """One argument. Raises ArgumentTextError."""
    if not text.strip():
        raise ArgumentTextError("nothing is typed")
    try:
        tree = ast.parse(names.masked(text.strip()), mode="eval")
    except SyntaxError as error:
        raise ArgumentTextError(f"this is no Python: {error.msg}", error.lineno or 1) from error
    return argument_from_tree(tree.body, names)


def argument_from_tree(tree: ast.expr, names: Names) -> Argument:
    """One argument from Python's syntax tree. Raises ArgumentTextError."""
    match tree:
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=value) if value is Ellipsis:
            return ConstantArgument("ellipsis", "...")
        case ast.Name():
            return _named(tree, names)
        case ast.Tuple() | ast.List():
            kind = "list" if isinstance(tree, ast.List) else "tuple"
            return SequenceArgument(kind, tuple(argument_from_tree(item, names) for item in tree.elts))
        case ast.Dict():
            return _mapping(tree, names)
        case ast.Call():
            return _call(tree, names)
        case ast.Attribute():
            return _torch_constant(tree)
        case _:
            return _literal(tree)


def _refuse(tree: ast.expr, why: str) -> ArgumentTextError:
    return ArgumentTextError(why, tree.lineno, tree.col_offset)


def _named(tree: ast.Name, names: Names) -> Argument:
    found = names.argument(tree.id)
    if found is None:
        raise _refuse(tree, f"there is no node {tree.id} before this one")
    return found


def _mapping(tree: ast.Dict, names: Names) -> Argument:
    items = []
    for key, value in zip(tree.keys, tree.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise _refuse(tree, "keys of a dict must be text")
        items.append((key.value, argument_from_tree(value, names)))
    return MappingArgument(tuple(items))


def _call(tree: ast.Call, names: Names) -> Argument:
    what = ast.unparse(tree.func)
    if what == "slice" and len(tree.args) in (1, 2, 3) and not tree.keywords:
        parts = [argument_from_tree(item, names) for item in tree.args]
        if len(parts) == 1:
            return SliceArgument(NONE, parts[0], NONE)
        return SliceArgument(parts[0], parts[1], parts[2] if len(parts) == 3 else NONE)
    if what in ("device", "torch.device") and len(tree.args) == 1 and not tree.keywords:
        name = tree.args[0]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return ConstantArgument("device", f"device({name.value!r})")
    raise _refuse(
        tree, f"this is a call, {what}(…); an argument is a node, a constant, a list, a slice or a device"
    )


def _torch_constant(tree: ast.Attribute) -> Argument:
    try:
        return constant_from_text(ast.unparse(tree))
    except ValueError as error:
        raise _refuse(tree, str(error)) from error


def _literal(tree: ast.expr) -> Argument:
    if ast.unparse(tree) == "-inf":
        return ConstantArgument("float", "-inf")
    try:
        value = ast.literal_eval(tree)
    except ValueError as error:
        raise _refuse(tree, f"this is no argument: {ast.unparse(tree)}") from error
    kinds: Mapping[type, str] = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str"}
    if type(value) not in kinds:
        raise _refuse(tree, f"a {type(value).__name__} cannot be an argument")
    return ConstantArgument(kinds[type(value)], repr(value))


def opaque_texts(argument: Argument) -> set[str]:
    """The texts of all objects without a spelling in an argument."""
    if isinstance(argument, ConstantArgument):
        return {argument.text} if argument.kind == "opaque" else set()
    return {text for _, child in children(argument) for text in opaque_texts(child)}
