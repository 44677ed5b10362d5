"""Workers of a window that are forked from a process which has loaded torch: real ones."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine_client import engine_client
from app.engine_client.engine_client import EngineClient
from app.engine_client.forking_process import ForkingProcess
from compiler.model.protocol.messages import AskEnvironment, Done
from compiler.processes import fork_server

pytestmark = [
    pytest.mark.engine,
    pytest.mark.worker,
    pytest.mark.skipif(not fork_server.possible(), reason="workers are forked on Linux, without a GPU"),
]
_PATIENCE_MS = 60_000
Start = Callable[[], EngineClient]


@pytest.fixture
def forks() -> Iterator[ForkingProcess]:
    made = ForkingProcess()
    yield made
    made.close()


@pytest.fixture
def client(forks: ForkingProcess, qtbot: QtBot) -> Iterator[EngineClient]:
    engine = EngineClient(forks=forks)
    engine.gate = lambda body: None
    yield engine
    engine.shut_down()
    engine.deleteLater()


def _ready(engine: EngineClient, qtbot: QtBot) -> int:
    """Its worker's number once it answers."""
    engine.start()
    qtbot.waitUntil(lambda: engine.state == "ready", timeout=_PATIENCE_MS)
    return engine._process.id


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[1])


@pytest.mark.thorough
def test_each_is_a_process_of_its_own_and_looks_like_one_that_was_started(
    client: EngineClient, forks: ForkingProcess, qtbot: QtBot
) -> None:
    first = _ready(client, qtbot)
    assert _parent(first) == forks.id
    assert os.getsid(first) == first
    path = str(client._connection.path)
    reported = Path(f"/proc/{first}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    assert reported[-2:] == [b"--socket", path.encode()]
    assert f"LOUPE_WORKER={path}".encode() in Path(f"/proc/{first}/environ").read_bytes().split(b"\0")
    client.restart()
    qtbot.waitUntil(lambda: client.generation == 2, timeout=_PATIENCE_MS)
    second = _ready(client, qtbot)
    assert second != first
    assert _parent(second) == forks.id
    got: list[object] = []
    client.send(AskEnvironment(), got.append, got.append)
    qtbot.waitUntil(lambda: bool(got), timeout=_PATIENCE_MS)
    assert not isinstance(got[0], Done)


@pytest.mark.thorough
def test_its_death_is_reported_and_another_one_follows(client: EngineClient, qtbot: QtBot) -> None:
    problems: list[str] = []
    client.problem_found.connect(lambda problem: problems.append(problem.message()))
    os.kill(_ready(client, qtbot), signal.SIGSEGV)
    qtbot.waitUntil(lambda: client.generation == 2 and client.state == "ready", timeout=_PATIENCE_MS)
    assert "SIGSEGV" in problems[0], problems


@pytest.mark.thorough
def test_without_the_forking_process_workers_are_started(
    client: EngineClient, forks: ForkingProcess, qtbot: QtBot
) -> None:
    _ready(client, qtbot)
    os.kill(forks.id, signal.SIGKILL)
    qtbot.waitUntil(lambda: client.generation == 2 and client.state == "ready", timeout=_PATIENCE_MS)
    assert _parent(client._process.id) == os.getpid()


@pytest.mark.thorough
def test_a_variable_that_torch_reads_when_it_is_loaded_is_not_missed(
    client: EngineClient, forks: ForkingProcess, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ready(client, qtbot)
    monkeypatch.setenv("TORCH_LOGS", "+dynamo")
    client.restart()
    qtbot.waitUntil(lambda: client.generation == 2 and client.state == "ready", timeout=_PATIENCE_MS)
    assert _parent(client._process.id) == os.getpid()


@pytest.mark.thorough
def test_it_stands_still_only_while_nobody_waits_for_a_worker(
    client: EngineClient, forks: ForkingProcess, qtbot: QtBot
) -> None:
    _ready(client, qtbot)
    state = Path(f"/proc/{forks.id}/stat")
    forks.stand_still(still=True)
    qtbot.waitUntil(lambda: state.read_text().rpartition(") ")[2][0] == "T", timeout=_PATIENCE_MS)
    client.restart()  # waits for one
    qtbot.waitUntil(lambda: client.generation == 2, timeout=_PATIENCE_MS)
    forks.stand_still(still=True)
    qtbot.waitUntil(lambda: client.state == "ready", timeout=_PATIENCE_MS)


@pytest.mark.thorough
def test_one_that_does_not_come_up_is_replaced_by_one_that_is_started(
    forks: ForkingProcess, qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_client, "LATE_MS", 1500)
    engine = EngineClient(forks=forks)
    engine.gate = lambda body: None
    got: list[object] = []
    try:
        engine.start()
        engine.send(AskEnvironment(), got.append, got.append)
        assert engine._process is not None
        while not engine._process.id:  # at once, before it comes up
            qapp.processEvents()
        stuck = engine._process.id
        os.kill(stuck, signal.SIGSTOP)
        qtbot.waitUntil(lambda: bool(got), timeout=_PATIENCE_MS)
        assert engine.generation == 2
        assert engine._process is not None
        assert _parent(engine._process.id) == os.getpid()
        qtbot.waitUntil(lambda: not Path(f"/proc/{stuck}").exists(), timeout=_PATIENCE_MS)
    finally:
        engine.shut_down()
        engine.deleteLater()
