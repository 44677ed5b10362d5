"""Tools that the engine runs for itself: compilers, assemblers, disassemblers. They are looked for, and run, in the environment that
this process was started with: a PATH, a CXX or an LD_PRELOAD that a program set is the program's.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence

from compiler.processes.first_environment import first_environment
from compiler.processes.private_folder import scratch_place


def find_tool(*names: str) -> str | None:
    """The path of the first of them that is installed."""
    path = first_environment().get("PATH", os.defpath)
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


def run_tool(command: Sequence[str], timeout: float | None = None) -> "subprocess.CompletedProcess[str]":
    """What it printed and how it ended, with nothing to read. Raises OSError, and subprocess.TimeoutExpired."""
    return subprocess.run(
        command,
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )


def tool_environment() -> dict[str, str]:
    """With our client's folder for temporary files, since a compiler that is killed leaves its own where they are."""
    place = scratch_place()
    return {**first_environment(), **({} if place is None else {"TMPDIR": place})}
