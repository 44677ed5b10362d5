"""Over a real ssh: a window's session whose connection is cut again and again loses nothing. sshd is installed if it is not there."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine_client.engine_client import EngineClient
from app.session.facade.session import Session
from compiler.installation import python_path
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.edits.edits import ReplaceTarget
from compiler.remote.machine import Machine

pytestmark = [pytest.mark.worker, pytest.mark.slow]

_PORT = 22987
_CUTS = 20
_NET = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 16)
    def forward(self, x):
        return torch.relu(self.a(x))
def example_inputs():
    return (torch.randn(4, 8),)
"""


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A server on this machine, with keys of its own."""
    if os.getuid() != 0:
        pytest.skip("sshd can be started by root only")
    if not Path("/usr/sbin/sshd").exists():
        subprocess.run(["apt-get", "install", "-y", "openssh-server"], check=False, capture_output=True)
    if not Path("/usr/sbin/sshd").exists() or shutil.which("ssh") is None:
        pytest.skip("there is no sshd, and it cannot be installed")
    folder = tmp_path_factory.mktemp("sshd")
    Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    (folder / "conf").write_text(
        f"Port {_PORT}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
        f"PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
    )
    (folder / "known").write_text(f"[127.0.0.1]:{_PORT} {(folder / 'host.pub').read_text()}")
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={python_path(None)} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", str(folder / "conf")])
    way = f"ssh -T -p {_PORT} -i {folder}/user -o UserKnownHostsFile={folder}/known root@127.0.0.1"
    for _ in range(100):
        if subprocess.run([*way.split(), "true"], check=False, capture_output=True).returncode == 0:
            break
        time.sleep(0.1)
    yield Machine(through=way, python=str(python))
    process.terminate()
    process.wait()


def test_a_connection_that_is_cut_loses_nothing(
    sshd: Machine, tmp_path: Path, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "net.py").write_text(_NET)
    for name, value in sshd.environment().items():
        monkeypatch.setenv(name, value)
    engine = EngineClient()
    session = Session(engine, journals=tmp_path / "journals")
    chance = random.Random(20)
    try:
        engine.start()
        session.open_program(CaptureSpec(TargetSpec("net.py:Net", str(tmp_path))))
        qtbot.waitUntil(lambda: session.capture is not None and not session.busy, timeout=120_000)
        capture = session.captures[0]
        (graph,) = (stage for stage in capture.stages if stage.id.endswith(":dynamo"))
        assert graph.graph is not None
        relu = next(node for node in graph.graph.nodes if node.target.endswith("relu"))
        session.make_edit(ReplaceTarget(graph.id, relu.id, relu.op, "torch.nn.functional.gelu", relu.args))
        edits = session.edits
        recompiled = 0
        for cut in range(_CUTS):
            session.recompile()
            qtbot.wait(int(chance.random() * 6_000))
            for number in _connections():
                os.kill(number, signal.SIGKILL)
            assert session.edits == edits
            assert session.captures[0] == capture
            qtbot.wait(300)
            if session.engine_state == "stopped":  # cut too often in a row: what a person does then
                engine.restart()
            if cut % 5 == 4:
                engine.restart()
                qtbot.waitUntil(lambda: session.engine_state == "ready" and not session.busy, timeout=120_000)
                before = len(session.captures)
                if session.has_uncompiled_edits:
                    session.recompile()
                    qtbot.waitUntil(lambda: len(session.captures) > before, timeout=120_000)
                recompiled += not session.has_uncompiled_edits
        assert recompiled == _CUTS // 5
        assert session.edits == edits
        assert not session.has_uncompiled_edits
    finally:
        session.close()
    assert not _connections()
    for _ in range(100):
        if not _there():
            break
        time.sleep(0.1)
    assert not _there(), "nothing of ours is left on the other machine"


def _connections() -> list[int]:
    return _processes(f"ssh -T -p {_PORT}")


def _there() -> list[int]:
    return _processes("torch_loupe.there")


def _processes(words: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in command and "pytest" not in command:
            found.append(int(path.name))
    return found
