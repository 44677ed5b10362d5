"""Signals of a program that runs beside us: it gets each as often as it would without us, and is ended by those it would be."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from types import FrameType

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_MOMENT = 0.02
"""Seconds after which a signal that was sent to a whole group has reached all of it."""

_WITNESS = """
import signal, sys
for line in sys.stdin:
    number = int(line)
    came = number in signal.sigpending()
    if came:
        signal.sigwait({number})
    print(int(came), flush=True)
"""
"""It blocks these signals, so that they wait for it until it is asked."""


class PassedSignals:
    """What is sent to us alone (kill, an IDE's stop button, a supervisor) is handed on to the program; what is sent to the
    whole group (Ctrl-C, a terminal that closes, ``timeout``) has reached it by itself, and a second one would be one too many.
    """

    def __init__(self, witness: "subprocess.Popen[str]") -> None:
        self._witness = witness
        self._program: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []

    def to(self, program: "subprocess.Popen[bytes]") -> None:
        """It has been started."""
        self._program = program
        for number in self._early:
            program.send_signal(number)

    def on_signal(self, number: int, _: FrameType | None) -> None:
        """One came to us."""
        time.sleep(_MOMENT)
        if self._went_to_all(number):
            return
        if self._program is None:
            self._early.append(number)
        else:
            self._program.send_signal(number)

    def _went_to_all(self, number: int) -> bool:
        """Whether a process of our group that nobody knows got it too."""
        assert self._witness.stdin is not None
        assert self._witness.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # it was killed: then all were
            self._witness.stdin.write(f"{number}\n")
            self._witness.stdin.flush()
            return self._witness.stdout.readline() != "0\n"
        return True


@contextlib.contextmanager
def signals_passed_on() -> Iterator[PassedSignals]:
    """While the program runs. What we were started to ignore (nohup, a job in the background) it ignores as well: ours is
    left as it is, and it inherits that.
    """
    numbers = [number for number in _NUMBERS if signal.getsignal(number) is not signal.SIG_IGN]
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _NUMBERS)
    try:
        witness = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WITNESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    passed = PassedSignals(witness)
    before = {number: signal.signal(number, passed.on_signal) for number in numbers}
    try:
        yield passed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        with witness:  # its input ends, and so does it
            assert witness.stdin is not None
            witness.stdin.close()


def leave_as(status: int) -> int:
    """The program's exit status; where a signal ended it, that ends us too, as whoever started us expects."""
    if status >= 0:
        return status
    sys.stderr.flush()
    with contextlib.suppress(OSError, ValueError, ImportError):
        import resource

        resource.setrlimit(
            resource.RLIMIT_CORE, (1, 1)
        )  # no second crash dump: 0 would not hold where a pipe takes them
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return 128 - status
