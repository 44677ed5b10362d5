"""Odd environments, damaged caches, programs that write where they should not: the real command line says it in one message."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran
from tests.helpers.thoroughness import some

pytestmark = [pytest.mark.engine, pytest.mark.worker]

_PROGRAM = """
import torch
def f(x):
    return torch.relu(x) + 1
def example_inputs():
    return (torch.randn(8),)
"""
_GARBAGE = """
import os, stat
for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            os.write(number, b"\\xff" * 64)
    except OSError:
        pass
"""
_DEEP = """
import sys
sys.setrecursionlimit(10**6)
def g(n):
    return g(n + 1) + 1
g(0)
"""
_LIMIT = "import sys\nsys.setrecursionlimit(10**7)\n"
_DEEPER = _LIMIT + "def g(n):\n    return g(n + 1) + 1\ng(0)\n"
_TRACED = """
import torch
def f(x):
    return g(x, 0)
def g(x, n):
    return g(x.relu(), n + 1) + 1
def example_inputs():
    return (torch.randn(8),)
"""

_PARSING = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=8)
arguments = parser.parse_args()
print("called", parser.prog)
def f(x):
    return torch.relu(x) + 1
def example_inputs():
    return (torch.randn(arguments.width),)
"""


def _loupe(
    folder: Path, program: str = _PROGRAM, *options: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    (folder / "program.py").write_text(program)
    root = str(Path(__file__).parents[3])
    # what a test in this process chose for its own torch is nothing that a person's shell says
    chosen = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in chosen}
    return ran(
        [sys.executable, "-m", "torch_loupe", "capture", "program.py:f", *options, "-o", "a.loupe"],
        folder,
        {**environment, "PYTHONPATH": root, **variables},
        timeout=120,
    )


def _reported(done: "subprocess.CompletedProcess[str]") -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("loupe: ")]


@pytest.mark.slow
def test_a_damaged_cache_is_cleared_and_built_again(tmp_path: Path) -> None:
    cache = {"LOUPE_CACHE_DIR": str(tmp_path / "cache")}
    assert _loupe(tmp_path, **cache).returncode == 0
    libraries = sorted((tmp_path / "cache").rglob("*.so"))
    assert libraries
    earlier = time.time() - 60
    for number, library in enumerate(libraries):
        os.truncate(library, 0 if number % 2 else 5000)
        os.utime(library, (earlier, earlier))
    done = _loupe(tmp_path, **cache)
    assert done.returncode == 0, done.stderr
    assert [f"cache damaged, cleared: {len(libraries)} files" in line for line in _reported(done)] == [True]


@pytest.mark.thorough
def test_warnings_of_torch_are_not_made_errors(tmp_path: Path) -> None:
    done = _loupe(tmp_path, PYTHONWARNINGS="error")
    assert done.returncode == 0, done.stderr
    own = _loupe(tmp_path, _PROGRAM + "import warnings\nwarnings.warn('mine')\n", PYTHONWARNINGS="error")
    assert own.returncode == 1
    assert "UserWarning: mine" in "".join(_reported(own))


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["--fake", "--no-fake"])
def test_a_program_that_parses_arguments_sees_none_of_ours(tmp_path: Path, option: str) -> None:
    """Its own name and no word: as ``python program.py`` does."""
    done = _loupe(tmp_path, _PARSING, option)
    assert done.returncode == 0, done.stderr
    assert "called program.py" in done.stderr + done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["--fake", "--no-fake"])
def test_what_to_do_where_it_requires_one(tmp_path: Path, option: str) -> None:
    required = _loupe(tmp_path, _PARSING.replace("default=8", "required=True"), option)
    assert "usage: program.py" in required.stderr
    assert "arguments that it parses need defaults" in "".join(_reported(required))


@pytest.mark.thorough
def test_without_values_a_program_may_replace_print(tmp_path: Path) -> None:
    """The process speaks through its output, which is not the program's."""
    done = _loupe(tmp_path, "import builtins\nbuiltins.print = None\n" + _PROGRAM, "--fake")
    assert done.returncode == 0, done.stderr
    assert "Reading the stages" in done.stderr
    assert (tmp_path / "a.loupe").exists()


