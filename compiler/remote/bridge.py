"""``python -m compiler.remote.bridge``: stands here for a worker on another machine. Started like a worker, and dies like one."""

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading

import msgspec

from compiler.remote.machine import MARK, Greeting, Machine, our_version, protocol
from compiler.remote.pump import pump

_MOST_BEFORE = 200
"""Lines that a shell may print before our end answers."""


def main() -> int:
    """Until either side is gone. Exit status 1 with a message on standard error where there is no way."""
    parser = argparse.ArgumentParser(prog="compiler.remote.bridge", description=__doc__)
    parser.add_argument("--socket", required=True)
    parser.add_argument("--machine", required=True)
    parser.add_argument("--warm", action="store_true")
    arguments = parser.parse_args()
    machine = msgspec.json.decode(arguments.machine, type=Machine)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # a worker prints its stack; ours says nothing
    try:
        process = subprocess.Popen(machine.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except (OSError, ValueError) as error:
        return _say(f"{machine.name} cannot be reached: {error}.")
    try:
        return _serve(process, machine, arguments.socket)
    finally:
        process.kill()
        process.wait()


def _serve(process: "subprocess.Popen[bytes]", machine: Machine, place: str) -> int:
    assert process.stdin is not None
    assert process.stdout is not None
    greeting = _greeting(process)
    if greeting is None:
        process.wait()
        return _say(_why_nobody_answers(machine, process.returncode))
    if greeting.protocol != protocol():
        return _say(
            f"{machine.name} has Torch Loupe {greeting.version}, here is {our_version()}: they speak differently. Install the "
            f"same there: {machine.python} -m pip install -U torch-loupe"
        )
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(place)
    over = threading.Event()
    lost: list[bool] = []

    def gone_there() -> None:
        lost.append(True)
        over.set()

    pump(process.stdout.fileno(), connection.fileno(), gone_there)
    pump(connection.fileno(), process.stdin.fileno(), over.set)
    over.wait()
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    if lost:
        return _say(f"The connection to {machine.name} ended. What was captured and edited is here.")
    return 0


def _greeting(process: "subprocess.Popen[bytes]") -> Greeting | None:
    """The line that our end says first; what a shell says before goes to standard error."""
    assert process.stdout is not None
    for _ in range(_MOST_BEFORE):
        line = _line(process.stdout.fileno())
        if not line:
            return None
        if line.startswith(MARK.encode()):
            with contextlib.suppress(msgspec.MsgspecError):
                return msgspec.json.decode(line[len(MARK) :], type=Greeting)
            return None
        os.write(2, line)
    return None


def _line(source: int) -> bytes:
    """One line, not a byte more: what follows is for the pump."""
    line = b""
    while not line.endswith(b"\n") and len(line) < 1 << 16 and (byte := os.read(source, 1)):
        line += byte
    return line


def _why_nobody_answers(machine: Machine, status: int) -> str:
    install = f"{machine.python} -m pip install torch-loupe"
    if status == 127:
        return (
            f"There is no {machine.python} on {machine.name}. Name the Python that has torch: --python PATH"
        )
    if status == 255 and machine.host:
        return f"ssh could not reach {machine.host} (see above). Try: ssh {machine.host} true"
    return f"{machine.name} did not answer (exit status {status}, see above). If Torch Loupe is not there: {install}"


def _say(text: str) -> int:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
    return 1


if __name__ == "__main__":
    sys.exit(main())
