"""A program that ran to its end, with what it printed as text."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def ran(
    command: Sequence[str | Path],
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
    *,
    given: str | None = None,
    timeout: float | None = None,
    check: bool = False,
) -> "subprocess.CompletedProcess[str]":
    """`given`: what it reads. `timeout`: in seconds. With `check` one that fails raises CalledProcessError."""
    return subprocess.run(
        command, cwd=cwd, env=env, input=given, capture_output=True, text=True, timeout=timeout, check=check
    )
