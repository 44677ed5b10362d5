"""``loupe run``: the program runs as without us, and everything that torch compiled in it is in the file."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from compiler import recorder
from compiler.analysis.session_file.session_file import read_session
from compiler.installation import python_path
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_TRAIN = """
import sys, torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 4)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
torch.manual_seed(0)
net = Net()
step = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for index in range(4):
    loss = step(torch.randn(8 if index < 2 else 4, 8)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(index, loss.item().hex(), flush=True)
"""
_SMALL = """
import torch
@torch.compile(backend="eager")
def f(x):
    return x.sin() + 1
f(torch.ones(3))
"""


def written(folder: Path, text: str, name: str = "train.py") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path


def loupe_run(
    folder: Path, *words: str, status: int | None = 0, text: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """In that folder, as from a shell."""
    command = [sys.executable, "-P", "-m", "torch_loupe", "run", *words]
    done = ran(command, folder, _environment(folder) | environment, given=text, timeout=280)
    assert status is None or done.returncode == status, done.stderr
    return done


def _environment(folder: Path) -> dict[str, str]:
    found = {**os.environ, "PYTHONPATH": python_path(None), "LOUPE_CACHE_DIR": str(folder / "cache")}
    for display in ("DISPLAY", "WAYLAND_DISPLAY"):  # no window beside these
        found.pop(display, None)
    return found | {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}


def captured(path: Path) -> Capture:
    read = read_session(path)
    assert not read.left_out
    return read.captures[-1]


@pytest.mark.thorough
def test_a_training_script_runs_as_without_us_and_all_of_it_is_kept(tmp_path: Path) -> None:
    script = written(tmp_path, _TRAIN)
    plain = ran([sys.executable, script], tmp_path, _environment(tmp_path), check=True)
    done = loupe_run(tmp_path, "-o", "run.loupe", "--json", "sum.json", "train.py")
    assert done.stdout == plain.stdout, "the same losses, bit for bit"
    made = captured(tmp_path / "run.loupe")
    ids = {stage.id for stage in made.stages}
    for graph in ("0/0", "0/1"):
        for part in ("forward", "backward"):
            assert {
                f"{graph}:{part}:{kind}" for kind in ("aot", "post_grad", "loops", "kernels", "wrapper")
            } <= ids
        assert f"{graph}:joint" in ids
    assert [row.compile_id for row in made.recompiles] == ["0/1"]
    assert made.link_count > 100
    assert not any(frame.caches for frame in made.frames), (
        "what the plain run left in torch's caches was not taken"
    )
    (process,) = json.loads((tmp_path / "sum.json").read_text())["processes"]
    summary = process["summary"]
    assert [row["id"] for row in summary["compiles"]] == ["0/0", "0/1"]
    assert [row["calls"] for row in summary["compiles"]] == [2, 2]
    assert "size mismatch" in summary["compiles"][1]["cause"]
    assert 0 < summary["compile_seconds"] < summary["seconds"]
    of_rows = sum(row["seconds"] for row in summary["compiles"])
    assert of_rows == pytest.approx(summary["compile_seconds"], rel=1e-6), (
        "a backward compiled when it is first called is time of its graph's compile, and the sum is the rows'"
    )
    assert "2 compiles" in done.stderr
    assert "wrote run.loupe" in done.stderr


def test_arguments_input_modules_and_exit_status_are_the_programs(tmp_path: Path) -> None:
    written(tmp_path, "VALUE = 'theirs'", "compiler/__init__.py")
    written(tmp_path, "VALUE = 'their app'", "app.py")
    written(
        tmp_path,
        _SMALL
        + """
        import sys, os, app, compiler
        print(sys.argv[1:], input(), __name__, app.VALUE, compiler.VALUE, os.getcwd(), sys.path[0])
        import compiler.__main__ as again
        sys.exit(7)
        """.replace("\n        ", "\n"),
    )
    written(tmp_path, "", "compiler/__main__.py")
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py", "--steps", "5", status=7, text="hello\n")
    assert done.stdout == f"['--steps', '5'] hello __main__ their app theirs {tmp_path} {tmp_path}\n"
    assert captured(tmp_path / "run.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_a_module_and_a_command_are_run_too(tmp_path: Path) -> None:
    written(tmp_path, _SMALL, "package/__main__.py")
    loupe_run(tmp_path, "-o", "module.loupe", "-m", "package")
    assert captured(tmp_path / "module.loupe").of_kind(StageKind.DYNAMO_GRAPH)
    written(tmp_path, f"#!/bin/sh\nexec {sys.executable} -m package\n", "start").chmod(0o755)
    for command in ("./start", str(tmp_path / "start")):
        loupe_run(tmp_path, "-o", "command.loupe", command)
        assert captured(tmp_path / "command.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_a_program_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    written(
        tmp_path, _SMALL + "import os, signal, time\ntime.sleep(0.1)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py", status=-signal.SIGKILL)
    assert "recorded until it was ended by SIGKILL" in done.stderr
    assert captured(tmp_path / "run.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_a_program_that_fails_shows_its_own_traceback_and_keeps_its_session(tmp_path: Path) -> None:
    written(tmp_path, _SMALL + "raise RuntimeError('mine')\n")
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py", status=1)
    assert done.stderr.startswith("Traceback")
    assert "RuntimeError: mine" in done.stderr
    assert "torch_loupe" not in done.stderr.partition("RuntimeError")[0]
    assert captured(tmp_path / "run.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_ctrl_c_is_the_programs_and_the_file_is_whole(tmp_path: Path) -> None:
    written(
        tmp_path,
        _SMALL
        + "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(200)\n"
        + "except KeyboardInterrupt:\n    print('stopped')\n    raise SystemExit(3)\n",
    )
    command = [sys.executable, "-P", "-m", "torch_loupe", "run", "-o", "run.loupe", "train.py"]
    started = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(tmp_path),
        start_new_session=True,
    )
    assert started.stdout.readline() == "ready\n"
    os.killpg(started.pid, signal.SIGINT)  # what a terminal does
    rest, _ = started.communicate(timeout=60)
    assert rest == "stopped\n"
    assert started.returncode == 3
    assert captured(tmp_path / "run.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_processes_of_the_program_are_recorded_too(tmp_path: Path) -> None:
    written(
        tmp_path,
        """
        import multiprocessing, os, sys, torch
        def work(rank):
            os.environ["RANK"] = str(rank)
            torch.compile(lambda x: x * rank + 1, backend="eager")(torch.ones(2 + rank))
        if __name__ == "__main__":
            torch.compile(lambda x: x.cos(), backend="eager")(torch.ones(2))
            for rank, method in ((1, "spawn"), (2, "fork"), (3, "forkserver")):
                process = multiprocessing.get_context(method).Process(target=work, args=(rank,))
                process.start()
                process.join()
                assert process.exitcode == 0
            os.execv(sys.executable, [sys.executable, "again.py"])
        """,
    )
    written(tmp_path, _SMALL, "again.py")
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py")
    ends = [line.split(": ", 2)[-1] for line in done.stderr.splitlines() if "recorded until" in line]
    assert ends == ["recorded until it became another program (exec)"], (
        "all others left as multiprocessing lets them"
    )
    files = sorted(path.name for path in tmp_path.glob("*.loupe"))
    assert len(files) == 5
    assert {"run.loupe", *(f"run.rank{rank}.loupe" for rank in (1, 2, 3))} < set(files)
    for name in files:
        stages = captured(tmp_path / name).of_kind(StageKind.DYNAMO_GRAPH)
        assert len(stages) == 1, "each has its own, also what was forked from a process that had compiled"


@pytest.mark.thorough
def test_nothing_is_found_in_graph_caches_and_all_is_put_there(tmp_path: Path) -> None:
    """On whatever thread: what another one compiled came from a cache, without stages. A program that saves them found none."""
    written(
        tmp_path,
        """
        import concurrent.futures, torch
        f = torch.compile(lambda x: x @ x)
        f(torch.ones(2, 2))
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            print(threads.submit(torch.compile(lambda x: x @ x.T), torch.ones(3, 3)).result().sum().item())
        data, info = torch.compiler.save_cache_artifacts()
        print({kind: len(rows) for kind, rows in sorted(info.artifacts.items())})
        """,
    )
    kept = {"cwd": tmp_path, "env": _environment(tmp_path), "capture_output": True, "text": True}
    plain = subprocess.run([sys.executable, "train.py"], check=True, **kept)
    assert loupe_run(tmp_path, "-o", "run.loupe", "train.py").stdout == plain.stdout
    assert "'inductor': 2" in plain.stdout
    made = captured(tmp_path / "run.loupe")
    assert len(made.of_kind(StageKind.WRAPPER)) == 2
    assert not any(frame.caches for frame in made.frames)


@pytest.mark.thorough
def test_where_the_recorder_fails_the_program_goes_on(tmp_path: Path) -> None:
    fault = """
    import gc, torch
    torch.compile(lambda x: x, backend="eager")  # from here on it is recorded
    for found in gc.get_objects():
        if type(found).__name__ == "RunRecorder":
            found.read = lambda: 1 / 0
    """
    written(
        tmp_path,
        textwrap.dedent(fault)
        + _SMALL
        + "print(torch.compile(lambda x: x + 1, backend='eager')(torch.ones(1)).item())\n",
    )
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py")
    assert done.stdout == "2.0\n"
    reported = [line for line in done.stderr.splitlines() if "ZeroDivisionError" in line]
    assert reported == [
        "loupe: no longer recorded (ZeroDivisionError: division by zero); the program goes on"
    ]


@pytest.mark.thorough
def test_when_we_are_killed_the_program_goes_on(tmp_path: Path) -> None:
    written(
        tmp_path,
        _SMALL
        + "import os, signal, sys, time, pathlib\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(0.5)\n"
        + "import torch\ntorch.compile(lambda x: x + 2, backend='eager')(torch.ones(1))\n"
        + "pathlib.Path('done').write_text('whole')\n",
    )
    loupe_run(tmp_path, "-o", "run.loupe", "train.py", status=-signal.SIGKILL)
    until = time.monotonic() + 60
    while not (tmp_path / "done").exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert (tmp_path / "done").read_text() == "whole"


@pytest.mark.thorough
def test_a_program_that_compiles_nothing_loads_nothing_of_ours(tmp_path: Path) -> None:
    written(
        tmp_path,
        "import sys, torch\nprint([name for name in sys.modules if name.startswith(('compiler', 'torch._dynamo'))])\n",
    )
    done = loupe_run(tmp_path, "-o", "run.loupe", "train.py")
    assert done.stdout == "[]\n"
    assert "nothing was compiled" in done.stderr
    assert not (tmp_path / "run.loupe").exists()


@pytest.mark.parametrize("words", [("-I", "-c", "pass"), ("-c", "import subprocess, sys")])
def test_what_the_recorder_does_not_reach_is_not_said_to_compile_nothing(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = loupe_run(tmp_path, sys.executable, *words)
    assert ("nothing was recorded: no Python" in done.stderr) is ("-I" in words)
    assert ("nothing was compiled" in done.stderr) is ("-I" not in words)


@pytest.mark.parametrize("words", [(), ("-o", "missing/run.loupe", "train.py"), ("no-such-command",)])
def test_what_cannot_be_run_gets_one_message(tmp_path: Path, words: tuple[str, ...]) -> None:
    written(tmp_path, _SMALL)
    done = loupe_run(tmp_path, *words, status=None)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("loupe: ")
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.thorough
def test_a_variable_is_enough_where_a_program_is_started_by_others(tmp_path: Path) -> None:
    written(tmp_path, _SMALL + "import time\ntime.sleep(0.3)\nprint('mine')\n")
    shim = Path(recorder.__file__).parent / "shim"
    environment = _environment(tmp_path) | {"LOUPE": "run.loupe", "PYTHONPATH": str(shim)}
    done = ran([sys.executable, "train.py"], tmp_path, environment, timeout=200)
    assert (done.returncode, done.stdout) == (0, "mine\n")
    assert "1 compile" in done.stderr, "what listens told it when the program was gone"
    assert captured(tmp_path / "run.loupe").of_kind(StageKind.DYNAMO_GRAPH)


@pytest.mark.thorough
def test_a_run_can_be_attached_to_while_it_goes_on(tmp_path: Path) -> None:
    """What it compiled so far is written; the program does not notice. The number may be that of ``loupe run`` itself."""
    text = _SMALL + "print('ready', flush=True)\ninput()\nf(torch.ones(4))\n"
    written(tmp_path, text)
    command = [sys.executable, "-P", "-m", "torch_loupe", "run", "--quiet", "-o", "end.loupe", "train.py"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=_environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        attach = [sys.executable, "-P", "-m", "torch_loupe", "attach", str(process.pid), "-o", "now.loupe"]
        done = ran(attach, tmp_path, _environment(tmp_path))
        process.stdin.write("\n")
        process.stdin.close()
        assert process.wait(60) == 0
    assert done.returncode == 0, done.stderr
    assert "1 compile in" in done.stdout
    captures = [read_session(tmp_path / name).captures[0] for name in ("now.loupe", "end.loupe")]
    assert [len([row for row in capture.frames if row.seconds]) for capture in captures] == [1, 2]
    assert [capture.run.ended for capture in captures if capture.run is not None] == [None, ""]


def test_a_process_that_is_not_recorded_cannot_be_attached_to(tmp_path: Path) -> None:
    attach = [sys.executable, "-P", "-m", "torch_loupe", "attach", str(os.getpid()), "-o", "now.loupe"]
    done = ran(attach, tmp_path, _environment(tmp_path))
    assert done.returncode == 1
    assert f"Process {os.getpid()} is not recorded." in done.stderr
    assert "Start the program with loupe run" in done.stderr
    assert not (tmp_path / "now.loupe").exists()


@pytest.mark.thorough
def test_the_window_is_started_with_the_place_of_the_run(tmp_path: Path) -> None:
    """Beside the program, which runs on whatever becomes of it."""
    from compiler.command_line.commands.recorded import run_command

    program = written(tmp_path, _SMALL)
    lines = f"""
    import subprocess, sys
    from compiler.command_line import main
    from compiler.command_line.commands.recorded import run_command
    started = []
    real = subprocess.Popen
    def popen(command, **rest):
        if "--follow" in command:
            started.append((command, rest["start_new_session"]))
            command = [sys.executable, "-c", "raise SystemExit(3)"]
        return real(command, **rest)
    run_command.subprocess.Popen = popen
    assert main.main(["run", "--window", "--quiet", {str(program)!r}]) == 0
    ((command, apart),) = started
    assert command[-2] == "--follow" and command[-1].endswith("/run") and apart
    """
    assert run_command.COMMAND.name == "run"
    done = ran([sys.executable, "-c", textwrap.dedent(lines)], tmp_path, _environment(tmp_path))
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_what_came_out_of_torchs_caches_is_reported(tmp_path: Path) -> None:
    """Two functions that do the same: with the caches on, the second comes out of them."""
    text = """
    import torch
    def f(x):
        return torch.softmax(x * 3, -1)
    def g(x):
        return torch.softmax(x * 3, -1)
    torch.compile(f)(torch.ones(4, 4))
    torch.compile(g)(torch.ones(4, 4))
    """
    program = str(written(tmp_path, text))
    own = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache")}
    done = loupe_run(tmp_path, "--keep-caches", "-o", "run.loupe", program, **own)
    capture = read_session(tmp_path / "run.loupe").captures[0]
    caches = [" ".join(frame.caches) for frame in capture.frames]
    assert len(caches) == 2
    assert "1 miss" in caches[0]
    assert "hit" not in caches[0]
    assert "1 hit" in caches[1]
    assert "1 hit" in done.stderr


@pytest.mark.thorough
def test_the_first_nan_of_each_graph_is_reported_where_values_are_watched_and_a_recorded_program_is_not_run_again(
    tmp_path: Path,
) -> None:
    text = """
    import torch
    @torch.compile(backend="eager")
    def f(x):
        return x.sqrt() + 1
    for index in range(6):
        f(torch.ones(3) if index < 3 else -torch.ones(3))
    """
    written(tmp_path, text)
    watched = loupe_run(tmp_path, "--watch-values", "2", "train.py")
    assert "output 0 of graph 0/0 holds 3 NaN in its call 4, looked at every 2 calls" in watched.stderr
    assert watched.stderr.count("holds 3 NaN") == 1
    assert "holds" not in loupe_run(tmp_path, "-o", "run.loupe", "train.py").stderr
    command = [sys.executable, "-P", "-m", "torch_loupe", "time", "run.loupe"]
    done = ran(command, tmp_path, _environment(tmp_path))
    assert done.returncode == 1
    assert "recorded while train.py ran" in done.stderr


_LIBRARYS = """
import torch

net = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()), backend="aot_eager")

def step(x):
    return net(x).sum()

print(float(step(torch.ones(2, 4))) >= 0)
"""


@pytest.mark.thorough
def test_a_script_that_only_calls_a_model_of_a_library_leads_to_its_graphs(tmp_path: Path) -> None:
    """No function of the script is compiled: its lines stand on Python's stack above the one that is."""
    path = written(tmp_path, _LIBRARYS)
    loupe_run(tmp_path, "-o", "out.loupe", str(path))
    made = read_session(tmp_path / "out.loupe").captures[0]
    lines = path.read_text().split("\n")
    links = Provenance(made.links)
    for text in ("    return net(x).sum()", "print(float(step(torch.ones(2, 4))) >= 0)"):
        reached = links.descendants(place(f"source:{path}", line_id(lines.index(text) + 1)))
        for stage in (*made.of_kind(StageKind.DYNAMO_GRAPH), *made.of_kind(StageKind.AOT_GRAPH)):
            assert reached.get(stage.id), (text, stage.id)
