"""Our modules' names as they are in the wheel: below `torch_loupe`, in imports and in strings that name a module."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

MOVED = ("app", "compiler", "resources")
PACKAGE = "torch_loupe"

Change = tuple[int, int, int, str]
"""Line (from 1), first and last column in bytes, and the text instead."""


class CannotRenameError(Exception):
    """A line names one of our modules in a way that cannot be renamed for certain."""


def module_names(root: Path) -> frozenset[str]:
    """All modules and packages of a tree that move."""
    paths = [path for name in MOVED for path in (root / name).rglob("*.py")]
    parts = [path.relative_to(root).with_suffix("").parts for path in paths]
    return frozenset(".".join(names[:-1] if names[-1] == "__init__" else names) for names in parts)


def renamed(text: str, known: frozenset[str], where: str = "") -> str:
    """A module's source with every name of ours below `PACKAGE`; lines stay where they are. Raises CannotRenameError."""
    tree = ast.parse(text)
    lines = text.encode().split(b"\n")
    for row, begin, end, new in sorted(_changes(tree, lines, known, where), reverse=True):
        lines[row - 1] = lines[row - 1][:begin] + new.encode() + lines[row - 1][end:]
    return b"\n".join(lines).decode()


def _changes(tree: ast.Module, lines: list[bytes], known: frozenset[str], where: str) -> Iterator[Change]:
    for node in ast.walk(tree):
        place = f"{where}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_ours(node.module or ""):
            yield _import_from(node, lines[node.lineno - 1], place)
        elif isinstance(node, ast.Import) and any(_is_ours(alias.name) for alias in node.names):
            yield _import(node, place)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.partition(":")[0] in known and "." in node.value:
                yield _string(node, lines[node.lineno - 1], place)
        elif isinstance(node, ast.JoinedStr):
            _refuse_assembled(node, place)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in MOVED


def _import_from(node: ast.ImportFrom, line: bytes, place: str) -> Change:
    found = re.compile(rb"from\s+(?=\w)").match(line, node.col_offset)
    if found is None:
        raise CannotRenameError(f"{place}: write the import on one line")
    return node.lineno, found.end(), found.end(), f"{PACKAGE}."


def _import(node: ast.Import, place: str) -> Change:
    """``import compiler`` and ``import compiler.x as y``; anything else binds a name that the wheel does not have."""
    name, bound = node.names[0].name, node.names[0].asname
    if len(node.names) > 1 or ("." in name and bound is None) or node.end_col_offset is None:
        raise CannotRenameError(f"{place}: import one name, or write from … import …")
    above, _, last = f"{PACKAGE}.{name}".rpartition(".")
    new = f"from {above} import {last}" + (f" as {bound}" if bound else "")
    return node.lineno, node.col_offset, node.end_col_offset, new


def _string(node: ast.Constant, line: bytes, place: str) -> Change:
    end = node.end_col_offset or 0
    begin = line.find(str(node.value).encode(), node.col_offset, end)
    if node.end_lineno != node.lineno or begin < 0:
        raise CannotRenameError(f"{place}: write the module's name as one plain string")
    return node.lineno, begin, begin, f"{PACKAGE}."


def _refuse_assembled(node: ast.JoinedStr, place: str) -> None:
    first = node.values[0] if node.values else None
    if isinstance(first, ast.Constant) and re.match(rf"({'|'.join(MOVED)})\.[a-z_.]*$", str(first.value)):
        raise CannotRenameError(
            f"{place}: a module's name put together from {first.value!r}; begin it with __name__"
        )
