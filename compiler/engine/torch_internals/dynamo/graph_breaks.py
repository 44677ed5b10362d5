"""Hook: every graph break, with torch's own registry id, explanation and hints."""

import contextlib
import itertools
import linecache
import sys
import traceback
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch._guards
from torch._dynamo import exc as dynamo_errors

from compiler.engine.file_ownership import is_linked
from compiler.engine.fx.running_node import rows_behind
from compiler.engine.fx.stack_in import stack_in
from compiler.engine.records.recorder import BreakRecord, Recorder, StopRecord
from compiler.engine.torch_internals.dynamo.node_creation import locations_of
from compiler.engine.torch_internals.dynamo.traced_steps import definition_line, stop_of
from compiler.engine.torch_internals.patch.patching import around, is_there
from compiler.model.capture.frames import BreakCategory
from compiler.model.graph_breaks import registry_ids as ids
from compiler.model.ir.graph import SourceLine

GIVES = "graph breaks"
NEEDS = (
    "torch._dynamo.exc:format_graph_break_message",
    "torch._dynamo.symbolic_convert:InstructionTranslatorBase.log_graph_break",
)
_REGISTRY = "torch._dynamo.exc:_load_gb_type_to_gb_id_map"
_LATER = "\n\n*** While handling this graph break, another graph break occurred: ***\n\n"
_HOOKS = str(Path(__file__).resolve().parents[1])
_ENGINE = str(Path(__file__).resolve().parents[2])
_NO_WAY_ON = "Encountered graph break that we cannot resume from"
RESUME = "torch_dynamo_resume_in_"
_REFUSALS = (ids.INLINED_SKIPPED, ids.INLINED_SKIPPED_VARIABLE, ids.INLINED_DISABLED, ids.CALLED_DISABLED)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each break as Dynamo logs it, before the frame is cut there."""

    def format_message(gb_type: str, context: str, explanation: str, hints: Any, *, original: Any) -> str:
        message = str(original(gb_type, context, explanation, hints))
        recorder.break_parts[message] = (gb_type, context, explanation, tuple(map(str, hints)))
        return message

    def log_break(translator: Any, code_options: Any, reason: str, exc: Any, *, original: Any) -> Any:
        if not getattr(exc, "logged", False):
            with recorder.reading("graph breaks"):
                frame = recorder.frame.id if recorder.frame is not None else ""
                record = note_break(recorder, exc, frame, reason)
                record.rest_eager = reason.startswith(_NO_WAY_ON)
                if record.rest_eager:
                    came_of(recorder, record)
                if not record.locations:
                    record.locations = locations_of(recorder, translator)
                where = record.stack[-1] if record.stack else None
                recorder.stop_here("graph break", record.reason, where)
        return original(translator, code_options, reason=reason, exc=exc)

    with around(NEEDS[0], format_message), around(NEEDS[1], log_break):
        yield


def note_break(recorder: Recorder, error: BaseException, frame: str, reason: str = "") -> BreakRecord:
    """The break that an error of torch's is; what it came from is recorded before it. An error is reported once."""
    if error in recorder.reported:
        return recorder.reported[error]
    message = str(getattr(error, "msg", "")) or str(error) or reason
    stop, stack = stop_of(recorder, error), _stack_of(error)
    cause: BreakRecord | None = None
    under = error.__cause__
    if isinstance(under, dynamo_errors.UserError):
        cause = _record(recorder, str(under), frame, stack, stop)
    for piece in message.split(_LATER):
        earlier, cause = cause, _record(recorder, piece, frame, stack, stop)
        cause.cause = earlier
    assert cause is not None
    gb_type = getattr(error, "gb_type", None)
    if gb_type and not cause.registry_id:
        cause.kind, cause.registry_id = str(gb_type), _registry_id(str(gb_type))
        cause.sort = _sort(cause.registry_id, stop)
    recorder.reported[error] = cause
    return cause


def came_of(recorder: Recorder, record: BreakRecord) -> None:
    """A frame ends at its first break, so what stops Dynamo after it came of cutting the frame there (what was on the stack cannot
    be made again).
    """
    earlier = itertools.takewhile(lambda other: other is not record, recorder.breaks)
    same = [other for other in earlier if other.frame == record.frame]
    if record.frame and record.cause is None and same:
        record.cause = same[-1]


