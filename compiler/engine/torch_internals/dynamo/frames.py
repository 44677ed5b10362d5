"""Hook: every frame that Dynamo compiles, its attempts, errors and skips."""

import contextlib
import os
import re
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch._dynamo import convert_frame, exc
from torch._dynamo.eval_frame import skip_code
from torch._dynamo.external_utils import wrap_inline
from torch._dynamo.types import ConvertFrameReturn

from compiler.engine.file_ownership import is_linked
from compiler.engine.records.recorder import Attempt, FrameRecord, Recorder, SkipRecord
from compiler.engine.torch_internals.dynamo.graph_breaks import callers_of
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.graph import SourceLine
from compiler.model.protocol.progress import Phase
from compiler.model.protocol.run_events import RUNNING

GIVES = "frames, bytecode, attempts"
NEEDS = (
    "torch._dynamo.convert_frame:_compile",
    "torch._dynamo.convert_frame:trace_frame",
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__",
    "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons",
    "torch._dynamo.convert_frame:FRAME_COMPILE_COUNTER",
    "torch._dynamo.convert_frame:sys",
    "torch._dynamo.eval_frame:skip_code",
    "torch._dynamo.external_utils:wrap_inline",
    "torch._dynamo.types:ConvertFrameReturn",
)

_ENGINE = f"{Path(__file__).parents[2]}{os.sep}"
_COMPILERS = tuple(
    f"{Path(torch.__file__).with_name(name)}{os.sep}" for name in ("_dynamo", "_functorch", "_inductor")
)
_CALLS_PROGRAMS = str(Path("_dynamo", "eval_frame.py"))
_WRAPPERS = tuple(
    made
    for made in wrap_inline.__code__.co_consts
    if isinstance(made, types.CodeType) and "fn" in made.co_freevars
)
MEANWHILE = (
    "Its guards hold, but it was not there yet when this call began: another thread compiled it while this one waited, and torch"
    " does not look again."
)
_NO_REASON = "Unexpected recompilation"
_TORCH_ID = re.compile(r"\d+/\d+")


class _SysWithoutHooks:
    """``sys`` as Dynamo's frame conversion uses it. Torch steps over its own file there, to see whether the wrapper of
    ``torch.compiler.disable(recursive=False)`` called a frame: behind a hook it found ours, and compiled what was disabled.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)

    @staticmethod
    def _getframe(depth: int = 0) -> types.FrameType:
        """The frame that torch's walk would come to without hooks: the first that is neither torch's conversion nor ours."""
        asked = sys._getframe(1 + depth)
        frame: types.FrameType | None = asked
        while frame is not None and frame.f_code.co_filename.startswith((_ENGINE, convert_frame.__file__)):
            frame = frame.f_back
        return frame or asked


@contextlib.contextmanager
def _walks_without_hooks() -> Iterator[None]:
    """While this is entered, where Dynamo walks Python's stack to see who called a frame, our hooks do not stand between."""
    with patch.object(convert_frame, "sys", _SysWithoutHooks()):
        yield


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record every frame in the order Dynamo begins it."""
    asked = threading.local()

    def settle() -> None:
        if not recorder.current_frames:
            recorder.report_progress(RUNNING, Phase.RUNNING)
            recorder.settled()

    def compile_frame(code: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        counted = sum(convert_frame.FRAME_COMPILE_COUNTER.values())
        compile_id = recorder.names.begin(str(kwargs["compile_id"]), counted)
        frame = FrameRecord(compile_id, code, caller=_caller(recorder), callers=callers_of(code))
        with recorder.reading("what a wrapper calls"):
            frame.called = _wrapped(code, args)
        recorder.stop_here("compile", f"{frame.name} is compiled [{compile_id}]", _first_line(code))
        frame.asked = getattr(asked, "at", 0.0)
        recorder.keep_code(code)
        recorder.frames.append(frame)
        recorder.current_frames.append(frame)
        recorder.report_progress(f"Dynamo reads {frame.name} [{frame.id}]", Phase.DYNAMO)
        recorder.made()
        started, waited = time.perf_counter(), recorder.waited
        try:
            result = original(code, *args, **kwargs)
        except BaseException as error:
            frame.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            frame.ended = time.perf_counter()
            frame.seconds = frame.ended - started - (recorder.waited - waited)
            recorder.current_frames.pop()
            if frame.error:
                settle()
        frame.skip_reason = str(getattr(result, "skip_reason", None) or "")
        guarded = getattr(result, "guarded_code", None)
        if guarded is not None:
            frame.rewritten = guarded.code
            recorder.keep_code(guarded.code)
        settle()
        return result

    def trace_frame(code: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        attempt = Attempt()
        if recorder.frame is not None:
            recorder.frame.attempts.append(attempt)
        try:
            return original(code, *args, **kwargs)
        except exc.RestartAnalysis as restart:
            attempt.restart = str(restart.restart_reason or type(restart).__name__)
            raise

    def convert(wrapper: Any, frame: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if _listens(frame.f_code):
            skip_code(frame.f_code)
            return ConvertFrameReturn()
        before, asked.at = getattr(asked, "at", 0.0), time.perf_counter()
        try:
            result = original(wrapper, frame, *args, **kwargs)
        finally:
            asked.at = before
        reason = getattr(result, "skip_reason", None)
        if reason and is_linked(frame.f_code.co_filename):
            with recorder.reading("skipped frames"):
                recorder.skips.append(SkipRecord(frame.f_code, str(reason), callers_of(frame.f_code)))
        return result

    def recompile_reasons(*args: Any, original: Any, **kwargs: Any) -> Any:
        reasons = original(*args, **kwargs)
        if recorder.frame is not None:
            frame = recorder.frame
            reported = tuple(
                _proved(_with_our_id(str(reason), recorder), recorder, frame) for reason in reasons or ()
            )
            frame.recompile_reasons = reported
            if reported:
                again = f"{frame.name} is compiled again [{frame.id}]: {reported[0]}"
                recorder.stop_here("recompile", again, _first_line(frame.code))
        return reasons

    with (
        around(NEEDS[0], compile_frame),
        around(NEEDS[1], trace_frame),
        around(NEEDS[2], convert),
        around(NEEDS[3], recompile_reasons),
        _walks_without_hooks(),
    ):
        yield


def _with_our_id(reason: str, recorder: Recorder) -> str:
    """Torch's reason, ``0/0: tensor 'x' …``, with the id that this compile has here."""
    torch_id, mark, words = reason.partition(": ")
    return recorder.names.now(torch_id) + mark + words if _TORCH_ID.fullmatch(torch_id) else reason


