"""Hook: every call that Dynamo traces into the graph of its caller, and every one it refuses to go into."""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._dynamo import exc

from compiler.engine.file_ownership import is_linked
from compiler.engine.records.recorder import Attempt, CallRecord, Recorder
from compiler.engine.torch_internals.dynamo.traced_steps import definition_line, note_size
from compiler.engine.torch_internals.patch.patching import around

GIVES = "inlined calls"
NEEDS = (
    "torch._dynamo.symbolic_convert:InliningInstructionTranslator.inline_call_",
    "torch._dynamo.symbolic_convert:InliningInstructionTranslator.check_inlineable",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each call with the nodes made inside it."""

    def inline(translator: Any, *, original: Any) -> Any:
        frame = recorder.frame
        if frame is None or not frame.attempts:
            return original(translator)
        attempt = frame.attempts[-1]
        begun: list[CallRecord] = []
        with recorder.reading("inlined calls"):
            begun += _begin(recorder, attempt, translator.f_code, translator.parent)
            _note_arguments(attempt, translator)
        before = len(attempt.node_locations)
        try:
            return original(translator)
        except exc.Unsupported as error:
            for record in begun:
                record.refused = f"graph break inside: {_kind(error)}"
            raise
        finally:
            for record in begun:
                record.nodes = 0 if record.refused else len(attempt.node_locations) - before

    def check(func: Any, *, original: Any) -> Any:
        try:
            return original(func)
        except exc.Unsupported as error:
            frame = recorder.frame
            if frame is not None and frame.attempts and recorder.standing:
                with recorder.reading("refused calls"):
                    attempt, parent = frame.attempts[-1], recorder.standing[-1][0]
                    for record in _begin(recorder, attempt, func.get_code(), parent):
                        record.refused = _kind(error)
            raise

    with around(NEEDS[0], inline), around(NEEDS[1], check):
        yield


def _begin(recorder: Recorder, attempt: Attempt, code: Any, parent: Any) -> list[CallRecord]:
    instruction = parent.current_instruction
    line = instruction.positions.lineno if instruction.positions is not None else None
    record = CallRecord(
        code.co_name,
        code.co_filename,
        code.co_firstlineno,
        1 + _depth(parent),
        parent.f_code.co_filename,
        line or parent.lineno or 0,
    )
    attempt.calls.append(record)
    return [record]


def _depth(translator: Any) -> int:
    depth = 0
    while getattr(translator, "parent", None) is not None:
        translator, depth = translator.parent, depth + 1
    return depth


def _note_arguments(attempt: Attempt, translator: Any) -> None:
    """Sizes of what a function was called with, on its first line."""
    code = translator.f_code
    if translator.instruction_pointer or not is_linked(code.co_filename):
        return  # a generator that goes on
    count = code.co_argcount + code.co_kwonlyargcount
    for name in code.co_varnames[:count]:
        if name in translator.symbolic_locals:
            value = translator.symbolic_locals[name]
            note_size(attempt, code.co_filename, definition_line(code), name, value)


def _kind(error: Any) -> str:
    return str(getattr(error, "gb_type", "") or error.msg).strip().split("\n")[0]
