"""`1 kernel`, not `1 kernels`: what the commands print counts with `counted`, or says both forms."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import compiler.command_line as command_line

_WORDS = re.compile(
    r" (operations|operators|nodes|kernels|graphs|lines|calls|values|functions|breaks|compiles)\b"
)
_MORE_THAN_ONE = {
    "change.signs": "+3 −1 nodes",
    "minus": "+3 −1 lines",
    "row.lines": "lines of a log: it has a header",
    "rank.graphs": "in a table",
}


def _plurals(path: Path) -> Iterator[str]:
    for text in ast.walk(ast.parse(path.read_text())):
        if not isinstance(text, ast.JoinedStr):
            continue
        for value, after in zip(text.values, text.values[1:], strict=False):
            if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                shown = ast.unparse(value.value)
                if _WORDS.match(str(after.value)) and shown not in _MORE_THAN_ONE:
                    yield f"{path.name}:{value.lineno}: {shown}{after.value}"


def test_what_is_counted_is_reported_in_the_singular_too() -> None:
    paths = sorted(Path(str(command_line.__file__)).parent.rglob("*.py"))
    assert len(paths) > 20
    assert [found for path in paths for found in _plurals(path)] == []
