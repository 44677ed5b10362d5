"""Our own modules as trees, for tests that look for one construct in all of them: parsed is only what can hold it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def trees(folders: tuple[str, ...], *words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Path and tree of each module below these folders of the repository in whose text one of the words stands."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in words):
                yield path, ast.parse(text)