def compiled_meanwhile(recorder: Recorder, frame: FrameRecord, name: str) -> bool:
    """Whether another thread finished that compile while this call of the function waited for torch's lock: torch does not look
    at its guards again then.
    """
    earlier = next((found for found in recorder.frames if found.id == name), None)
    return earlier is not None and 0 < frame.asked < earlier.ended


def _proved(reason: str, recorder: Recorder, frame: FrameRecord) -> str:
    """Where torch says that it compiles again for no reason: why."""
    name, mark, words = reason.partition(": ")
    if words.startswith(_NO_REASON) and compiled_meanwhile(recorder, frame, name):
        return name + mark + MEANWHILE
    return reason


def _first_line(code: types.CodeType) -> SourceLine:
    return SourceLine(code.co_filename, code.co_firstlineno, code.co_name)


def _wrapped(code: types.CodeType, args: tuple[Any, ...]) -> str:
    """The class of the module, or the function, for which torch compiles a wrapper of its own, since it skips its own files:
    every ``nn.Sequential`` would be called ``inner``.
    """
    if code not in _WRAPPERS:
        return ""
    _globals, _locals, _builtins, closure = args[:4]
    called = closure[code.co_freevars.index("fn")].cell_contents
    owner = getattr(called, "__self__", called)
    if isinstance(owner, torch.nn.Module):
        return type(owner).__qualname__
    return str(getattr(called, "__qualname__", ""))


def _listens(code: types.CodeType) -> bool:
    """Whether a function is our own reading, called by torch: where a backward graph is compiled while the program runs, Dynamo
    looks at all that is called as if the program called it.
    """
    if not code.co_filename.startswith(_ENGINE):
        return False
    caller: types.FrameType | None = sys._getframe(1)
    while caller is not None and caller.f_code.co_filename.startswith((_ENGINE, contextlib.__file__)):
        caller = caller.f_back
    path = caller.f_code.co_filename if caller is not None else ""
    return path.startswith(_COMPILERS) and not path.endswith(_CALLS_PROGRAMS)


def _caller(recorder: Recorder) -> str:
    """The nearest frame on Python's stack that Dynamo has seen: it runs its own code, or what Dynamo made of it."""
    known = {
        id(code): record.id for record in recorder.frames for code in (record.code, record.rewritten) if code
    }
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if id(frame.f_code) in known:
            return known[id(frame.f_code)]
        frame = frame.f_back
    return ""
