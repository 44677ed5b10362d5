"""Names are of the field's words, so that who searches for one finds all that does it: what is said is reported, emitted or translated."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTEAD = {
    "told": "reported", "tell": "report, emit or translate", "tells": "reports", "telling": "reporting", "anew": "again or fresh",
    "untold": "unreported", "beside": "compared with, next to or around", "apart": "isolated, separate or different", "twin": "equal or other",
    "twins": "equal or other", "elsewhere": "in a child process, or where", "turns": "interleaved, or rounds",
}  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}")


def test_no_name_has_a_word_of_our_own_where_the_field_has_one() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line} {name}: {INSTEAD[word]}"
        for folder in ("app", "compiler", "torch_loupe")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in _names(ast.parse(path.read_text(encoding="utf-8")))
        for word in (item.lower() for item in _WORDS.findall(name))
        if word in INSTEAD
    }
    assert sorted(found) == []


def test_a_name_with_one_is_found() -> None:
    names = {
        name for _, name in _names(ast.parse("class A:\n    told: int\n    def tell(self, anew): self.x = 1"))
    }
    assert names == {"A", "told", "tell", "self", "anew", "x"}


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What is defined: functions, classes, parameters, variables, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
