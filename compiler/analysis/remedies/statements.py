"""Finding the statement, the call and the function at a line of Python text."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Location:
    """One statement of a file, and what it stands in."""

    text: str
    tree: ast.Module
    statement: ast.stmt
    siblings: list[ast.stmt]
    """The block that holds the statement."""
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    qualified: str
    """``Net.forward``; empty outside functions."""

    @property
    def lines(self) -> list[str]:
        """The file's lines, with their ends."""
        return self.text.splitlines(keepends=True)

    @property
    def indent(self) -> str:
        """The blanks before the statement."""
        line = self.lines[self.statement.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)

    def replaced(self, new: str) -> str:
        """The file's text with the statement replaced by complete lines; empty removes it."""
        first, last = self.statement.lineno - 1, self.statement.end_lineno or self.statement.lineno
        if not new and len(self.siblings) == 1:
            new = f"{self.indent}pass\n"
        return "".join((*self.lines[:first], new, *self.lines[last:]))

    @property
    def alone_on_its_lines(self) -> bool:
        """Whether nothing else shares the statement's lines."""
        first, last = self.statement.lineno, self.statement.end_lineno or self.statement.lineno
        others = [item for item in self.siblings if item is not self.statement]
        return all(item.lineno > last or (item.end_lineno or item.lineno) < first for item in others)


def find_spot(text: str, line: int) -> Location | None:
    """The innermost statement at a line (from 1); None where the text does not parse or the line has none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found: Location | None = None
    for statement, siblings, function, qualified in _statements(tree.body, None, ""):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            found = Location(text, tree, statement, siblings, function, qualified)
    return found


_Found = tuple[ast.stmt, list[ast.stmt], ast.FunctionDef | ast.AsyncFunctionDef | None, str]


def _statements(
    block: list[ast.stmt], function: ast.FunctionDef | ast.AsyncFunctionDef | None, qualified: str
) -> Iterator[_Found]:
    """Every statement, outer ones first."""
    for statement in block:
        yield statement, block, function, qualified
        inner, name = function, qualified
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{qualified}.{statement.name}".lstrip(".")
            inner = None if isinstance(statement, ast.ClassDef) else statement
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, []), inner, name)
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body, inner, name)
        for case in getattr(statement, "cases", []):
            yield from _statements(case.body, inner, name)


def calls_in(node: ast.AST) -> list[ast.Call]:
    """Calls in a statement, not those in statements inside it."""
    if isinstance(node, ast.If | ast.While):
        node = node.test
    elif isinstance(node, ast.For):
        node = node.iter
    elif isinstance(node, ast.With):
        return [call for item in node.items for call in calls_in(item.context_expr)]
    return [item for item in ast.walk(node) if isinstance(item, ast.Call)]


def dotted(node: ast.AST) -> str:
    """``time.sleep`` for a name with attributes; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def names_in(*nodes: ast.AST) -> set[str]:
    """Names that are read."""
    return {
        item.id
        for node in nodes
        for item in ast.walk(node)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load)
    }


def assigned_in(*nodes: ast.AST) -> set[str]:
    """Names that are assigned."""
    return {
        item.id
        for node in nodes
        for item in ast.walk(node)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store | ast.Del)
    }
