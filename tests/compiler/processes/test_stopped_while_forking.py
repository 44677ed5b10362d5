"""A fork server that is stopped and continued while it forks leaves no process behind that stands still for ever."""

import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.processes import fork_server
from compiler.processes.fork_server import LARGEST_REPLY, ChildOrder, ForkServer

pytestmark = pytest.mark.skipif(
    not fork_server.possible(), reason="such processes are forked on Linux, without a GPU"
)
_SERVER = """
import os, socket, sys
sys.path.insert(0, os.getcwd())
from compiler.processes import fork_server
def preload():
    global kept
    kept = bytearray(200 << 20)  # a fork copies a table of its pages, which takes milliseconds
    kept[::4096] = bytes(len(kept[::4096]))
fork_server.serve(socket.socket(fileno=int(sys.argv[1])), preload)
"""
_ROUNDS, _AT_MOST_S, _PATIENCE_S = 40, 0.02, 20.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, ForkServer]]:
    """Its number, which is its group's, and where it takes orders."""
    (tmp_path / "child.py").write_text("print('ran')\n")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(theirs.fileno())],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        pass_fds=(theirs.fileno(),),
        start_new_session=True,
    )
    theirs.close()
    yield process.pid, ForkServer(ours)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    ours.close()


@pytest.mark.thorough
def test_one_that_is_being_born_goes_on_with_its_group(server: tuple[int, ForkServer]) -> None:
    group, orders = server
    chance = random.Random(0)
    for number in range(_ROUNDS + 1):
        ordered = orders.order(ChildOrder("child", (), os.environ, session=True))
        if number:  # the first one waits until the server is ready
            time.sleep(chance.uniform(0.0, _AT_MOST_S))
            os.killpg(group, signal.SIGSTOP)
            time.sleep(0.0002)
            os.killpg(group, signal.SIGCONT)
        for heard in ("its number", "its end"):
            assert select.select([ordered.life], [], [], _PATIENCE_S)[0], (number, heard)
            assert ordered.life.recv(LARGEST_REPLY)
        assert os.read(ordered.output, 100) == b"ran\n"
        ordered.life.close()
        os.close(ordered.output)
