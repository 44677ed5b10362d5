"""One file, one job, a name that says it."""

import statistics
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 500
BANNED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "misc", "stuff"}


def source_files() -> Iterator[Path]:
    for folder in ("app", "compiler"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def test_no_file_is_longer_than_500_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): line_count(path) for path in source_files() if line_count(path) > LONGEST
    }
    assert not long, f"split these: {long}"


def test_most_files_are_short() -> None:
    counts = sorted(line_count(path) for path in source_files() if path.name != "__init__.py")
    print("longest:", counts[-10:])
    assert statistics.median(counts) <= 150
    assert counts[int(len(counts) * 0.9)] <= 300


def test_no_name_says_nothing() -> None:
    names = [path for path in source_files() if BANNED & {path.stem, *path.relative_to(ROOT).parts[:-1]}]
    assert not names


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in source_files()
        if path.stat().st_size and not path.read_text(encoding="utf-8").lstrip().startswith(('"""', 'r"""'))
    ]
    assert not silent
