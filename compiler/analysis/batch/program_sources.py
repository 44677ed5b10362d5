"""The files that a program consists of, found without running it: its own, and those beside it that it imports."""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

from compiler.model.batch.manifest import Program


def source_digests(program: Program, folder: Path) -> tuple[str, ...]:
    """``path digest`` of each, sorted. What is installed is reported by its version, not here. Raises ValueError where the
    program's own file is not there.
    """
    named = program.target.rpartition(":")[0] if ":" in program.target else program.target
    if named.endswith((".py", ".json", ".pt2")):
        first = folder / named
        if not first.is_file():
            raise ValueError(f"program {program.title!r}: there is no file {first}")
        files = {first.resolve()}
    else:
        files = {path.resolve() for path in _module_files(named, 0, folder, folder)}
    _follow_imports(files, folder)
    for pattern in program.sources:
        more = {path.resolve() for path in folder.glob(pattern) if path.is_file()}
        if not more:
            raise ValueError(
                f"program {program.title!r}: no file in {folder} is named by sources {pattern!r}"
            )
        files |= more
    return tuple(sorted(f"{_name(path, folder)} {_digest(path)}" for path in files))


def _follow_imports(files: set[Path], folder: Path) -> None:
    waiting = [path for path in files if path.suffix == ".py"]
    while waiting:
        path = waiting.pop()
        for found in map(Path.resolve, _imported(path, folder)):
            if found not in files:
                files.add(found)
                waiting.append(found)


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError):  # the job itself will say
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_files(alias.name, 0, path.parent, folder)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from _module_files(module, node.level, path.parent, folder)
            for alias in node.names:
                name = f"{module}.{alias.name}".lstrip(".")
                yield from _module_files(name, node.level, path.parent, folder)


def _module_files(name: str, level: int, importer: Path, folder: Path) -> Iterator[Path]:
    """A module's file and those of the packages it is in, where they stand in the program's folder."""
    parts = name.split(".") if name else []
    starts = [importer.joinpath(*[".."] * (level - 1))] if level else [importer, folder]
    for start in starts:
        for count in range(len(parts) + 1):
            place = start.joinpath(*parts[:count])
            for path in (place / "__init__.py", place.with_suffix(".py")) if count or level else ():
                if path.is_file():
                    yield path


def _name(path: Path, folder: Path) -> str:
    home = folder.resolve()
    return str(path.relative_to(home)) if path.is_relative_to(home) else str(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
