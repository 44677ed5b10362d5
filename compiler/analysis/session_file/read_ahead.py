"""Members of an archive unpacked in a thread while those before are decoded: zlib needs no interpreter, decoding needs nothing else."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType

_MOST_AHEAD = 16 << 20
"""Bytes that wait to be asked for; the member that goes over it waits too."""


class ReadAhead:
    """What is asked for in the order that was said is there already, or will be; anything else is unpacked when it is asked for."""

    def __init__(self, unpack: Callable[[str], bytes | None], names: Sequence[str]) -> None:
        """`unpack` is called in another thread; it gives None for what is to be read where it is asked for, faults and all."""
        self._unpack = unpack
        self._names = deque(names)
        self._reported = frozenset(names)
        self._ready: dict[str, bytes | None] = {}
        self._waiting = 0
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> "ReadAhead":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._thread.join()
        self._ready.clear()

    def take(self, name: str) -> bytes | None:
        """A member that comes or came; None where it is to be read by whoever asks. Each can be taken once."""
        if name not in self._reported:
            return None
        with self._changed:
            while name not in self._ready:
                if self._stopped:
                    return None
                self._changed.wait()
            data = self._ready[name]
            self._ready[name] = None
            self._waiting -= len(data or b"")
            self._changed.notify_all()
        return data

    def _work(self) -> None:
        while self._names:
            name = self._names.popleft()
            try:
                data = self._unpack(name)
            except BaseException:
                with self._changed:
                    self._stopped = True
                    self._changed.notify_all()
                raise
            with self._changed:
                self._ready[name] = data
                self._waiting += len(data or b"")
                self._changed.notify_all()
                while self._waiting > _MOST_AHEAD and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    return
