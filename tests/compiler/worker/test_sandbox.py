"""Code out of a file that is lowered or interpreted: it may compute, and nothing else."""

import os
import platform
import re
import socket
import sys
import textwrap
from pathlib import Path

import msgspec
import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.engine.errors import EngineError
from compiler.model.gpu.kernel_checks import CheckKernels, CheckOrder, check_orders
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.lowered_kernel import LowerAnswer, LowerKernels, LowerOrder
from compiler.processes import first_environment, sandbox
from compiler.processes.first_environment import without_secrets
from compiler.processes.readable_places import readable_places
from compiler.worker import child_processes
from compiler.worker.child_processes import check_in_child, lower_in_child
from tests.compiler.worker.test_kernel_checks import captured
from tests.helpers.needs import TRITON

pytestmark = [
    pytest.mark.engine,
    pytest.mark.worker,
    TRITON,
    pytest.mark.skipif(sys.platform != "linux", reason="there is no sandbox but on Linux"),
]


@pytest.fixture(scope="module")
def orders(worker: WorkerClient) -> tuple[LowerOrder, tuple[CheckOrder, ...]]:
    """The relu kernel of an MLP, to be lowered and to be checked."""
    capture = captured(worker, "mlp.py:MLP", training=False)
    kernel = next(kernel for stage in capture.stages for kernel in stage.kernels if "relu" in kernel.name)
    return LowerOrder(kernel.name, kernel.source), check_orders(capture)


def _with(order: LowerOrder, code: str) -> LowerOrder:
    return msgspec.structs.replace(order, source=textwrap.dedent(code) + order.source)


def _tried(*attempts: str) -> str:
    """Code that makes each attempt, tells those that worked, and ends with one that a sandbox stops."""
    return f"""
worked = []
for attempt in {attempts!r}:
    try:
        exec(attempt, {{}})
        worked.append(attempt)
    except Exception:
        pass
if worked:
    raise RuntimeError(f"worked: {{worked}}")
open("/proc/self/comm", "w")
"""


def _lowered(order: LowerOrder) -> LowerAnswer:
    return lower_in_child(LowerKernels((order,), TARGETS["h100"]), lambda _text: None).answers[0]


def _texts(answer: LowerAnswer) -> list[str]:
    """Every form, but for the name of the folder that it was made in, which PTX spells byte by byte."""
    named = re.compile(r"loupe-gpu-\w+|^\s*\.b8 .*$|^\s*\.file.*$", re.MULTILINE)
    return [named.sub("", form.text) for row in answer.lowered for form in row.forms]


def _reported(order: LowerOrder) -> str:
    try:
        problem = _lowered(order).problem
    except EngineError as error:
        problem = error.problem
    return problem.what


