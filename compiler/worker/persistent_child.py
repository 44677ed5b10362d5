"""A process of its own that stays, since what it captured can be asked about and edited again and again."""

import os
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import IO

import msgspec

from compiler.engine.errors import EngineError
from compiler.installation import python_path
from compiler.model.protocol.isolated_jobs import IsolatedAnswer, IsolatedJob, IsolatedResult, Refused
from compiler.model.protocol.progress import from_line
from compiler.processes.first_environment import first_environment
from compiler.processes.fork_server import ChildOrder, ChildProcess, passed, spawn
from compiler.processes.private_folder import scratch_place
from compiler.worker.child_processes import CHILD, LAST_LINES, ReportProgress, ended

# Made when the module is loaded, since msgspec looks up annotations by module name, and the worker later hides ours.
_ANSWERS: msgspec.msgpack.Decoder[IsolatedAnswer] = msgspec.msgpack.Decoder(IsolatedAnswer)
_ENCODER = msgspec.msgpack.Encoder()


class KeptProcess:
    """Starts with the first order and ends with `close`, with the worker, when it dies, or when an order is interrupted."""

    def __init__(self) -> None:
        self._process: ChildProcess | None = None
        self._orders: IO[str] | None = None
        self._replies: IO[str] | None = None
        self._printed: deque[str] = deque(maxlen=LAST_LINES)

    def do(self, order: IsolatedJob, what: str, report_progress: ReportProgress) -> IsolatedResult:
        """Have an order carried out; `what` it runs, for the message if it dies. Raises EngineError."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        try:
            with tempfile.TemporaryDirectory(prefix="loupe-apart-", dir=scratch_place()) as folder:
                answer = _ANSWERS.decode(self._answer(order, Path(folder), what, report_progress))
        except BaseException:
            self.close()  # it died, or is in the middle of something that nobody waits for
            raise
        if isinstance(answer, Refused):
            raise EngineError(answer.problem)
        return answer

    def close(self) -> None:
        """End the process; the next order starts another."""
        process, self._process = self._process, None
        for pipe in (self._orders, self._replies):
            if pipe is not None:
                pipe.close()
        self._orders = self._replies = None
        if process is not None:
            process.kill()
            process.wait()

    def _start(self) -> None:
        self.close()
        orders_out, orders_in = os.pipe()
        replies_out, replies_in = os.pipe()
        first = first_environment()
        environment = {**first, "PYTHONPATH": python_path(first.get("PYTHONPATH"))}
        arguments = "persistent", passed(0), passed(1)
        self._process = spawn(ChildOrder(CHILD, arguments, environment, (orders_out, replies_in)))
        os.close(orders_out)
        os.close(replies_in)
        self._orders = os.fdopen(orders_in, "w", encoding="utf-8")
        self._replies = os.fdopen(replies_out, encoding="utf-8")
        self._printed.clear()
        assert self._process.stdout is not None
        threading.Thread(target=self._pass_on, args=(self._process.stdout,), daemon=True).start()

    def _pass_on(self, output: IO[str]) -> None:
        for line in output:
            self._printed.append(line)
            print(line, end="", flush=True)  # noqa: T201  what the program prints is passed on

    def _answer(self, order: IsolatedJob, folder: Path, what: str, report_progress: ReportProgress) -> bytes:
        assert self._orders is not None
        assert self._replies is not None
        assert self._process is not None
        asked, answered = folder / "order", folder / "answer"
        asked.write_bytes(_ENCODER.encode(order))
        try:
            self._orders.write(f"{asked}\t{answered}\n")
            self._orders.flush()
            for line in self._replies:
                if not line.strip():
                    return answered.read_bytes()
                report_progress(from_line(line))
        except BrokenPipeError:
            pass
        raise EngineError(ended(f"The process that runs {what}", self._process.wait(), list(self._printed)))
