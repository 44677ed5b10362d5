"""Trials of programs that may raise, end their process or never end: each is a process of its own."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from compiler.engine.errors import EngineError
from compiler.installation import IMPORT_ROOT
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.experiments.failures import (
    DIES,
    HANGS,
    RAISES,
    BreaksMet,
    Failure,
    ProgramEnded,
    RunAtLevel,
    RunForBreaks,
    RunText,
)
from compiler.model.protocol.isolated_jobs import IsolatedJob
from compiler.processes.first_environment import first_environment
from compiler.processes.private_folder import scratch_place
from compiler.processes.process_tree import kill_group
from compiler.worker.child_processes import ChildEndedError, run_isolated

_OBSERVED = "compiler.engine.failures.observed"
_REPORTED = """
import runpy
try:
    runpy.run_path({file!r}, run_name="__main__")
except Exception as error:
    import importlib, sys
    sys.path.insert(0, {root!r})
    found = importlib.import_module({observed!r}).failure_of(error)
    print("\\x1e", found.error, found.frame, found.said, found.message, sep="\\x1f", flush=True)
    raise SystemExit(1)
"""
_FACTS = re.compile("\x1e\x1f(.*)\x1f(.*)\x1f(.*)\x1f(.*)")


class ChildTrials:
    """Trials in processes of this worker's. A context manager: they share a folder for what C++ compilers are asked."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="loupe-trials-", dir=scratch_place())

    def __enter__(self) -> "ChildTrials":
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def level(self, spec: CaptureSpec, level: str | None, seconds: float) -> Failure | None:
        """See `compiler.engine.failures.trials.Trials`."""
        return self._ended(RunAtLevel(spec, level), seconds)

    def text(self, text: str, seconds: float) -> Failure | None:
        """See `Trials`."""
        return self._ended(RunText(text), seconds)

    def breaks(self, spec: CaptureSpec, path: str, text: str, seconds: float) -> BreaksMet:
        """See `Trials`."""
        try:
            answer = run_isolated(
                RunForBreaks(spec, path, text), "a trial", lambda said: None, seconds, Path(self._folder.name)
            )
        except EngineError as error:
            return BreaksMet(failed=error.problem.what)
        assert isinstance(answer, BreaksMet)
        return answer

    def fresh(self, text: str, seconds: float) -> Failure | None:
        """See `Trials`. Only where the file raises is something of ours loaded, to say what."""
        with tempfile.TemporaryDirectory(prefix="loupe-least-", dir=scratch_place()) as scratch:
            file = Path(scratch) / "least.py"
            file.write_text(text, encoding="utf-8")
            environment = {**first_environment(), "TORCHINDUCTOR_CACHE_DIR": str(Path(scratch) / "inductor")}
            environment.pop("PYTHONPATH", None)
            code = _REPORTED.format(root=str(IMPORT_ROOT), file=str(file), observed=_OBSERVED)
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                env=environment,
                cwd=scratch,
                process_group=0,
            )
            try:
                printed, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                return Failure(HANGS)
            finally:
                _end_group(process)
            return _from_process(process.returncode, printed)

    def _ended(self, order: IsolatedJob, seconds: float) -> Failure | None:
        try:
            answer = run_isolated(order, "a trial", lambda said: None, seconds, Path(self._folder.name))
        except ChildEndedError as error:
            return Failure(HANGS) if error.code is None else _died(error.code)
        assert isinstance(answer, ProgramEnded)
        return answer.failure


def _end_group(process: "subprocess.Popen[str]") -> None:
    kill_group(process)
    if process.stdout is not None:
        process.stdout.close()


def _from_process(code: int, printed: str) -> Failure | None:
    if code == 0:
        return None
    facts = _FACTS.search(printed)
    if facts is None:
        return _died(code)
    error, frame, said, message = facts.groups()
    return Failure(RAISES, error, frame, said, message)


def _died(code: int) -> Failure:
    try:
        name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    except ValueError:
        name = f"signal {-code}"
    return Failure(DIES, name)
