"""What tests and their scripts import of this project is there: no type checker looks at them, and those for a GPU run nowhere else."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("app", "compiler", "tests", "torch_loupe")


@functools.cache
def _names(module: str) -> frozenset[str] | None:
    """All that a module defines at its top, or what is in a package; None where there is no such module."""
    place = ROOT.joinpath(*module.split("."))
    found = set[str]()
    if place.is_dir():
        found |= {child.stem for child in place.iterdir()}
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if not place.is_dir() and not file.is_file():
        return None
    if file.is_file():
        found |= set(_defined(ast.parse(file.read_text(encoding="utf-8")).body))
    return frozenset(found)


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
            case _:  # assignments, in branches and loops too
                yield from (
                    node.id
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                )
                for inner in ast.iter_child_nodes(statement):
                    if isinstance(inner, ast.stmt):
                        yield from _defined([inner])


def _missing(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        if node.module.partition(".")[0] not in OURS:
            continue
        names = _names(node.module)
        if names is None:
            yield f"{file.relative_to(ROOT)}:{node.lineno}: no module {node.module}"
            continue
        for alias in node.names:
            if alias.name not in names:
                yield f"{file.relative_to(ROOT)}:{node.lineno}: {node.module} has no {alias.name}"


def test_what_tests_import_is_there():
    """A function that moved was still asked for in a script that runs on a GPU only."""
    found = [row for file in sorted((ROOT / "tests").rglob("*.py")) for row in _missing(file)]
    assert not found


def test_a_missing_name_would_be_found(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "here.py").write_text(
        "if True:\n    def there(): ...\ntry:\n    A = 1\nexcept OSError:\n    B: int = 2\n"
    )
    script = tmp_path / "tests" / "script.py"
    script.write_text("from tests.here import A, B, gone, there\nfrom tests.gone import x\n")
    _names.cache_clear()
    try:
        assert list(_missing(script)) == [
            "tests/script.py:1: tests.here has no gone", "tests/script.py:2: no module tests.gone"
        ]  # fmt: skip
    finally:
        _names.cache_clear()
