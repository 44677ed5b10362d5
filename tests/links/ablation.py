"""Programs with one operation replaced: finding the operations of a source file, and writing the file again.

Every file written imports `runtime` for the functions that stand in the place of operations.
"""

import ast
import copy
import dataclasses
import re
from collections.abc import Callable, Iterator
from pathlib import Path

Span = tuple[int, int, int, int]
"""First line from 1, first column from 0 in bytes, last line, end column: as Python records instructions."""

_PRELUDE = "from tests.links.runtime import links_probe, links_record, links_record_unpacking, links_probe_unpacking\n"
_OPERATIONS = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)
_CONSTANT = re.compile(r"^\d*\.\d{4,}$")


@dataclasses.dataclass(frozen=True)
class Site:
    """One operation in the source."""

    index: int
    span: Span
    kind: str
    """``operation``, ``unpacking`` (``a, b = tensor``) or ``statement`` (``x += y``, ``x.add_(y)``)."""
    text: str
    relatives: tuple[tuple[bool, str], ...] = ()
    """The operation written otherwise, so that what it is compiled to has the same structure; True where only its
    constants differ."""

    @property
    def line(self) -> int:
        return self.span[0]


def _span(node: ast.AST) -> Span:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _candidates(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Everything in functions that may make a tensor, each once, in source order."""
    found: dict[Span, tuple[ast.AST, str]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name in ("__init__", "example_inputs"):
            continue
        for node in ast.walk(ast.Module(function.body, [])):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                found[_span(node)] = node, "statement"
            elif isinstance(node, ast.Expr) and _is_in_place(node.value):
                found[_span(node.value)] = node, "statement"
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                found[_span(node.targets[0])] = node, "unpacking"
            elif isinstance(node, _OPERATIONS) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                found.setdefault(_span(node), (node, "operation"))
    yield from (found[span] for span in sorted(found))


def _is_in_place(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and isinstance(value.func.value, ast.Name)
        and value.func.attr.endswith("_")
    )


def sites_of(source: str) -> tuple[Site, ...]:
    """Every operation that may be replaced; which of them make tensors is known once the program has run."""
    sites = []
    for index, (node, kind) in enumerate(_candidates(ast.parse(source))):
        place = node.targets[0] if isinstance(node, ast.Assign) else node
        place = place.value if isinstance(place, ast.Expr) else place
        text = ast.get_source_segment(source, place) or ""
        relatives = tuple(_relatives(text)) if kind == "operation" else ()
        sites.append(Site(index, _span(place), kind, text, relatives))
    return tuple(sites)


_FAMILIES = (
    ("sin", "cos"), ("tanh", "sigmoid"), ("relu", "tanh", "sigmoid"), ("sigmoid", "tanh"), ("cos", "sin"),
    ("exp", "sigmoid"), ("maximum", "minimum"), ("minimum", "maximum"), ("amax", "amin"), ("gelu", "silu", "mish"),
    ("silu", "mish"), ("atan", "asinh"), ("softmax", "log_softmax"), ("mean", "sum"), ("sum", "mean"),
    ("log1p", "erf"), ("square", "erf"),
)  # fmt: skip
_CALLED = re.compile(r"(?<=\.)(\w+)(?=\()")


def _relatives(text: str) -> Iterator[tuple[bool, str]]:
    """The text with its own constants changed a little, or with its function exchanged for one of its family."""
    tree = ast.parse(text, mode="eval").body
    own = (
        [tree.func, *tree.keywords, *tree.args]
        if isinstance(tree, ast.Call)
        else list(ast.iter_child_nodes(tree))
    )
    constants = [
        item
        for node in own
        for item in [node.value if isinstance(node, ast.keyword) else node]
        if isinstance(item, ast.Constant) and isinstance(item.value, float)
    ]
    if constants:
        copied = copy.deepcopy(tree)
        wanted = {(item.col_offset, item.value) for item in constants}
        for item in ast.walk(copied):
            if isinstance(item, ast.Constant) and (item.col_offset, item.value) in wanted:
                item.value = round(float(item.value) * 1.0625 + 0.0009765, 7)
        yield True, ast.unparse(copied)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        for first, *others in _FAMILIES:
            if tree.func.attr == first:
                for other in others:
                    copied = copy.deepcopy(tree)
                    copied.func.attr = other  # type: ignore[attr-defined]
                    yield False, ast.unparse(copied)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub) and not constants:
        copied = copy.deepcopy(tree)
        copied.op = ast.Sub() if isinstance(tree.op, ast.Add) else ast.Add()  # type: ignore[attr-defined]
        yield False, ast.unparse(copied)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _operands(node: ast.AST, module: bool) -> list[ast.expr]:
    """The expressions an operation reads, a module that it calls among them."""
    match node:
        case ast.Call(func, args, keywords):
            owner = func if module else func.value if isinstance(func, ast.Attribute) else None
            return [*([owner] if owner else []), *args, *(item.value for item in keywords)]
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.Compare(left, _, comparators):
            return [left, *comparators]
        case ast.Subscript(value):
            return [value]
    raise TypeError(type(node))


def _probe(index: int, node: ast.AST, module: bool) -> ast.expr:
    return ast.Call(_name("links_probe"), [ast.Constant(index), *_operands(node, module)], [])


def _recorded(index: int, node: ast.expr) -> ast.expr:
    """The operation inside a recorder, which also gets the function that was called, if that is a plain name."""
    function = node.func if isinstance(node, ast.Call) else None
    below: ast.AST | None = function
    while isinstance(below, ast.Attribute):
        below = below.value
    called = [function] if function is not None and isinstance(below, ast.Name) else []
    return ast.Call(_name("links_record"), [ast.Constant(index), node, *called], [])


class _Writer(ast.NodeTransformer):
    """Puts something in the place of chosen operations."""

    def __init__(self, spans: dict[Span, int], replace: Callable[[ast.AST, int], ast.AST]) -> None:
        self.spans = spans
        self.replace = replace

    def visit(self, node: ast.AST) -> ast.AST:
        unpacking = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
        place = node.targets[0] if unpacking else node
        fits = isinstance(node, (*_OPERATIONS, ast.AugAssign)) or place is not node
        if isinstance(node, ast.Expr) and _is_in_place(node.value):
            place, fits = node.value, True
        index = self.spans.get(_span(place)) if fits and hasattr(place, "lineno") else None
        if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "example_inputs"):
            return node
        if isinstance(node, ast.Expr) and index is not None:
            for child in ast.iter_fields(node.value):
                if isinstance(child[1], list):
                    child[1][:] = [self.visit(item) for item in child[1]]
            return self.replace(node, index)
        self.generic_visit(node)
        return self.replace(node, index) if index is not None else node


def _written(source: str, spans: dict[Span, int], replace: Callable[[ast.AST, int], ast.AST]) -> str:
    tree = _Writer(spans, replace).visit(ast.parse(source))
    return _PRELUDE + ast.unparse(ast.fix_missing_locations(tree))


def recording(source: str, sites: tuple[Site, ...]) -> str:
    """The program that also writes down what each site makes."""

    def replace(node: ast.AST, index: int) -> ast.AST:
        match node:
            case ast.Assign():
                node.value = ast.Call(_name("links_record_unpacking"), [ast.Constant(index), node.value], [])
                return node
            case ast.AugAssign(target, op, value):
                made = ast.BinOp(ast.Name(target.id, ast.Load()), op, value)  # type: ignore[union-attr]
                return ast.Assign([target], _recorded(index, made))
            case ast.Expr(value):
                return ast.Expr(_recorded(index, value))
        return _recorded(index, node)

    return _written(source, {site.span: site.index for site in sites}, replace)


def probed(source: str, site: Site, module: bool) -> str:
    """The program with the site replaced by the opaque operator. `module`: the site calls a module with parameters."""

    def replace(node: ast.AST, index: int) -> ast.AST:
        match node:
            case ast.Assign():
                node.value = ast.Call(_name("links_probe_unpacking"), [ast.Constant(index), node.value], [])
                return node
            case ast.AugAssign(target, op, value):
                made = ast.BinOp(ast.Name(target.id, ast.Load()), op, value)  # type: ignore[union-attr]
                return ast.Assign([target], _probe(index, made, module))
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name)))):
                made = _probe(index, node.value, module)
                return ast.Assign([ast.Name(name, ast.Store())], made)
        return _probe(index, node, module)

    return _written(source, {site.span: site.index}, replace)


def related(source: str, site: Site, relative: str) -> str:
    """The program with the site written otherwise, all lines in their places."""
    first, start, last, end = site.span
    lines = source.encode().split(b"\n")
    before, after = lines[first - 1][:start], lines[last - 1][end:]
    text = before + relative.encode() + after + b"\n" * (last - first)
    return b"\n".join([*lines[: first - 1], *text.split(b"\n"), *lines[last:]]).decode()


def write_program(folder: Path, name: str, text: str) -> str:
    """The file's name for a target."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return f"{name}.py"
