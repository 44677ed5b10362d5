"""A real worker over a real socket, as the command line starts it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import WorkerClient
from compiler.model.protocol.messages import EventBody


@pytest.fixture(scope="module")
def events() -> list[EventBody]:
    """Every event of the module's worker."""
    return []


@pytest.fixture(scope="module")
def worker(events: list[EventBody]) -> Iterator[WorkerClient]:
    """A worker shared by tests that do not kill it."""
    with WorkerClient(events.append, timeout=120, gate=TrustGate()) as client:
        yield client


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a file of the user's."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file
