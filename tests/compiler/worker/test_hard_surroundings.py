"""Odd environments, damaged caches, programs that write where they should not: the real command line says it in one message."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from compiler.engine.errors import problem_from

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


def _loupe(folder: Path, program: str = _PROGRAM, **variables: str) -> "subprocess.CompletedProcess[str]":
    (folder / "program.py").write_text(program)
    root = str(Path(__file__).parents[3])
    # what a test in this process chose for its own torch is nothing that a person's shell says
    chosen = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in chosen}
    return subprocess.run(
        [sys.executable, "-m", "torch_loupe", "capture", "program.py:f", "-o", "a.loupe"],
        cwd=folder,
        env={**environment, "PYTHONPATH": root, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _told(done: "subprocess.CompletedProcess[str]") -> list[str]:
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
    assert [f"cache damaged, cleared: {len(libraries)} files" in line for line in _told(done)] == [True]


def test_warnings_of_torch_are_not_made_errors(tmp_path: Path) -> None:
    done = _loupe(tmp_path, PYTHONWARNINGS="error")
    assert done.returncode == 0, done.stderr
    own = _loupe(tmp_path, _PROGRAM + "import warnings\nwarnings.warn('mine')\n", PYTHONWARNINGS="error")
    assert own.returncode == 1
    assert "UserWarning: mine" in "".join(_told(own))


@pytest.mark.slow
def test_a_home_that_cannot_be_written_costs_the_cache_only(tmp_path: Path) -> None:
    done = _loupe(tmp_path, HOME="/proc/nothing", LOUPE_CACHE_DIR="/proc/nothing/cache")
    assert done.returncode == 0, done.stderr
    assert ["kernels are not kept for the next time" in line for line in _told(done)] == [True]


@pytest.mark.parametrize(
    ("program", "words"),
    [(_GARBAGE, "said what cannot be understood"), (_DEEP, "SIGSEGV|RecursionError|MemoryError")],
)
def test_what_a_program_breaks_is_told_in_one_message(tmp_path: Path, program: str, words: str) -> None:
    done = _loupe(tmp_path, program + _PROGRAM)
    assert done.returncode == 1, done.stderr
    told = [line for line in _told(done) if "The program changed the process" not in line]  # a note beside it
    assert len(told) == 1, done.stderr
    assert any(word in told[0] for word in words.split("|")), told


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device", "/there/a.so"), "The disk with /there/a.so is full."),
        (RuntimeError("g++: fatal error: a.o: No space left on device"), "The disk with /here is full."),
        (OSError(30, "Read-only file system", "/there"), "The disk with /there cannot be written to."),
    ],
)
def test_a_full_disk_is_told_in_one_message(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "/here")
    wrapped = ValueError("InductorError: it failed")
    wrapped.__cause__ = error
    problem = problem_from(wrapped, "The program fails under torch.compile", "Correct it.")
    assert problem.what == f"{words} The program fails under torch.compile."
    assert "LOUPE_CACHE_DIR" in problem.remedy
    other = problem_from(ValueError("something else"), "The program fails", "Correct it.")
    assert other.what == "The program fails: ValueError: something else."


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_that_cannot_be_written_to_is_not_used(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o500)
    done = _loupe(tmp_path, LOUPE_CACHE_DIR=str(cache))
    assert done.returncode == 0, done.stderr
    assert [line for line in _told(done) if "cannot be written to" in line]


def test_a_worker_that_dies_at_once_is_told(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nif 'compiler.worker' in sys.orig_argv: raise SystemExit(3)\n"
    )
    done = _loupe(tmp_path, PYTHONPATH=f"{Path(__file__).parents[3]}{os.pathsep}{tmp_path}")
    assert done.returncode == 1
    assert "The engine ended with exit code" in "".join(_told(done))
    assert "Traceback" not in done.stderr