@pytest.mark.thorough
def test_torch_itself_fails_where_a_program_closed_its_output(tmp_path: Path) -> None:
    done = _loupe(tmp_path, "import sys\nsys.stdout.close()\n" + _PROGRAM, "--fake")
    reported = _reported(done)
    assert "The stages before the failure are shown; the message is torch's" in "".join(reported)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_home_that_cannot_be_written_costs_the_cache_only(tmp_path: Path) -> None:
    done = _loupe(tmp_path, HOME="/proc/nothing", LOUPE_CACHE_DIR="/proc/nothing/cache")
    assert done.returncode == 0, done.stderr
    assert ["kernels are not kept for the next time" in line for line in _reported(done)] == [True]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "words"),
    some(((_GARBAGE, "said what cannot be understood"), (_DEEP, "SIGSEGV|RecursionError|MemoryError"))),
)
def test_what_a_program_breaks_is_reported_in_one_message(tmp_path: Path, program: str, words: str) -> None:
    done = _loupe(tmp_path, program + _PROGRAM)
    assert done.returncode == 1, done.stderr
    reported = [
        line for line in _reported(done) if "The program changed the process" not in line
    ]  # a note beside it
    assert len(reported) == 1, done.stderr
    assert any(word in reported[0] for word in words.split("|")), reported


@pytest.mark.slow
@pytest.mark.parametrize("program", [_LIMIT + _TRACED, _DEEPER + _PROGRAM, _LIMIT + _PROGRAM])
def test_a_recursion_limit_of_ten_million_ends_in_one_message_and_costs_the_next_command_nothing(
    tmp_path: Path, program: str
) -> None:
    cache = {"LOUPE_CACHE_DIR": str(tmp_path / "cache")}
    done = _loupe(tmp_path, program, **cache)
    reported = [line for line in _reported(done) if "The program changed the process" not in line]
    if program == _LIMIT + _PROGRAM:
        assert (done.returncode, reported) == (0, []), done.stderr
    else:
        assert done.returncode == 1, done.stderr
        assert len(reported) == 1, done.stderr
        assert any(word in reported[0] for word in ("SIGSEGV", "RecursionError", "MemoryError")), reported
        assert "program.py" in reported[0]
    again = _loupe(tmp_path, **cache)
    assert again.returncode == 0, again.stderr
    assert _reported(again) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, too small for what is compiled."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=False, capture_output=True
    ).returncode:
        pytest.skip("only root mounts file systems")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="mounts a tmpfs")
def test_a_disk_that_fills_up_below_the_caches_is_reported_in_one_message(
    tmp_path: Path, small_disk: Path
) -> None:
    cache = small_disk / "cache"
    fills = f"import os\nopen({str(small_disk / 'filler')!r}, 'wb').write(bytes(os.statvfs({str(small_disk)!r}).f_bavail * 4096 - 8192))\n"
    done = _loupe(tmp_path, fills + _PROGRAM, LOUPE_CACHE_DIR=str(cache))
    assert done.returncode in (0, 1), done.stderr
    (reported,) = _reported(done)
    assert "The disk is full that holds torch's caches" in reported
    assert str(small_disk) in reported
    assert "LOUPE_CACHE_DIR" in reported
    full = _loupe(
        tmp_path, _PROGRAM, LOUPE_CACHE_DIR=str(cache)
    )  # full from the start: another folder is taken
    assert full.returncode == 0, full.stderr
    assert ["kernels are not kept for the next time" in line for line in _reported(full)] == [True]
    (small_disk / "filler").unlink()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    closed = _loupe(tmp_path, _PROGRAM, LOUPE_CACHE_DIR=str(cache))
    assert closed.returncode == 0, closed.stderr
    assert ["cannot be written" in line for line in _reported(closed)] == [True]


@pytest.mark.thorough
def test_a_worker_that_dies_at_once_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif 'compiler.worker' in sys.orig_argv: raise SystemExit(3)\n"
    )
    done = _loupe(tmp_path, PYTHONPATH=f"{Path(__file__).parents[3]}{os.pathsep}{tmp_path}")
    assert done.returncode == 1
    assert "The engine ended with exit code" in "".join(_reported(done))
    assert "worker_client.py" not in done.stderr  # no traceback of ours
