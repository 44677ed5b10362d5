"""A backward that is compiled in a copy of the process is the one that would have been compiled here."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from compiler.processes.forked_work import ForkedWork, can_fork
from tests.helpers.finished_process import ran

ROOT = Path(__file__).resolve().parents[5]
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not can_fork(), reason="needs Linux, two cores and memory for a copy"),
]
NETS = """\
import torch

class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(32, 32) for _ in range(3))
        self.norm = torch.nn.LayerNorm(32)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.nn.functional.dropout(torch.nn.functional.gelu(layer(self.norm(x))), 0.1)
        return x

class Strided(torch.nn.Module):
    # what is saved lies otherwise than the graph says
    def __init__(self):
        super().__init__()
        self.first, self.second = (torch.nn.Conv2d(8, 8, 3, padding=1) for _ in range(2))

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))))

class Fails(Plain):
    pass

class Unread(Plain):
    pass

def example_inputs():
    return (torch.randn(4, 8, 32, 32),)
"""
CAPTURE = """\
import json, os, re, sys
import msgspec
from compiler.engine.cross_compile.fake_capture import capture_on_fakes
from compiler.engine.torch_internals.inductor import forked_backward
from compiler.engine.torch_internals.inductor_kernels import unbuilt_cpp
from compiler.engine.torch_internals.patch.settings import forget_compiled_code
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec

unbuilt_cpp.install()
forked_backward.WORTH_IT = 1
folder, name = sys.argv[1:]
options = (("force_layout_optimization", True),) if name == "Strided" else ()
spec = CaptureSpec(
    TargetSpec(f"{folder}/nets.py:{name}"),
    compile=CompileOptions(options=options),
    run=RunOptions(True),
    without_values=True,
)
taken = []
take = forked_backward._Forked.take

def noting(*given):
    made = take(*given)
    taken.append(made is not None)
    return made

forked_backward._Forked.take = noting
if name == "Fails":
    forked_backward._Forked._hand_over = lambda *given: os._exit(3)
if name == "Unread":
    forked_backward._Unpickler.persistent_load = lambda *given: 1 / 0

def but_for_seconds(value):
    if isinstance(value, dict):
        return {key: None if key == "seconds" else but_for_seconds(item) for key, item in value.items()}
    if isinstance(value, list):
        return [but_for_seconds(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"__compiled_fn_[0-9a-f_]+", "", value)
    return value

def read(to_be_edited):
    forget_compiled_code()
    capture = capture_on_fakes(spec, "capture-1", lambda text: None, to_be_edited).capture
    parts = (capture.stages, capture.links, capture.passes, capture.fusions, capture.breaks, capture.assumed)
    return [problem.what for problem in capture.problems], but_for_seconds(json.loads(msgspec.json.encode(parts)))

notes, plain = read(True)
other_notes, forked = read(False)

def first_difference(one, other):
    one, other = json.dumps(one), json.dumps(other)
    at = next((at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), 0)
    return one[max(at - 150, 0) : at + 100] + " / " + other[at : at + 100]

differing = [first_difference(*pair) for pair in zip(plain, forked) if pair[0] != pair[1]]
print(json.dumps({"same": plain == forked, "differing": differing, "taken": taken, "stages": len(plain[0]),
    "more": [note for note in other_notes if note not in notes]}))
"""


def _captured(folder: Path, name: str) -> dict[str, Any]:
    (folder / "nets.py").write_text(NETS)
    command = [sys.executable, "-c", CAPTURE, str(folder), name]
    done = ran(command, ROOT)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Plain", "Strided", "Fails", "Unread"])
def test_the_capture_is_the_same(tmp_path: Path, name: str) -> None:
    found = _captured(tmp_path, name)
    assert found["same"], found["differing"]
    assert found["stages"] > 10
    assert found["taken"] == [name in ("Plain", "Strided")]
    at_once = [note for note in found["more"] if "at once" in note]
    assert len(at_once) == (name in ("Plain", "Strided"))


def test_a_copy_and_its_copy_end_with_the_process_they_were_made_of() -> None:
    program = (
        "import os, time\n"
        "from compiler.processes.forked_work import ForkedWork\n"
        "work = ForkedWork()\n"
        "inner = ForkedWork() if work.is_copy else None\n"
        "os.write(1, b'%d\\n' % os.getpid())\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ids = {int(process.stdout.readline()) for _ in range(3)}
        process.kill()
    for other in ids - {process.pid}:
        for _ in range(100):
            if not _lives(other):
                break
            time.sleep(0.1)
        assert not _lives(other)


def _lives(process: int) -> bool:
    """Nor is one alive that nobody has waited for yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_a_copy_makes_comes_over_and_it_ends() -> None:
    work = ForkedWork()
    if work.is_copy:
        work.emit("half of it")
        work.answer(b"x" * 3_000_000)
    assert work.wait(lambda line: None) == b"x" * 3_000_000
    with pytest.raises(ProcessLookupError):
        os.kill(work._process, 0)
