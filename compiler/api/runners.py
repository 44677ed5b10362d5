"""Who compiles and runs: this process for live objects, a worker for programs in files."""

import contextlib
import itertools
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from compiler.api.errors import LoupeError, as_loupe_errors
from compiler.command_line.session_io import capture_with, recompiled_with
from compiler.command_line.trust_gate import TrustGate
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId
from compiler.model.protocol.messages import EventBody, Progress
from compiler.model.timing.verdicts import Verdict

if TYPE_CHECKING:
    import torch

    from compiler.engine.user_program.live_objects import LiveObject
    from compiler.engine.verbs.engine import Engine

ReportProgress = Callable[[str], None]
_numbers = itertools.count(1)


def new_id() -> CaptureId:
    """The id of a capture or recompile, unique in this process."""
    return f"capture-{next(_numbers)}"


class Runner(Protocol):
    """Captures and compiles again. Raises LoupeError."""

    gate: TrustGate
    """What of a file's may be executed."""

    @property
    def turn(self) -> AbstractContextManager[object]:
        """Threads take turns: what is captured in one stays until it is compiled again."""

    def capture(self, spec: CaptureSpec, capture_id: CaptureId) -> Capture:
        """Capture; earlier captures of the same runner can then no longer be compiled again."""

    def holds(self, capture_id: CaptureId) -> bool:
        """Whether what was captured under that id can be compiled again."""

    def recompile(
        self, base: CaptureId, edits: tuple[Edit, ...], edited: CaptureId, judge: bool
    ) -> tuple[Capture, Verdict | None]:
        """Compile with edits, run and judge."""


class InProcess:
    """Live objects. Torch's compiled code is global, so all share one engine, which holds the last capture."""

    _engine: "Engine | None" = None
    _captured: CaptureId = ""
    turn = threading.RLock()

    def __init__(self, live: "LiveObject", report: ReportProgress) -> None:
        self._live = live
        self._report = report
        self.gate = TrustGate()
        self._captured_in: list[tuple[torch.nn.Module, bool]] = []
        """Each module with the mode in which it was captured."""

    def capture(self, spec: CaptureSpec, capture_id: CaptureId) -> Capture:
        """In the user's own process; the random state and the module's mode are put back."""
        with self._guarded() as engine:
            InProcess._captured = ""
            made = engine.capture(spec, capture_id, self._report)
            InProcess._captured = capture_id
            self._captured_in = self._modes()
        return made

    def holds(self, capture_id: CaptureId) -> bool:
        """Only the last capture of the process."""
        return InProcess._captured == capture_id

    def recompile(
        self, base: CaptureId, edits: tuple[Edit, ...], edited: CaptureId, judge: bool
    ) -> tuple[Capture, Verdict | None]:
        """The program is run as it was captured: in that mode."""
        with self._guarded() as engine:
            _put_into(self._captured_in)
            return engine.recompile(base, edits, edited, judge, self._report)

    @contextlib.contextmanager
    def _guarded(self) -> "Iterator[Engine]":
        from compiler.engine.errors import EngineError
        from compiler.engine.rng.rng_state import seeded
        from compiler.engine.torch_internals.registry.listening import require_nobody_listens
        from compiler.engine.verbs.engine import Engine

        with self.turn:
            modes = self._modes()
            try:
                require_nobody_listens()
                InProcess._engine = InProcess._engine or Engine()
                with seeded(0):
                    yield InProcess._engine
            except EngineError as error:
                raise LoupeError(error.problem) from error
            finally:
                _put_into(modes)

    def _modes(self) -> "list[tuple[torch.nn.Module, bool]]":
        modules = self._live.program.modules()
        return [(part, part.training) for _, module in modules for part in module.modules()]


def _put_into(modes: "list[tuple[torch.nn.Module, bool]]") -> None:
    for part, training in modes:
        part.training = training


class InWorker:
    """Programs in files, loaded in a process of their own, which starts when it is first needed."""

    def __init__(
        self, report: ReportProgress, timeout: float | None = None, gate: TrustGate | None = None
    ) -> None:
        self._report = report
        self._timeout = timeout
        self.gate = gate or TrustGate()
        self.turn = threading.RLock()
        self._client: WorkerClient | None = None
        self._captured: CaptureId = ""

    def capture(self, spec: CaptureSpec, capture_id: CaptureId) -> Capture:
        """In the worker."""
        with self.turn, as_loupe_errors():
            self._captured = ""
            made = capture_with(self._started(), spec, capture_id)
            self._captured = capture_id
        return made

    def holds(self, capture_id: CaptureId) -> bool:
        """What it captured last."""
        return self._captured == capture_id

    def recompile(
        self, base: CaptureId, edits: tuple[Edit, ...], edited: CaptureId, judge: bool
    ) -> tuple[Capture, Verdict | None]:
        """In the worker."""
        with self.turn, as_loupe_errors():
            made = recompiled_with(self._started(), base, edits, edited, judge)
        return made.capture, made.verdict

    def _started(self) -> WorkerClient:
        if self._client is None:
            report = self._report

            def on_event(event: EventBody) -> None:
                if isinstance(event, Progress):
                    report(event.text)

            self._client = WorkerClient(on_event, self._timeout, gate=self.gate)
            weakref.finalize(self, self._client.close)
        return self._client
