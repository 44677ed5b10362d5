"""Cheapest tests first: plain data, then the app on recorded data, then torch, then real worker processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long one example takes says nothing on a machine that does other things too; pytest-timeout holds the whole test.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

_ORDER = (
    "architecture",
    "compiler/model",
    "compiler/analysis",
    "app",
    "compiler/engine",
    "compiler/worker",
    "compiler/command_line",
    "end_to_end",
)


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Which files are trusted is noted beside the tests, never with the developer's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order by folder, so that the cheapest failure shows first."""
    root = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(root).as_posix()
        return next((number for number, name in enumerate(_ORDER) if folder.startswith(name)), len(_ORDER))

    items.sort(key=rank)
