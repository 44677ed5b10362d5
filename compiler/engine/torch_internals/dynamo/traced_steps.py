"""Hook: every instruction that Dynamo steps over: which, what it stored, and where it could not go on.

This runs for each instruction that is traced, so it does as little as can be: what is read, is read only at stores
into variables that are not torch's own and when torch raises.
"""

import contextlib
import dis
import functools
import linecache
import re
import time
import types
from collections.abc import Iterator
from typing import Any

from torch._dynamo import exc

from compiler.engine.file_ownership import is_linked
from compiler.engine.records.recorder import Attempt, CodeId, Recorder, StopRecord
from compiler.engine.torch_internals.dynamo.node_creation import locations_of
from compiler.engine.torch_internals.dynamo.tracked_variables import (
    called_name,
    callee_of,
    function_of,
    on_stack,
    size_of,
)
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.protocol.progress import Phase

GIVES = "traced lines, sizes of variables, symbolic stacks"
NEEDS = ("torch._dynamo.symbolic_convert:InstructionTranslatorBase.step",)
_STORES = frozenset(
    dis.opmap[name]
    for name in (
        "STORE_FAST",
        "STORE_DEREF",
        "STORE_NAME",
        "STORE_GLOBAL",
        "STORE_FAST_STORE_FAST",
        "STORE_FAST_LOAD_FAST",
    )
    if name in dis.opmap
)
_DEFINITION = re.compile(r"\s*(async\s+)?def\s")
_MOST_DECORATOR_LINES = 50
_REPORT_SECONDS = 0.5
_NO_STOP = (exc.RestartAnalysis, exc.SkipFrame, exc.ObservedException)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note each instruction; at a store what was stored; at an error where it came from."""
    linked: dict[CodeId, bool] = {}
    standing = recorder.standing

    reported_at = time.monotonic()

    def step(translator: Any, *, original: Any) -> Any:
        nonlocal reported_at
        pointer = translator.instruction_pointer
        frame = recorder.frame
        if pointer is None or frame is None or not frame.attempts:
            return original(translator)
        instruction = translator.instructions[pointer]
        reported_at = _reported(recorder, frame, translator, instruction, reported_at)
        attempt = frame.attempts[-1]
        code = recorder.keep_code(translator.f_code)
        offset = instruction.offset
        if offset is not None:
            key = code, offset
            attempt.traced.add(key)
            if key not in recorder.positions:
                recorder.positions[key] = instruction.positions
        standing.append((translator, instruction, tuple(translator.stack)))
        try:
            result = original(translator)
        except exc.TorchDynamoException as error:
            if not isinstance(error, _NO_STOP):
                stop_of(recorder, error)
            raise
        finally:
            _, _, stack = standing.pop()
        if offset is not None and instruction.opcode in _STORES and stack:
            if code not in linked:
                linked[code] = is_linked(translator.f_code.co_filename)
            if linked[code]:
                with recorder.reading("sizes of variables"):
                    _note_store(attempt, translator.f_code.co_filename, instruction, stack)
        return result

    _definition_line.cache_clear()  # the file may have changed since
    with around(NEEDS[0], step):
        yield


def _reported(recorder: Recorder, frame: Any, translator: Any, instruction: Any, before: float) -> float:
    """Now and then where Dynamo is: a loop without end ends here, and no stack shows the line. When it was reported last."""
    now = time.monotonic()
    positions = instruction.positions
    if now - before < _REPORT_SECONDS or positions is None or positions.lineno is None:
        return before
    where = f"{translator.f_code.co_filename}:{positions.lineno}"
    recorder.report_progress(f"Dynamo reads {frame.name} [{frame.id}] at {where}", Phase.DYNAMO)
    recorder.met()
    return now


def stop_of(recorder: Recorder, error: BaseException) -> StopRecord:
    """Where an error of Dynamo's was raised: noted at the innermost call, and kept for every error raised over it."""
    seen: BaseException | None = error
    while seen is not None:
        # torch has exceptions that are dataclasses and have no hash
        if type(seen).__hash__ is not None and seen in recorder.stops:
            recorder.stops[error] = recorder.stops[seen]
            return recorder.stops[error]
        seen = seen.__context__ if seen.__context__ is not seen else None
    stop = StopRecord()
    if recorder.standing:
        with recorder.reading("symbolic stacks"):
            stop = _read_stop(recorder, *recorder.standing[-1])
    recorder.stops[error] = stop
    return stop


def _read_stop(recorder: Recorder, translator: Any, instruction: Any, stack: tuple[Any, ...]) -> StopRecord:
    stop = StopRecord(locations_of(recorder, translator))
    with recorder.reading("symbolic stacks"):
        stop.symbolic_stack = tuple(on_stack(value) for value in stack)
        callee = callee_of(instruction, stack)
        if callee is not None:
            stop.callee = called_name(callee)
            stop.calls_python = hasattr(function_of(callee), "__code__")
    return stop


def _note_store(attempt: Attempt, path: str, instruction: Any, stack: tuple[Any, ...]) -> None:
    names = instruction.argval
    if instruction.opname == "STORE_FAST_LOAD_FAST":
        names = names[:1]
    line = instruction.positions.lineno if instruction.positions is not None else None
    if line is None:
        return
    for index, name in enumerate((names,) if isinstance(names, str) else names):
        note_size(attempt, path, line, name, stack[-1 - index])


def note_size(attempt: Attempt, path: str, line: int, name: str, value: Any) -> None:
    """Note a variable's size on a line, unless it is no tensor and no symbolic number, or was just noted there."""
    found = size_of(value)
    if not found[0]:
        return
    known = attempt.sizes.setdefault((path, line, name), [])
    if not known or known[-1][0] != found[0]:
        known.append(found)


def definition_line(code: types.CodeType) -> int:
    """The line of a function's ``def``; Python counts its decorators to it. A lambda or a comprehension begins where it
    stands, and so does generated code.
    """
    if code.co_name.startswith("<"):
        return code.co_firstlineno
    return _definition_line(code.co_filename, code.co_firstlineno)


@functools.lru_cache(maxsize=4096)
def _definition_line(path: str, first: int) -> int:
    if not linecache.getline(path, first).lstrip().startswith("@"):
        return first
    decorated = range(first + 1, first + _MOST_DECORATOR_LINES)
    return next((line for line in decorated if _DEFINITION.match(linecache.getline(path, line))), first)
