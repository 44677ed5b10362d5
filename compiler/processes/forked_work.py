"""A copy of this process that does one piece of work while this one does another, where two cores are to be had.

What the copy makes is handed over as bytes; what it changed otherwise is lost with it. It dies with the process it was made of.
"""

import contextlib
import ctypes
import gc
import mmap
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

from compiler.processes.free_memory import free_memory, resident_bytes
from compiler.processes.leaving import leave_now

_LINE = 1024
"""Bytes that the latest line of progress may take."""
_LOOK_EVERY_S = 0.2
_SET_PARENT_DEATH_SIGNAL = 1


def can_fork() -> bool:
    """Whether a copy would run on a core of its own, and there is memory for all that it may change."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    free, own = free_memory(), resident_bytes()
    return free is not None and own is not None and free > 2 * own


class ForkedWork:
    """Both ends: `is_copy` says which one this is."""

    def __init__(self) -> None:
        """Raises OSError where no process can be made."""
        self._line = mmap.mmap(-1, _LINE)  # shared with the copy
        self._read, self._write = os.pipe()
        self._heard, self._say = os.pipe()
        parent = os.getpid()
        for stream in (sys.stdout, sys.stderr):  # the copy would write it again
            with contextlib.suppress(Exception):  # a program may have closed it, or put something else there
                stream.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python's own, of threads
            self._process = os.fork()
        self.is_copy = self._process == 0
        if not self.is_copy:
            os.close(self._write)
            os.close(self._heard)
            return
        try:
            os.close(self._read)
            os.close(self._say)
            ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
            if os.getppid() != parent:
                leave_now(0)
            gc.freeze()  # to look through what both share would make copies of it
        except BaseException:  # noqa: BLE001  never on as if it were the other one
            leave_now(1)

    def end_within(self, seconds: float) -> None:
        """From the copy: it ends unless this is called again before; 0 for no limit."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def emit(self, line: str) -> None:
        """From the copy: how far it is, for whoever waits for it."""
        written = line.encode()
        if len(written) < _LINE:
            self._line[: len(written) + 1] = written + b"\0"

    def say(self, known: bytes) -> None:
        """To the copy, which waits for it: what this process found out meanwhile; once."""
        pipe, self._say = self._say, -1
        with contextlib.suppress(OSError), open(pipe, "wb") as reported:  # the copy may have ended before
            reported.write(known)

    def hear(self) -> bytes:
        """From the copy: wait for what the other process finds out; empty where it finds out nothing, or ended."""
        with open(self._heard, "rb") as pipe:
            return pipe.read()

    def _be_silent(self) -> None:
        if self._say >= 0:
            os.close(self._say)
            self._say = -1

    def answer(self, made: bytes) -> NoReturn:
        """From the copy: what it made; it ends with that."""
        try:
            with open(self._write, "wb") as pipe:
                pipe.write(len(made).to_bytes(8))
                pipe.write(made)
        finally:
            leave_now(0)

    def wait(self, report: Callable[[str], None]) -> bytes | None:
        """What the copy made, or None where it ended without, or made nothing; what it reported meanwhile is passed on."""
        found, reported = bytearray(), b""
        self._be_silent()
        while True:
            if select.select([self._read], [], [], _LOOK_EVERY_S)[0]:
                if not (more := os.read(self._read, 1 << 20)):
                    break
                found += more
            elif (line := self._line[:].partition(b"\0")[0]) != reported:
                reported = line
                report(line.decode(errors="replace"))
        self.stop()
        whole = len(found) > 8 and len(found) == 8 + int.from_bytes(found[:8])
        return bytes(found[8:]) if whole else None

    def stop(self) -> None:
        """End the copy, if it is still there, and let go of what was shared with it."""
        if self._process == 0 or self._line.closed:
            return
        with contextlib.suppress(OSError):
            os.kill(self._process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(self._process, 0)
        self._be_silent()
        os.close(self._read)
        self._line.close()
