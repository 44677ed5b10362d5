"""What a process does for a trial: compile and run, and say how it failed."""

import contextlib
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.error_chain import chain
from compiler.engine.errors import EngineError, said
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.applied_changes import load_changed
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions
from compiler.model.capture.program_changes import ReplaceSource
from compiler.model.experiments.failures import OWN, RAISES, BreakMet, BreaksMet, Failure, ProgramEnded

_TORCH = Path(torch.__file__).parent
_LONGEST = 300
_NUMBERED = re.compile(r"\d+")
_FOLDERS = re.compile(r"/(?:[\w.+-]+/)+")
_OF_COMPILER = re.compile(r"\berror: (.*)")


def failure_of(error: BaseException) -> Failure:
    """The exception that torch raised first, and the innermost function of torch's that it passed."""
    first = _first(error)
    frames = [
        row for row in traceback.extract_tb(first.__traceback__) if Path(row.filename).is_relative_to(_TORCH)
    ]
    frame = ""
    if frames:
        frame = f"{Path(frames[-1].filename).relative_to(_TORCH)}: {frames[-1].name}"
    lines = [line for line in said(first).splitlines() if line.strip()]
    message = lines[0].strip() if lines else ""
    reported = ""
    if type(first).__name__ == "CppCompileError":
        found = _OF_COMPILER.search(said(first))
        message = found.group(1) if found else message
        reported = _NUMBERED.sub("#", re.sub(r"\([^()]*\)|<[^<>]*>|‘[^’]*’", "", message)).strip()
    return Failure(RAISES, type(first).__name__, frame, reported, _FOLDERS.sub("", message)[:_LONGEST])


def _first(error: BaseException) -> BaseException:
    """What torch says around an error of its own is taken off."""
    inner = getattr(error, "inner_exception", None)
    if isinstance(inner, BaseException):
        return _first(inner)
    causes = [found for found in chain(error) if found is not error]
    if (
        type(error).__name__ in ("BackendCompilerFailed", "InternalTorchDynamoError", "LoweringException")
        and causes
    ):
        return _first(causes[0])
    return error


def run_at_level(spec: CaptureSpec, level: str | None) -> ProgramEnded:
    """Load a program, compile it with a backend and run a step; with None as it is. Raises EngineError where it cannot be
    loaded.
    """
    ready = load_changed(spec)
    with settings.capturing(), ready.changes.active(), _quiet():
        torch.manual_seed(spec.run.seed)
        try:
            ready.stepper.step(_compiled(ready.program.callable, ready.options, level))
        except Exception as error:  # noqa: BLE001  how it fails is the answer
            return ProgramEnded(failure_of(error))
    return ProgramEnded()


def _compiled(
    function: Callable[..., object], options: CompileOptions, level: str | None
) -> Callable[..., object]:
    if level is None:
        return function
    own = level == OWN
    settings_of_inductor: dict[str, Any] = dict(options.options)
    compiled: Callable[..., object] = torch.compile(
        function,
        backend=options.backend if own else level,
        mode=options.mode if own else None,
        options=settings_of_inductor or None if own else None,
        dynamic=options.dynamic,
        fullgraph=options.fullgraph,
    )
    return compiled


def run_text(text: str) -> ProgramEnded:
    """The main part of a file that was written for it."""
    names = {"__name__": "__main__"}
    with settings.capturing(), _quiet():
        try:
            exec(compile(text, "<least program>", "exec"), names)
        except Exception as error:  # noqa: BLE001  how it fails is the answer
            return ProgramEnded(failure_of(error))
    return ProgramEnded()


def run_for_breaks(spec: CaptureSpec, path: str, text: str) -> BreaksMet:
    """The breaks of a program, one of whose files has another text, with Dynamo alone."""
    options = msgspec.structs.replace(spec.compile, backend="eager", mode=None, options=(), fullgraph=False)
    other = msgspec.structs.replace(spec, compile=options, changes=(*spec.changes, ReplaceSource(path, text)))
    try:
        with _quiet():
            capture = make_capture(other, "breaks", lambda reported: None).capture
    except EngineError as error:
        return BreaksMet(failed=error.problem.what)
    except Exception as error:  # noqa: BLE001  half a program may raise anything where it is loaded
        return BreaksMet(failed=f"{type(error).__name__}: {said(error)}")
    rows = [
        BreakMet(row.kind, row.registry_id, row.reason, row.where is not None and row.where.path == path)
        for row in capture.breaks
    ]
    return BreaksMet(tuple(rows))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What a trial prints is nobody's business; what it says when it dies is written past this."""
    with contextlib.redirect_stdout(sys.stderr):
        yield
