"""What arrives from a worker is read while the window goes on."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from app.engine_client.connection import Connection
from compiler.model.protocol.frames import FrameWriter
from compiler.model.protocol.messages import CaptureMade, Event, Message, Progress, Reply
from tests.helpers import sample_capture


def _large() -> list[Message]:
    base = sample_capture.capture()
    stages = tuple(msgspec.structs.replace(base.stages[-1], id=f"s{number}") for number in range(60_000))
    many = msgspec.structs.replace(base, stages=stages)
    return [Reply(1, CaptureMade(many)), Event(Progress(1, "after it"))]


def _connected(tmp_path: Path, qtbot: QtBot) -> tuple[Connection, QLocalSocket]:
    connection, worker = Connection(tmp_path / "s"), QLocalSocket()
    assert connection.listen()
    worker.connectToServer(str(tmp_path / "s"))
    qtbot.waitUntil(lambda: connection._socket is not None)
    return connection, worker


@pytest.mark.thorough
def test_the_window_goes_on_while_a_large_capture_is_read(tmp_path: Path, qtbot: QtBot) -> None:
    connection, worker = _connected(tmp_path, qtbot)
    writer, messages = FrameWriter(), _large()
    got: list[Message] = []
    turns: list[bool] = []
    connection.message_arrived.connect(got.append)
    ticking = QTimer(interval=0)
    ticking.timeout.connect(lambda: turns.append(connection._reading is not None))
    ticking.start()
    for message in messages:
        worker.write(writer.encode(message))
    qtbot.waitUntil(lambda: len(got) == 2, timeout=20_000)
    assert got == messages  # in the order in which they were sent
    ticking.stop()
    assert any(turns)  # something else had its turn in the middle of the large one
    connection.close()


@pytest.mark.thorough
def test_what_has_arrived_is_read_when_the_worker_is_gone(tmp_path: Path, qtbot: QtBot) -> None:
    connection, worker = _connected(tmp_path, qtbot)
    writer, messages = FrameWriter(), _large()
    got: list[Message] = []
    connection.message_arrived.connect(got.append)
    worker.write(writer.encode(messages[0]))
    qtbot.waitUntil(lambda: connection._reading is not None, timeout=20_000)
    connection.drain()
    assert got == messages[:1]
    connection.close()
