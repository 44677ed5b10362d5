"""Cheapest tests first: plain data, then the app on recorded data, then torch, then real worker processes."""

from pathlib import Path

import pytest

_ORDER = (
    "architecture",
    "compiler/model",
    "app",
    "compiler/engine",
    "compiler/worker",
    "compiler/command_line",
    "end_to_end",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order by folder, so that the cheapest failure shows first."""
    root = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(root).as_posix()
        return next((number for number, name in enumerate(_ORDER) if folder.startswith(name)), len(_ORDER))

    items.sort(key=rank)
