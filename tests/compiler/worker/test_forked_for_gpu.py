"""Processes that pretend to have a GPU are forked with torch loaded: they compile what one that is started compiles."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.protocol.frames import encode
from compiler.model.protocol.messages import MakeCapture, Request
from compiler.processes import fork_server
from compiler.processes.started import FORKED, StartedProcess, started_by
from compiler.worker import child_processes, fake_gpu_setup
from tests.helpers import state_of_torch
from tests.helpers.gpu_child import run_without_gpu
from tests.helpers.needs import TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = [
    pytest.mark.engine,
    pytest.mark.worker,
    TRITON,
    pytest.mark.skipif(not fork_server.possible(), reason="processes are forked on Linux, without a GPU"),
]
Write = Callable[[str, str], Path]
NET = """\
import os
import torch

with open(os.path.join(os.path.dirname(__file__), "process"), "w") as note:
    note.write(f"{os.getpid()} " + open("/proc/self/comm").read())

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(3, 32, 3, padding=1)
        self.qkv = torch.nn.Linear(32, 96)
        self.norm = torch.nn.LayerNorm(32)

    def forward(self, x):
        x = torch.nn.functional.dropout(torch.relu(self.first(x)), 0.1).flatten(2).transpose(1, 2)
        q, k, v = self.qkv(self.norm(x)).unflatten(2, (3, 2, 16)).permute(2, 0, 3, 1, 4)
        mask = torch.ones(64, 64, dtype=torch.bool, device=x.device).tril()
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask) + torch.rand_like(q)

def example_inputs():
    return (torch.randn(2, 3, 8, 8),)
"""
ENDLESS = NET.split("class")[0] + "import time\nwhile True:\n    time.sleep(1)\n"
CRASH = NET.split("class")[0] + "os.kill(os.getpid(), 11)\n"
_OF_PROCESS = (
    (r'"seconds":[\d.e-]+', "took"),
    (r"/\S*?loupe-\w+/loupe-gpu-\w+/inductor/\w+/\w+", "file"),
    (r"0x[0-9a-f]{6,}|\d{13,15}", "address"),
    (r"[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}", "name"),
)
"""What differs between two captures in any two processes."""


def spec_of(path: Path) -> CaptureSpec:
    return CaptureSpec(
        TargetSpec(f"{path.name}:Net", str(path.parent)), run=RunOptions(True), device=TARGETS["h100"]
    )


def captured(worker: WorkerClient, path: Path) -> Capture:
    return capture_by(worker, spec_of(path))


def in_words(capture: Capture) -> str:
    text = msgspec.json.encode(capture).decode()
    for pattern, word in _OF_PROCESS:
        text = re.sub(pattern, word, text)
    return text


def process_noted(folder: Path) -> tuple[int, str]:
    number, name = (folder / "process").read_text().split()
    return int(number), name


def forked_of(worker: WorkerClient) -> list[StartedProcess]:
    found = started_by(worker._process.pid, worker._path)
    return [process for process in found if process.name == FORKED]


@pytest.fixture
def worker() -> Iterator[WorkerClient]:
    """One of the test's own, whose processes it ends."""
    with WorkerClient(lambda event: None, timeout=120, gate=TrustGate()) as client:
        yield client


@pytest.mark.thorough
def test_a_capture_is_the_same_where_its_process_is_started(worker: WorkerClient, write: Write):
    path = write("net.py", NET)
    forked = captured(worker, path)
    assert process_noted(path.parent)[1] == FORKED
    (server,) = forked_of(worker)
    os.kill(server.id, signal.SIGKILL)
    started = captured(worker, path)
    assert process_noted(path.parent)[1] != FORKED
    assert in_words(forked) == in_words(started)
    assert "triton" in in_words(forked)


@pytest.mark.thorough
def test_a_cancelled_capture_and_one_that_crashes_leave_nothing(worker: WorkerClient, write: Write):
    path = write("net.py", NET)
    captured(worker, path)
    servers = forked_of(worker)
    assert len(servers) == 1
    before = sorted(worker._folder.path.rglob("*"))
    (path.parent / "process").unlink()
    worker._connection.sendall(encode(Request(1001, MakeCapture(spec_of(write("endless.py", ENDLESS)), "c"))))
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        with contextlib.suppress(OSError, ValueError):
            if process_noted(path.parent)[1] == FORKED:
                break
        time.sleep(0.02)
    child, _ = process_noted(path.parent)
    assert child in {process.id for process in forked_of(worker)}
    worker._cancel(1001)
    with pytest.raises(CommandFailedError, match="Cancelled"):
        worker._wait(1001, time.monotonic() + 60)
    assert forked_of(worker) == servers, "only what forks is left"
    with pytest.raises(CommandFailedError, match="SIGSEGV"):
        captured(worker, write("crash.py", CRASH))
    assert forked_of(worker) == servers
    captured(worker, path)
    assert process_noted(path.parent)[1] == FORKED
    assert forked_of(worker) == servers
    assert sorted(worker._folder.path.rglob("*")) == before


LIMITS = """
from compiler.model.ir.gpu_target import TARGETS
from compiler.worker import fake_gpu_setup
fake_gpu_setup.pretend(TARGETS[{!r}])
from torch._inductor.runtime.hints import TRITON_MAX_BLOCK
print(TRITON_MAX_BLOCK)
"""


@pytest.mark.thorough
def test_what_was_loaded_before_is_what_is_loaded_after(tmp_path: Path):
    """100,000 attributes of torch's modules."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", **child_processes._NO_GPU}
    files = [tmp_path / when for when in ("early", "late")]
    running = [
        subprocess.Popen(
            [sys.executable, state_of_torch.__file__, file.name, "h100", str(file)], env=environment
        )
        for file in files
    ]
    assert [process.wait() for process in running] == [0, 0]
    early, late = (json.loads(file.read_text()) for file in files)
    assert len(early) > 50_000
    assert {name for name in early.keys() | late.keys() if early.get(name) != late.get(name)} == set()


@pytest.mark.thorough
def test_limits_of_amd_are_others_and_its_processes_are_started():
    assert run_without_gpu(LIMITS.format("h100")) != run_without_gpu(LIMITS.format("mi300x"))
    assert fake_gpu_setup.can_follow_torch(TARGETS["h100"])
    assert not fake_gpu_setup.can_follow_torch(TARGETS["mi300x"])
