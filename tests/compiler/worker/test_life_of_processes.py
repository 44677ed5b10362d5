"""Processes end with who started them, whatever the program does; what a program leaves running is reported and ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.main import main
from compiler.processes.started import started_by
from tests.helpers.thoroughness import some

pytestmark = [
    pytest.mark.engine,
    pytest.mark.worker,
    pytest.mark.usefixtures("started_fresh"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

_CLIENT = Path(__file__).parents[2] / "helpers" / "client_to_kill.py"
_GENEROUS = 10.0
"""Seconds; two are promised, and nothing is asserted closer on a machine that others use."""
_TAIL = """
def f(x):
    return x + 1

def example_inputs():
    import torch
    return (torch.ones(3),)
"""
_HERE = "import os, signal, subprocess, sys, time\nos.chdir(os.path.dirname(__file__))\n"
_LOOP = "open('running', 'w').close()\nwhile True:\n    pass\n"
_PROGRAMS = {
    "loops": _LOOP,
    "bars every exit": (
        "os._exit = sys.exit = os.kill = os.killpg = lambda *_: None\n"
        "sys.stdout = sys.stderr = None\n"
        "for number in (1, 2, 3, 13, 15): signal.signal(number, signal.SIG_IGN)\n"
        "if os.fork() == 0:\n    time.sleep(600)\n"
        "if os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\n"
        "subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "open('running', 'w').close()\n"
        "exec('9 ** 9 ** 9')\n"  # in C, with the interpreter's lock held
    ),
}
"""What the program does once it is imported."""


@pytest.fixture
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A temporary folder of the client's own, with a path short enough for a socket."""
    folder = Path("/tmp") / f"lt{os.getpid()}-{time.monotonic_ns()}"
    folder.mkdir(mode=0o700)
    yield folder
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def _wait(condition: Callable[[], bool], seconds: float) -> float:
    start = time.monotonic()
    while not condition() and time.monotonic() - start < seconds:
        time.sleep(0.02)
    return time.monotonic() - start


def _state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "name"),
    some(
        (
            ("command", "loops"),
            ("command", "bars every exit"),
            ("target", "bars every exit"),
            ("window", "bars every exit"),
            ("forked", "bars every exit"),
        ),
        [("command", "bars every exit"), ("forked", "bars every exit")],
    ),
)
def test_nothing_outlives_a_client_that_is_killed(
    kind: str, name: str, temporary: Path, write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    path = write("program.py", _HERE + _PROGRAMS[name] + _TAIL)
    client = subprocess.Popen(
        [sys.executable, str(_CLIENT), kind, f"{path}:f"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"},
    )
    worker, folder = client.stdout.readline().split()
    socket = str(Path(folder) / ("s" if kind in ("command", "target") else "engine-0001"))
    waited = _wait((tmp_path / "running").exists, 60)
    if waited >= 60:
        client.kill()
    assert (tmp_path / "running").exists()
    before = started_by(0, socket)
    assert int(worker) in {process.id for process in before}
    assert len(before) >= (4 if name != "loops" else 1)
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    took = _wait(lambda: not any(_alive(process.id) for process in before), _GENEROUS)
    print(f"{kind} {name}: all {len(before)} gone after {took:.2f} s")
    assert not [process for process in before if _alive(process.id)]
    _wait(lambda: not list(temporary.glob("loupe-*")), _GENEROUS)
    assert not list(temporary.glob("loupe-*"))


@pytest.mark.thorough
def test_a_compiler_that_is_killed_leaves_nothing(
    temporary: Path, write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    path = write("program.py", "def f(x):\n    return (x * 7.25).sum()\n" + _TAIL.replace("def f", "def g"))
    slow = write(
        "slow.sh",
        '#!/bin/sh\ncase "$*" in *-shared*) mktemp --suffix .s; touch running; exec sleep 600;; esac\nexec g++ "$@"\n'.replace(
            "running", str(tmp_path / "running")
        ),
    )
    slow.chmod(0o755)
    environment = {
        "TMPDIR": str(temporary),
        "CXX": str(slow),
        "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"),
    }
    client = subprocess.Popen(
        [sys.executable, str(_CLIENT), "command", f"{path}:f"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    _wait((tmp_path / "running").exists, 90)
    client.send_signal(signal.SIGKILL)
    client.wait()
    assert (tmp_path / "running").exists()
    _wait(lambda: not list(temporary.glob("*")), _GENEROUS)
    assert not list(temporary.glob("*"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "text", "reported"),
    some(
        [
            (
                "popen",
                "import subprocess\nsubprocess.Popen(['sleep', '600'], start_new_session=True)\n",
                "sleep 600",
            ),
            ("fork", "import os, time\nif os.fork() == 0:\n    time.sleep(600)\n", "compiler.worker"),
            ("copy", "import os\nos.fork()\n", ""),
        ]
    ),
)
def test_what_a_program_leaves_running_is_reported_and_ended_and_the_capture_is_kept(
    name: str,
    text: str,
    reported: str,
    write: Callable[[str, str], Path],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path, out = write("program.py", text + _TAIL), tmp_path / "kept.loupe"
    start = time.monotonic()
    assert main(["capture", f"{path}:f", "-o", str(out)]) == 0
    assert time.monotonic() - start < 300  # its children live for 600
    assert read_session(out).captures[0].stages
    printed = capfd.readouterr().err
    assert ("the program left this running, and it was ended: " in printed) == bool(reported)
    assert reported in printed
    left = [line for line in printed.splitlines() if "left this running" in line]
    assert not any(_alive(int(line.rpartition("(process ")[2].rstrip(")"))) for line in left)


@pytest.mark.thorough
@pytest.mark.parametrize("stopped", some((True, False)))
def test_a_spare_worker_ends_with_its_window(stopped: bool, tmp_path: Path, temporary: Path) -> None:
    """Also where it stands still, as it does while the other one works, and where nobody lets it go on."""
    (tmp_path / "program.py").write_text(_TAIL)
    client = subprocess.Popen(
        [sys.executable, str(_CLIENT), "still" if stopped else "spare", str(tmp_path / "program.py:f")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"},
    )
    worker = int(client.stdout.readline().split()[0])
    spare = int(client.stdout.readline())
    assert worker != spare
    assert _alive(spare)
    if stopped:
        _wait(lambda: _state(spare) == "T", _GENEROUS)
        assert _state(spare) == "T"
    client.kill()
    client.wait()
    client.stdout.close()
    ended = [worker, spare]
    _wait(lambda: not any(map(_alive, ended)), _GENEROUS)
    assert not any(map(_alive, ended))
