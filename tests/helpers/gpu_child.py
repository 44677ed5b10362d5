"""A Python process of its own, since pretending to have a GPU is for good."""

import sys

from compiler.installation import python_path
from compiler.processes.first_environment import first_environment
from tests.helpers.finished_process import ran

_LEAVE = "\nimport os, sys\nsys.stdout.flush()\nos._exit(0)\n"
"""As our own processes do: C++ points at what they pretend with, and taking the interpreter down crashes at times."""


def run_without_gpu(program: str, limit: float = 300) -> str:
    """What it prints. An AssertionError has the end of what went wrong."""
    done = ran(
        [sys.executable, "-c", program + _LEAVE],
        env=first_environment() | {"PYTHONPATH": python_path(None), "CUDA_VISIBLE_DEVICES": ""},
        timeout=limit,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