@pytest.mark.thorough
def test_honest_kernels_are_lowered_and_checked_as_without(
    orders: tuple[LowerOrder, tuple[CheckOrder, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, checks = orders
    boxed = _lowered(kernel)
    graphs = check_in_child(CheckKernels(checks), lambda _text: None).graphs
    assert boxed.problem is None
    monkeypatch.setattr(child_processes, "CHILD", "tests.helpers.unboxed_lowering")
    plain = _lowered(kernel)
    assert _texts(plain) == _texts(boxed)
    assert all(graph.problem is None for graph in graphs)


def _writing(folder: Path, precious: Path) -> tuple[str, ...]:
    return (
        f"open({str(folder / 'new')!r}, 'w').write('x')",
        f"open({str(precious)!r}, 'a').write('x')",
        f"import os; os.truncate({str(precious)!r}, 0)",
        f"import os; os.remove({str(precious)!r})",
        f"import os; os.mkdir({str(folder / 'folder')!r})",
        f"import os; os.symlink('/', {str(folder / 'link')!r})",
        f"import subprocess; subprocess.run(['touch', {str(folder / 'new')!r}], check=True)",
        f"import os; os.kill({os.getpid()}, 0)",
    )


def _reading(home: Path, notes: Path) -> tuple[str, ...]:
    own = f"/proc/{os.getpid()}"
    return (
        f"open({str(home / '.ssh' / 'id_rsa')!r}).read()",
        f"import os; os.listdir({str(home)!r})",
        f"import os; os.listdir({str(notes.parent)!r})",
        f"open({str(notes)!r}).read()",
        f"import os; os.link({str(notes)!r}, 'x'); open('x').read()",
        f"import subprocess; subprocess.run(['cat', {str(notes)!r}], check=True, capture_output=True)",
        f"import mmap, os; mmap.mmap(os.open({str(notes)!r}, os.O_RDONLY), 0, prot=mmap.PROT_READ)",
        "import secret_module",
        "open('/etc/shadow').read()",
        "open('/etc/hosts').read()",
        "import os; os.listdir('/')",
        "import os; os.listdir('/proc')",
        f"open('{own}/environ', 'rb').read()",
        f"open('{own}/cmdline', 'rb').read()",
        f"import os; os.listdir('{own}/fd')",
        f"open('/proc/self/root{notes}').read()",
        f"open({str(Path(__file__).parents[3] / 'pyproject.toml')!r}).read()",
    )


def _beyond_files(precious: Path) -> tuple[str, ...]:
    """What Landlock has no say in."""
    other = os.getpid()
    call = "import ctypes; assert ctypes.CDLL(None, use_errno=True)"
    return (
        f"import os; os.chmod({str(precious)!r}, 0o666)",
        f"import os; os.chown({str(precious)!r}, os.getuid(), os.getgid())",
        f"import os; os.utime({str(precious)!r}, (0, 0))",
        f"import os; os.setxattr({str(precious)!r}, 'user.x', b'1')",
        f"import resource; resource.prlimit({other}, resource.RLIMIT_CORE, (0, 0))",
        f"import os; os.setpriority(os.PRIO_PROCESS, {other}, 19)",
        f"import os; os.sched_setaffinity({other}, os.sched_getaffinity({other}))",
        "import os; os.setpgid(0, 0)",
        "import subprocess; subprocess.run(['setsid', 'true'], check=True)",
        f"{call}.shmget(0, 4096, 0o1600) >= 0",
        f"{call}.msgget(0, 0o1600) >= 0",
        f"{call}.inotify_init() >= 0",
        f"{call}.syscall({219 if platform.machine() == 'aarch64' else 250}, 0, -4, 0) >= 0",
    )


def test_it_can_neither_write_nor_read_nor_connect_outside_of_its_folder(
    orders: tuple[LowerOrder, tuple[CheckOrder, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it in one process: each of them loads torch. What worked is named in what is reported."""
    home, elsewhere, written = tmp_path / "home", tmp_path / "elsewhere", tmp_path / "written"
    for folder in (home / ".ssh", elsewhere, written):
        folder.mkdir(parents=True)
    precious = written / "precious"
    precious.write_text("kept")
    mode = precious.stat().st_mode & 0o777
    (home / ".ssh" / "id_rsa").write_text("secret")
    (elsewhere / "notes").write_text("secret")
    (elsewhere / "secret_module.py").write_text("x = 1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(home))  # not even so
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[3]}:{elsewhere}")
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "s"))
        local.listen()
        listening.settimeout(0.1)
        connecting = (
            f"import socket; socket.create_connection(('127.0.0.1', {listening.getsockname()[1]}))",
            f"import socket; socket.socket(socket.AF_UNIX).connect({str(tmp_path / 's')!r})",
        )
        attempts = (
            *_writing(written, precious),
            *_reading(home, elsewhere / "notes"),
            *_beyond_files(precious),
            *connecting,
        )
        reported = _reported(_with(orders[0], _tried(*attempts)))
        with pytest.raises(TimeoutError):
            listening.accept()
    assert "was stopped: its code wanted to read or write a file" in reported
    assert "or to open a connection" in reported
    assert [path.name for path in written.iterdir()] == ["precious"]
    assert precious.read_text() == "kept"
    assert precious.stat().st_mode & 0o777 == mode


@pytest.mark.thorough
def test_it_is_not_given_secrets(
    orders: tuple[LowerOrder, tuple[CheckOrder, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "LOUPE_TOKEN", "DATABASE_URL")
    for name in names:
        monkeypatch.setenv(name, "precious")
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    monkeypatch.setattr(first_environment, "_first", {})
    reading = (
        *(f"import os; os.environ[{name!r}]" for name in names),
        "assert b'precious' in open('/proc/self/environ', 'rb').read()",
    )
    reported = _reported(_with(orders[0], _tried(*reading)))
    assert "was stopped: its code wanted to read or write a file" in reported, "all that was tried failed"
    assert without_secrets(
        {"OMP_WAIT_POLICY": "passive", "PATH": "/bin", "TORCH_API_KEY": "x", "EDITOR": "vi"}
    ) == {
        "OMP_WAIT_POLICY": "passive",
        "PATH": "/bin",
    }


@pytest.mark.thorough
def test_it_cannot_take_all_memory_or_time(
    orders: tuple[LowerOrder, tuple[CheckOrder, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "GiB of memory" in _reported(_with(orders[0], "taken = bytearray(100 << 30)\n"))
    monkeypatch.setenv(child_processes.SECONDS, "4")
    assert "did not end within 8 s and was stopped" in _reported(_with(orders[0], "while True:\n    pass\n"))


@pytest.mark.thorough
def test_the_interpreter_check_is_held_too(
    orders: tuple[LowerOrder, tuple[CheckOrder, ...]], tmp_path: Path
) -> None:
    line = f"open({str(tmp_path / 'new')!r}, 'w').write('x')\n"
    check = orders[1][0]
    kernels = tuple(
        msgspec.structs.replace(kernel, source=line + kernel.source)
        if kernel.language == "triton"
        else kernel
        for kernel in check.kernels
    )
    assert any(kernel.language == "triton" for kernel in kernels)
    answer = check_in_child(
        CheckKernels((msgspec.structs.replace(check, kernels=kernels),)), lambda _text: None
    )
    assert "Permission" in str(answer)
    assert not list(tmp_path.iterdir())


def test_this_system_offers_all_of_it() -> None:
    assert sandbox.offered() == sandbox.Sandbox()


def test_packages_in_a_folder_of_pythons_path_may_be_read_and_a_project_there_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed, project = tmp_path / "installed", tmp_path / "project"
    (installed / "some-1.0.dist-info").mkdir(parents=True)
    (installed / "some-1.0.dist-info" / "RECORD").touch()
    project.mkdir()
    monkeypatch.setattr(sys, "path", [str(project), *sys.path, str(installed)])
    found = readable_places()
    assert installed.resolve() in found
    assert project.resolve() not in found
