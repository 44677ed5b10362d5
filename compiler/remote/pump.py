"""Bytes from one descriptor to another until the first of them ends."""

import contextlib
import os
import threading
from collections.abc import Callable

_CHUNK = 1 << 16


def pump(source: int, target: int, ended: Callable[[], None]) -> threading.Thread:
    """In a thread; `ended` is called when nothing more comes, or nobody takes it."""

    def run() -> None:
        with contextlib.suppress(OSError):
            while data := os.read(source, _CHUNK):
                view = memoryview(data)
                while view:
                    view = view[os.write(target, view) :]
        ended()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
