"""A thread that does one thing after another.

Not Qt's pool: PySide keeps some of the runnables that a pool has deleted, and with them all that they hold.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject


class _ShortSwitchInterval:
    """While such a thread works, Python lets it keep the interpreter for a shorter time only. The window's thread gives it away at
    many calls of Qt; waiting 5 ms after each of them, it did not answer for a second while a large stage was read.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working = 0
        self._usual = sys.getswitchinterval()

    def __enter__(self) -> None:
        with self._lock:
            self._working += 1
            if self._working == 1:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(_TURN)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._working -= 1
            if not self._working:
                sys.setswitchinterval(self._usual)


_TURN = 0.0003
"""Seconds."""
_BRIEF = _ShortSwitchInterval()


class OneThread:
    """Begun when there is something to do, ended when nothing is left. Its owner does not go before."""

    def __init__(self, owner: QObject) -> None:
        owner.destroyed.connect(self.wait)
        self._lock = threading.Lock()
        self._left: deque[Callable[[], object]] = deque()
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[], object]) -> None:
        """Do this after what was asked for before. An error that it raises is reported as one of the window's own."""
        with self._lock:
            self._left.append(work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work)
                self._thread.start()

    def wait(self) -> None:
        """Until nothing is left to do."""
        while (thread := self._thread) is not None:
            thread.join()

    def _work(self) -> None:
        with _BRIEF:
            while self._do_next():
                pass

    def _do_next(self) -> bool:
        """The work is let go of before the thread counts as done: what it holds must not outlast `wait`."""
        with self._lock:
            if not self._left:
                self._thread = None
                return False
            work = self._left.popleft()
        try:
            work()
        except Exception:  # noqa: BLE001  whatever it is
            sys.excepthook(*sys.exc_info())
        return True
