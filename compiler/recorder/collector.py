"""Starts the process that listens where nobody else does: the program was started with ``LOUPE=FILE.loupe``."""

import os
import select
import subprocess
import sys

from compiler.installation import python_path
from compiler.processes.recorded_program import OUTPUT, PLACE

_COLLECTOR = "compiler.command_line.collecting"
_PATIENCE = 30.0


def start_collector(output: str) -> str:
    """Start the process that listens to this one and writes the file; where it listens. Raises OSError."""
    environment = {key: value for key, value in os.environ.items() if key not in (OUTPUT, PLACE)} | {
        "PYTHONPATH": python_path(None)
    }
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", _COLLECTOR, os.path.abspath(output)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
    place = process.stdout.readline().decode().strip() if ready else ""
    process.stdout.close()
    process.returncode = 0  # it outlives this process, which shall not wait for it nor warn
    if not place:
        raise OSError("what writes the file did not start")
    return place