def _record(
    recorder: Recorder, message: str, frame: str, stack: tuple[SourceLine, ...], stop: StopRecord
) -> BreakRecord:
    kind, context, explanation, hints = _parts_of(recorder, message)
    registry_id = _registry_id(kind)
    record = BreakRecord(
        frame=frame,
        kind=kind,
        reason=message,
        registry_id=registry_id,
        explanation=explanation,
        context=context,
        hints=hints,
        stack=stack,
        locations=stop.locations,
        sort=_sort(registry_id, stop),
        symbolic_stack=stop.symbolic_stack,
        callee=stop.callee,
    )
    recorder.breaks.append(record)
    return record


def _parts_of(recorder: Recorder, message: str) -> tuple[str, str, str, tuple[str, ...]]:
    """What a message was made of. torch may have added to it since (a generator's frame is skipped): then the beginning tells."""
    found = recorder.break_parts.get(message)
    if found is None:
        begun = [known for known in recorder.break_parts if message.startswith(f"{known}\n\n")]
        found = recorder.break_parts[max(begun, key=len)] if begun else None
    return found or (_headline(message), "", "", ())


def _headline(message: str) -> str:
    """The first line of a message, with the second where the first only announces it: ``backend='inductor' raised:``."""
    first, *others = [line.strip() for line in message.splitlines() if line.strip()] or ["Graph break"]
    return f"{first} {others[0]}" if first.endswith(":") and others else first


def _registry_id(kind: str) -> str:
    registry = dynamo_errors._load_gb_type_to_gb_id_map() if is_there(_REGISTRY) else {}
    return str(registry.get(kind) or ids.id_of_text(kind))


def _sort(registry_id: str, stop: StopRecord) -> BreakCategory:
    if registry_id == ids.BREAK_IN_LOOP:
        return BreakCategory.LOOP
    if registry_id == ids.RECOMPILE_LIMIT:
        return BreakCategory.RECOMPILE_LIMIT
    if registry_id in _REFUSALS or (registry_id == ids.CALLED_SKIPPED and stop.calls_python):
        return BreakCategory.INLINING_REFUSED
    return BreakCategory.BREAK


def _stack_of(error: Any) -> tuple[SourceLine, ...]:
    """The user's stack at the break: the user's lines that led to the frame, then what Dynamo traced into."""
    lines = [(item.filename, item.lineno or 0, item.name, item.line or "") for item in traced_lines(error)]
    return _collapsed([*_running(), *lines])


def traced_lines(error: Any) -> Sequence[traceback.FrameSummary]:
    """Where in the program torch was when it raised, innermost last."""
    return (
        getattr(error, "real_stack", None)
        or torch._guards.TracingContext.extract_stack()
        or stack_in(str(error))
        or rows_behind(error)
    )


def callers_of(code: types.CodeType) -> tuple[SourceLine, ...]:
    """The lines that are running now and called a function, innermost last; the function that it continues is none of them."""
    here = (code.co_filename, definition_line(code), code.co_name, "")
    return _collapsed([*_running(), here])[:-1]


def _running() -> list[tuple[str, int, str, str]]:
    found: list[tuple[str, int, str, str]] = []
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not _is_engine(frame.f_code.co_filename):
        code = frame.f_code
        if is_linked(code.co_filename):
            text = linecache.getline(code.co_filename, frame.f_lineno or 0).strip()
            found.append((code.co_filename, frame.f_lineno or 0, code.co_name, text))
        frame = frame.f_back
    return found[::-1]


def _collapsed(lines: list[tuple[str, int, str, str]]) -> tuple[SourceLine, ...]:
    """A resume function is called by the frame it continues: of both only the line reached is reported."""
    found: list[SourceLine] = []
    for path, line, name, text in lines:
        plain = plain_name(name)
        if plain != name and found and (found[-1].path, found[-1].function) == (path, plain):
            found.pop()
        found.append(SourceLine(path, line, plain, text))
    return tuple(found)


def head_of(code: types.CodeType) -> SourceLine:
    """The line on which a function begins."""
    path, line = code.co_filename, definition_line(code)
    return SourceLine(path, line, plain_name(code.co_name), linecache.getline(path, line).strip())


def _is_engine(path: str) -> bool:
    """Whether a file is what runs the program for a capture."""
    return path.startswith(_ENGINE) and not path.startswith(_HOOKS)


def plain_name(name: str) -> str:
    """The function's own name, for a resume function that of the function it continues."""
    return name.removeprefix(RESUME).rpartition("_at_")[0] if name.startswith(RESUME) else name
