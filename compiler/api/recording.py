"""``torch_loupe.record``: everything that torch compiles while a block of the user's code runs."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compiler.analysis.running.lanes import Lane
from compiler.analysis.running.run_summary import RunSummary, summary_of
from compiler.analysis.text_format.visible_text import visible
from compiler.api.errors import LoupeError, as_loupe_errors
from compiler.api.notebook import as_html
from compiler.api.runners import InWorker, new_id
from compiler.api.session import Capture
from compiler.command_line.reports.run_report import process_report
from compiler.command_line.written_files import ReplacedFile, require_place
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.counted import counted
from compiler.model.protocol.run_events import RunCaptured

if TYPE_CHECKING:
    from compiler.engine.run_recording.run_recorder import RunRecorder


class Recorded:
    """What was compiled; filled as the block runs, and whole when it is over."""

    def __init__(self, name: str) -> None:
        self._lane = Lane()
        self._name = name
        self._id = new_id()

    @property
    def capture(self) -> Capture:
        """Every stage of everything that was compiled. Raises LoupeError while the block runs, or where nothing was."""
        data = self._lane.reported_capture()
        if data is None or not data.frames:
            what = "Nothing was compiled in the block, or it is not over yet."
            remedy = "What was compiled before is not compiled again: call torch.compiler.reset() first."
            raise LoupeError(what, remedy)
        return Capture(data, InWorker(lambda text: None))

    @property
    def summary(self) -> RunSummary | None:
        """Each compile with its cause, what it took, and how often its graph was called; None where there was none."""
        return summary_of(self._lane)

    def __str__(self) -> str:
        found = self.summary
        if found is None:
            return "nothing was compiled"
        return visible("\n".join(process_report(self._lane, found, since="in the block")))

    def __repr__(self) -> str:
        found = self.summary
        return f"<Recorded: {counted(found.made if found is not None else 0, 'compile')}>"

    def _repr_html_(self) -> str:
        return as_html(str(self))

    def _take(self, recorder: "RunRecorder", seconds: float) -> None:
        self._lane.take(RunCaptured(recorder.read(self._id)))
        self._lane.take(recorder.counted(seconds))


@contextlib.contextmanager
def record(path: str | Path | None = None, *, keep_caches: bool = False) -> Iterator[Recorded]:
    """Record every ``torch.compile`` that runs in the block, backwards and recompiles too. Raises LoupeError.

    With `path` a ``.loupe`` file is written when the block is over, also when it fails. Torch's graph caches are off
    meanwhile, so that every stage is seen, unless `keep_caches`. What was compiled before the block is not compiled again.
    """
    from compiler.engine.errors import EngineError
    from compiler.engine.run_recording.run_recorder import RunRecorder

    if path is not None:
        with as_loupe_errors():
            require_place(ReplacedFile(path))
    name = Path(sys.argv[0]).name or "python"
    found = Recorded(name)
    spec = CaptureSpec(TargetSpec(name, str(Path.cwd()), recorded=tuple(sys.argv) or (name,)))
    nothing: Callable[..., Any] = lambda *_: None  # noqa: E731
    recorder = RunRecorder(spec, nothing, nothing, nothing, caches_off=not keep_caches)
    began = time.monotonic()
    listening = contextlib.ExitStack()
    try:
        listening.enter_context(recorder.listening())
    except EngineError as error:
        raise LoupeError(error.problem) from error
    try:
        with listening:
            yield found
    finally:
        found._take(recorder, time.monotonic() - began)  # noqa: SLF001  the other half of this
        if path is not None and found.summary is not None and found.summary.compiles:
            found.capture.save(path)
