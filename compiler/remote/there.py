"""Our end on the other machine: a worker whose protocol goes through standard input and output. Ends, with all that it started,
when the connection does.
"""

import contextlib
import os
import platform
import signal
import socket
import subprocess
import sys
import threading

import msgspec

from compiler.processes.private_folder import PrivateFolder, sweep
from compiler.processes.process_tree import kill_group
from compiler.processes.started import end_started, worker_environment
from compiler.remote.machine import MARK, Greeting, our_version, protocol
from compiler.remote.pump import pump

_PATIENCE = 180.0
_GOOD_BYE = 2.0


def main() -> int:
    """Until the connection or the worker is gone."""
    for number in (signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)  # we hear it from the pipes, and clean up
    out = os.dup(1)
    os.dup2(2, 1)  # what the program prints is not protocol
    greeting = Greeting(our_version(), protocol(), platform.python_version())
    os.write(out, MARK.encode() + msgspec.json.encode(greeting) + b"\n")
    sweep()
    folder = PrivateFolder()
    place = folder.path / "s"
    reads, held = os.pipe()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(place))
        listener.listen(1)
        listener.settimeout(_PATIENCE)
        worker = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{_package()}.worker", "--socket", str(place)],
            stdin=reads,
            env=worker_environment(os.environ, str(place)),
            cwd=folder.path,
            start_new_session=True,
        )
        os.close(reads)
        try:
            return _serve(worker, listener, out)
        finally:
            os.close(held)
            kill_group(worker)
            end_started(worker.pid, str(place))
            folder.remove()


def _package() -> str:
    """What `compiler` is called here: the wheel has it below `torch_loupe`."""
    return __name__.rpartition(".remote.")[0]


def _serve(worker: "subprocess.Popen[bytes]", listener: socket.socket, out: int) -> int:
    over = threading.Event()

    def wait() -> None:
        worker.wait()
        over.set()

    threading.Thread(target=wait, daemon=True).start()
    connection = _accepted(listener, over)
    if connection is None:
        return 1
    ended = threading.Event()

    def worker_is_done() -> None:
        ended.set()
        over.set()

    pump(0, connection.fileno(), over.set)
    pump(connection.fileno(), out, worker_is_done)
    over.wait()
    if worker.poll() is not None:
        ended.wait(_GOOD_BYE)  # its last words
    return worker.returncode or 0 if worker.poll() is not None else 0


def _accepted(listener: socket.socket, over: threading.Event) -> socket.socket | None:
    """The worker's connection; None where it died before."""
    listener.settimeout(0.2)
    for _ in range(int(_PATIENCE / 0.2)):
        with contextlib.suppress(TimeoutError):
            return listener.accept()[0]
        if over.is_set():
            return None
    return None
