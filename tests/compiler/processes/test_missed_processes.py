"""Of which processes of a recorded program it is said that they load torch and are not recorded."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from compiler.processes.process_tree import descendants
from compiler.processes.recorded_program import Reach

pytestmark = pytest.mark.engine

_POOL = """
from torch._inductor.compile_worker.subproc_pool import SubprocPool
pool = SubprocPool(1)
print("ready", flush=True)
input()
pool.shutdown()
"""


@pytest.mark.thorough
def test_torchs_own_compile_workers_are_not_reported_of(tmp_path: Path) -> None:
    """They are started with an environment of their own, so that nothing of ours waits for torch in them."""
    with subprocess.Popen(
        [sys.executable, "-I", "-c", _POOL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout.readline() == "ready\n"
        reach = Reach(tmp_path / "run")
        end, seen = time.monotonic() + 60, 0
        while time.monotonic() < end and seen < 3:
            seen += any(_is_loaded_worker(number) for number, _ in descendants(program.pid))
            reach._next_look = 0.0
            reach.look(program.pid)
            time.sleep(0.2)
        program.communicate("\n", timeout=60)
    assert seen == 3
    assert not reach.missed


def _is_loaded_worker(process: int) -> bool:
    folder = Path("/proc", str(process))
    return (
        "compile_worker" in (folder / "cmdline").read_text() and "libtorch" in (folder / "maps").read_text()
    )
