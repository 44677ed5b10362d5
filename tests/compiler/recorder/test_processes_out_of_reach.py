"""What of a recorded program is not recorded, and what it says that it would not say without us."""

import json
import sys
from pathlib import Path

import pytest

from tests.compiler.recorder.test_recorded_runs import _environment, loupe_run, written
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_CHILD = "import torch, time; time.sleep(2.5)"
_PARENT = f"""
import os, subprocess, sys
forked = os.fork()
if not forked:
    {_CHILD}
    os._exit(0)
kept = {{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}}
started = [subprocess.Popen([sys.executable, "-c", {_CHILD!r}], env=env) for env in (kept, None)]
print(started[0].pid)
for child in started:
    child.wait()
os.waitpid(forked, 0)
"""


@pytest.mark.thorough
def test_a_process_that_loads_torch_without_the_recorder_is_reported(tmp_path: Path) -> None:
    written(tmp_path, _PARENT)
    done = loupe_run(tmp_path, "--json", "sum.json", "train.py")
    (reported,) = [line for line in done.stderr.splitlines() if "is not recorded" in line]
    number = int(done.stdout)
    assert reported.startswith(f"loupe: process {number} (python")
    assert "import torch" in reported
    assert "add to it, as in PYTHONPATH=.:$PYTHONPATH" in done.stderr
    (row,) = json.loads((tmp_path / "sum.json").read_text())["not_recorded"]
    assert row["pid"] == number


@pytest.mark.thorough
def test_what_torch_says_of_a_missing_gpu_is_said_as_without_us(tmp_path: Path) -> None:
    script = written(
        tmp_path,
        "import torch\ntorch.compile(lambda x: x + 1, backend='eager')(torch.ones(1))\nimport torch.utils.cpp_extension\n",
    )
    environment = {"CUDA_HOME": str(tmp_path)}
    plain = ran([sys.executable, script], tmp_path, _environment(tmp_path) | environment, check=True)
    done = loupe_run(tmp_path, "train.py", **environment)
    said = "No CUDA runtime is found"
    assert plain.stderr.count(said) == done.stderr.count(said)
