"""What a child process prints, line by line, until *it* ends: what its program started may hold the pipe open for ever."""

import queue
import threading
from collections.abc import Iterator

from compiler.model.protocol.worker_output import LONGEST_LINE
from compiler.processes.fork_server import ChildProcess

_LOOK_EVERY_S = 0.1
_CRASH_DUMP_S = 0.5
"""Time for what was printed just before the end to come through."""


def lines_of(process: ChildProcess) -> Iterator[str]:
    """Its lines as they come. When this ends, so has the process."""
    output, lines = process.stdout, queue.SimpleQueue[str | None]()
    assert output is not None

    def read() -> None:
        with output:
            while line := output.readline(LONGEST_LINE):  # one without an end comes in pieces
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, name="loupe-child-output", daemon=True).start()
    while True:
        wait = _LOOK_EVERY_S if process.poll() is None else _CRASH_DUMP_S
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            if wait == _CRASH_DUMP_S:
                return
            continue
        if line is None:
            break
        yield line
    process.wait()
