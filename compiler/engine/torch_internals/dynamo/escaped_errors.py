"""Hook: what leaves Dynamo as an error: frames it gives up, recompile limits, and with ``fullgraph=True`` the break."""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._dynamo import convert_frame, exc

from compiler.engine.records.recorder import BreakRecord, Recorder
from compiler.engine.torch_internals.dynamo.graph_breaks import (
    RESUME,
    came_of,
    head_of,
    note_break,
    traced_lines,
)
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.capture.frames import BreakCategory

GIVES = "frames given up, recompile limits, errors of fullgraph=True"
NEEDS = (
    "torch._dynamo.convert_frame:_compile",
    "torch._dynamo.convert_frame:ConvertFrameAssert.__call__",
    "torch._dynamo.convert_frame:CatchErrorsWrapper.__call__",
    "torch._dynamo.convert_frame:has_tensor_in_frame",
)
_WAYS_OUT = (exc.Unsupported, exc.UserError)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record what Dynamo raised out of a frame, and whether the program saw it."""

    def compile_frame(code: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        try:
            return original(code, *args, **kwargs)
        except _WAYS_OUT as error:
            with recorder.reading("frames given up"):
                record = note_break(recorder, error, recorder.names.now(str(kwargs["compile_id"])))
                if not record.locations:  # torch raised before it traced anything
                    record.stack = (*record.stack, head_of(code))
                came_of(recorder, record)
                led: BreakRecord | None = record
                # of a resume function, what stands before it in its function was compiled
                rest = code.co_name.startswith(RESUME)
                while led is not None:
                    led.skipped_frame, led.rest_eager, led = True, rest, led.cause
            raise

    def convert_assert(converter: Any, frame: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        try:
            return original(converter, frame, *args, **kwargs)
        except _WAYS_OUT as error:
            with recorder.reading("frames given up"):
                if converter._export and error in recorder.reported:
                    recorder.reported[error].sort = BreakCategory.EXPORT
                # refused before Dynamo began to compile it, and before it looked whether a tensor is in it: where none is, in
                # generators of Python's own library above all, nothing is lost, and torch logs no break
                if error not in recorder.reported and convert_frame.has_tensor_in_frame(frame):
                    record = note_break(recorder, error, "")
                    record.sort, record.skipped_frame = BreakCategory.SKIPPED_FRAME, True
                    record.stack = (*record.stack, head_of(frame.f_code))
            raise

    def convert(wrapper: Any, frame: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        try:
            result = original(wrapper, frame, *args, **kwargs)
        except Exception as error:
            with recorder.reading("errors"):
                _seen_by_program(recorder, error, frame.f_code)
            raise
        given_up = [
            record
            for record in recorder.frames[-1:]
            if record.error and record.code is frame.f_code and _is_skipped(result)
        ]
        for record in given_up:
            record.given_up = True
        return result

    with around(NEEDS[0], compile_frame), around(NEEDS[1], convert_assert), around(NEEDS[2], convert):
        yield


def _is_skipped(result: Any) -> bool:
    """Whether a frame runs as it is; before torch 2.12 the answer tells that by having no code, without a reason."""
    if hasattr(result, "skip_reason"):
        return bool(result.skip_reason)
    return getattr(result, "guarded_code", None) is None


def _seen_by_program(recorder: Recorder, error: BaseException, code: Any) -> None:
    """Torch.compile raises: that is the break of a capture with ``fullgraph=True``, or what torch fails at in any."""
    seen: BaseException | None = error
    while seen is not None and not (type(seen).__hash__ is not None and seen in recorder.reported):
        seen = seen.__cause__
    if seen is not None:
        record = recorder.reported[seen]
    elif isinstance(error, exc.TorchDynamoException):
        frame = recorder.frames[-1].id if recorder.frames and recorder.frames[-1].code is code else ""
        record = note_break(recorder, error, frame)
        if not record.locations and not traced_lines(error):
            record.stack = (*record.stack, head_of(code))
    else:
        return
    if record.sort is not BreakCategory.EXPORT:
        wanted = isinstance(seen or error, _WAYS_OUT)
        record.sort = BreakCategory.ERROR if wanted else BreakCategory.FAILURE
    record.skipped_frame = False
