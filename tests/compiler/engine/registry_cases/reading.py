"""Finds the programs of this folder and what each is expected to be told with."""

import ast
import dataclasses
import re
from pathlib import Path

FOLDER = Path(__file__).parent
_ENTRY = re.compile(r"#\s*((?:GB\d+\s*)+)$")


@dataclasses.dataclass(frozen=True)
class Case:
    """One program: the lines of it, or of functions between it and the next one, that must be told, with their ids."""

    file: str
    name: str
    expected: tuple[tuple[int, str], ...]
    inputs: str | None = None
    settings: tuple[tuple[str, object], ...] = ()

    @property
    def target(self) -> str:
        return f"{self.file}:{self.name}"


def cases() -> list[Case]:
    """Every public function of the folder's programs that names an entry of the registry."""
    return [
        case
        for path in sorted(FOLDER.glob("*.py"))
        if path.name not in ("__init__.py", "reading.py")
        for case in _cases_of(path)
        if case.expected
    ]


def _cases_of(path: Path) -> list[Case]:
    text = path.read_text()
    lines = text.split("\n")
    body = ast.parse(text).body
    inputs, settings = _table(body, "_INPUTS"), _table(body, "_SETTINGS")
    public = [
        node
        for node in body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.name != "example_inputs"
    ]
    found, begin = [], 0
    for node in public:
        # what stands above a program, after the one before it, belongs to it
        span = range(begin, node.end_lineno or node.lineno)
        begin = node.end_lineno or node.lineno
        expected = tuple((line + 1, entry) for line in span for entry in _entries(lines[line]))
        more = settings.get(node.name, {})
        found.append(Case(path.name, node.name, expected, inputs.get(node.name), tuple(more.items())))
    return found


def _entries(line: str) -> list[str]:
    match = _ENTRY.search(line.partition("  # noqa")[0])
    return match[1].split() if match else []


def _table(body: list[ast.stmt], name: str) -> dict:
    for node in body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    return {}
