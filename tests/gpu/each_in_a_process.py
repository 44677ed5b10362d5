"""Work done piece by piece in processes of its own, several at once; one that dies costs its piece only."""

import collections
import multiprocessing
import multiprocessing.connection
import os
from collections.abc import Callable, Iterator
from typing import Any

_SECONDS_A_PIECE = 120


def _serve(pipe: Any, first: str, run: Callable[[str], Any], goes_on: bool) -> None:
    key: str | None = first
    while key is not None:
        pipe.send((key, run(key)))
        key = pipe.recv() if goes_on else None
    os._exit(0)


class EachInAProcess:
    """What `run` gives for each piece, in `count` processes at once: forks of this one, one for each; or started `fresh`, where this
    process must not be forked, and then each goes on to the next until it dies.
    """

    def __init__(
        self,
        work: list[str],
        count: int,
        run: Callable[[str], Any],
        fresh: bool,
        seconds: float = _SECONDS_A_PIECE,
    ) -> None:
        self.context: Any = multiprocessing.get_context("spawn" if fresh else "fork")
        self.todo = collections.deque(work)
        self.run, self.goes_on, self.seconds = run, fresh, seconds
        self.running: dict[Any, tuple[Any, str]] = {}
        for _ in range(count):
            self._start()

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        while self.running:
            ready = multiprocessing.connection.wait(list(self.running), self.seconds)
            if not ready:
                for process, _ in self.running.values():
                    process.kill()
            for pipe in ready:
                yield self._received(pipe)

    def _start(self) -> None:
        if not self.todo:
            return
        key = self.todo.popleft()
        here, there = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(there, key, self.run, self.goes_on))
        process.start()
        there.close()
        self.running[here] = process, key

    def _received(self, pipe: Any) -> tuple[str, Any]:
        process, key = self.running[pipe]
        try:
            found: tuple[str, Any] = pipe.recv()
        except EOFError:
            process.join()
            found = key, {"error": f"died: {process.exitcode}"}
        else:
            if self.goes_on and self.todo:
                self.running[pipe] = process, self.todo.popleft()
                pipe.send(self.running[pipe][1])
                return found
            if self.goes_on:
                pipe.send(None)
            process.join()
        del self.running[pipe]
        self._start()
        return found
