"""Cancelling what the main thread does, but not while it imports a library: half imported it would be broken for good."""

import _thread
import signal
import threading
import time
import types
from collections.abc import Callable

from compiler.engine.file_ownership import is_reloaded

_AGAIN, _LONGEST = 0.05, 30.0


class Interrupter:
    """Interrupts the main thread as Ctrl+C does. Make it there."""

    def __init__(self) -> None:
        self._wanted: Callable[[], bool] = lambda: False
        self._since = 0.0
        signal.signal(signal.SIGINT, self._on_signal)

    def interrupt(self, wanted: Callable[[], bool]) -> None:
        """Raise KeyboardInterrupt in the main thread; later, where it imports a library, if `wanted` still says so then.

        May be called from any thread.
        """
        self._wanted, self._since = wanted, time.monotonic()
        _thread.interrupt_main()

    def _on_signal(self, number: int, frame: types.FrameType | None) -> None:
        if imports_library(frame) and time.monotonic() - self._since < _LONGEST:
            later = threading.Timer(_AGAIN, self._again)
            later.daemon = True
            later.start()
            return
        raise KeyboardInterrupt

    def _again(self) -> None:
        if self._wanted():
            _thread.interrupt_main()


def imports_library(frame: types.FrameType | None) -> bool:
    """Whether a module that is not the user's runs for the first time somewhere below this frame."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and not is_reloaded(frame.f_code.co_filename):
            spec = frame.f_globals.get("__spec__")
            if getattr(spec, "_initializing", False):
                return True
        frame = frame.f_back
    return False
