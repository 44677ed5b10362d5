"""``python -m compiler.command_line.collecting FILE``: listens to a program that was started with ``LOUPE=FILE.loupe``, and
keeps what it reports. Lives as long as the program and what it started; the first line it prints is where it listens.
"""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

from compiler.analysis.running.listener import Listener
from compiler.command_line.reports.run_report import run_report
from compiler.command_line.run_files import RunFiles
from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import CommandFailedError
from compiler.processes.private_folder import PrivateFolder, sweep

_LINGER = 1.0
"""Seconds without anybody after which nobody is expected any more."""


def main() -> int:
    """Until all are gone. Exit status 1 where a file could not be written."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # meant for the program; we go when it is gone
    output, program = Path(sys.argv[1]), os.getppid()
    sweep()
    folder = PrivateFolder()
    try:
        listener = Listener(folder.path)
        sys.stdout.write(f"{listener.place}\n")
        sys.stdout.flush()
        os.close(1)
        files = RunFiles(output, TrustGate())
        _listen(listener, files, program)
        listener.close()
    finally:
        folder.remove()
    try:
        written = files.write(listener.lanes)
    except CommandFailedError as error:
        sys.stderr.write(f"loupe: {error.problem.message()}\n")
        return 1
    sys.stderr.write(run_report(listener.lanes, written))
    return 0


def _listen(listener: Listener, files: RunFiles, program: int) -> None:
    alone_since = time.monotonic()
    while True:
        listener.wait(0.2, lambda _: None)
        with contextlib.suppress(CommandFailedError):  # reported at the end
            files.write_now_and_then(listener.lanes)
        if listener.open_count or os.getppid() == program:
            alone_since = time.monotonic()
        elif time.monotonic() - alone_since > _LINGER:
            return


if __name__ == "__main__":
    sys.exit(main())
