"""Cancelling what the main thread does, but not while it imports a library, which half imported would be broken for good, nor
while it does what must be whole: half a message on the connection makes the next ones a part of it.
"""

import _thread
import signal
import threading
import time
import types
from collections.abc import Callable, Collection, Iterator

from compiler.engine.file_ownership import is_reloaded

_AGAIN, _LONGEST = 0.05, 30.0


class Interrupter:
    """Interrupts the main thread as Ctrl+C does. Make it there. Functions of the code in `whole` are let end first."""

    def __init__(self, whole: Collection[types.CodeType] = ()) -> None:
        self._whole = tuple(whole)
        self._wanted: Callable[[], bool] = lambda: False
        self._asked = False
        """Whether we asked for the next signal, which comes a moment later."""
        self._since = 0.0
        signal.signal(signal.SIGINT, self._on_signal)

    def interrupt(self, wanted: Callable[[], bool]) -> None:
        """Raise KeyboardInterrupt in the main thread if `wanted` still says so there; later, where it imports a library.

        May be called from any thread.
        """
        self._wanted, self._since, self._asked = wanted, time.monotonic(), True
        _signal_main_thread()

    def _on_signal(self, number: int, frame: types.FrameType | None) -> None:
        if self._asked and not self._wanted():  # that work is done: the request taken meanwhile would be lost
            self._asked = False
            return
        if (self._is_whole(frame) or imports_library(frame)) and time.monotonic() - self._since < _LONGEST:
            later = threading.Timer(_AGAIN, self._again)
            later.daemon = True
            later.start()
            return
        self._asked = False
        raise KeyboardInterrupt

    def _is_whole(self, frame: types.FrameType | None) -> bool:
        return any(row.f_code is code for row in _outwards(frame) for code in self._whole)

    def _again(self) -> None:
        if self._wanted():
            _signal_main_thread()


def _signal_main_thread() -> None:
    """A real signal, as Ctrl+C sends: what Python alone is told of waits for a sleep, or for g++, to end."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def imports_library(frame: types.FrameType | None) -> bool:
    """Whether a module that is not the user's runs for the first time somewhere below this frame."""
    for row in _outwards(frame):
        if row.f_code.co_name == "<module>" and not is_reloaded(row.f_code.co_filename):
            spec = row.f_globals.get("__spec__")
            if getattr(spec, "_initializing", False):
                return True
    return False


def _outwards(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
