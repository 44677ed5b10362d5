"""Whether the code that a capture shows runs a second time: a program that counts its calls, or fills a store of a library's at the first,
is compiled again at the next.
"""

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.dynamo_guards import cache_entries
from compiler.engine.torch_internals.dynamo_guards.process_state import KINDS, ProcessState
from compiler.model.capture.guards import FailedGuard
from compiler.model.ir.diagnostics import Problem, Severity

_TENSOR = "TENSOR_MATCH"
"""A guard on a tensor, of its kind too, which is another in autocast and on another default device."""

_MOST = 200
"""Characters of a guard."""


def not_run_again(recorder: Recorder, before: ProcessState) -> tuple[Problem, ...]:
    """To be asked after the call that compiled, while all is as that left it: what the program's first frame was called with is tried on
    its guards. `before` is how the call began: what the program sets around a frame (gradients off, autocast, a device) and puts back is
    so at the next call as well.
    """
    if recorder.top_code is None:
        return ()
    entries = cache_entries.entries_of(recorder.top_code)
    if not entries:
        return ()
    name = str(entries[0].compile_id)
    first, failed = cache_entries.all_failures(entries[0], recorder.top_locals, recorder.guards.get(name))
    if not first or any(cache_entries.first_failure(one, recorder.top_locals) is None for one in entries[1:]):
        return ()
    if before.holds() and any(row.kind in KINDS for row in failed):
        failed = tuple(row for row in failed if row.kind not in (*KINDS, _TENSOR))
        if not failed:
            return ()
        first = failed[0].code
    guard = next((row for row in failed if row.code and row.code in first), None)
    if guard is not None and guard.line is not None:
        path, line = guard.line.path, guard.line.line
    else:
        path, line = recorder.top_code.co_filename, recorder.top_code.co_firstlineno
    what = f"{name} runs at the first call only: after that a guard of it does not hold ({_said(guard, first)}), and the next call compiles again."
    remedy = (
        "What the program does at its first call only, it can do before it is captured (call it once in its file); "
        "loupe recompiles says what later calls compile."
    )
    return (Problem(what, remedy, path=path, line=line, severity=Severity.NOTE),)


def _said(guard: FailedGuard | None, first: str) -> str:
    said = guard.reason or guard.code if guard is not None else first
    return said if len(said) <= _MOST else f"{said[: _MOST - 1]}…"
