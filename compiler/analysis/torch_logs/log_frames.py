"""Frames, recompiles and how each compile ended, from what torch measured of it."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from compiler.analysis.torch_logs.log_functions import Function
from compiler.analysis.torch_logs.records.interned_strings import integer_of, text_of, texts_in, user_part
from compiler.analysis.torch_logs.records.process_log import CompileLog
from compiler.model.capture.frames import Frame, GraphBreak
from compiler.model.capture.guards import RecompileRecord, TriedEntry
from compiler.model.capture.log_facts import LogStatus
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage, StageKind

_RESUME = re.compile(r"^torch_dynamo_resume_in_(.*)_at_(\d+)$")
_TRIED = re.compile(r"^(!?[\d/-]+): (.*)$", re.DOTALL)
LEFT_ALONE = "Dynamo left it to Python; the log does not say why"
_LONGEST = 4000
_LONGEST_TIME = 1e12


def frame_of(
    log: CompileLog,
    function: Function,
    stages: list[Stage],
    breaks: tuple[GraphBreak, ...],
    bytecode: tuple[StageId, StageId],
) -> Frame | None:
    """The frame of a compile; None where nothing says that there was one."""
    metrics = log.metrics[-1] if log.metrics else {}
    graph = next((stage.id for stage in stages if stage.kind is StageKind.DYNAMO_GRAPH), "")
    if not graph and not (function.name and (log.metrics or log.stack)):
        return None
    fail = text_of(metrics, "fail_reason")
    kind = text_of(metrics, "fail_type")
    seconds = metrics.get("entire_frame_compile_time_s")
    return Frame(
        log.id,
        function.name or "?",
        function.path,
        function.line,
        original=bytecode[0],
        rewritten=bytecode[1],
        graph=graph,
        breaks=tuple(item.id for item in breaks),
        restarts=restarts_of(log),
        recompile_reasons=tuple(log.reasons),
        guards=integer_of(metrics, "guard_count") or 0,
        error=f"{kind}: {fail}".removeprefix(": ") if kind or fail else "",
        skip_reason=LEFT_ALONE if not (graph or kind or fail) and _was_left_alone(metrics) else "",
        seconds=seconds_of(seconds),
    )


def _was_left_alone(metrics: Mapping[str, object]) -> bool:
    """Whether Dynamo came to no guarded code without a failure: torch logs the reason of live frames alone."""
    counts = ("graph_op_count", "guard_count")
    return all(name in metrics and metrics[name] is None for name in counts)


def seconds_of(value: object) -> float | None:
    """A time; None where it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _LONGEST_TIME else None


def restarts_of(log: CompileLog) -> tuple[str, ...]:
    """Why it was begun again, once for each time."""
    return tuple(reason[:_LONGEST] for row in log.metrics for reason in texts_in(row.get("restart_reasons")))


def recompile_of(log: CompileLog, name: str) -> RecompileRecord | None:
    """The recompile that a compile was; None for a first one."""
    reasons = log.reasons
    if not reasons:
        return None
    entries = []
    for reason in reasons:
        found = _TRIED.match(reason)
        entries.append(TriedEntry(found[1], note=found[2].strip()) if found else TriedEntry("", note=reason))
    return RecompileRecord(log.id, name, tuple(entries))


def status_of(log: CompileLog) -> LogStatus:
    """How it ended, by the rules that tlparse goes by."""
    rows = log.metrics
    failed = [row for row in rows if row.get("fail_type") is not None]
    failures = tuple(f"{text_of(row, 'fail_type')}: {text_of(row, 'fail_reason')}" for row in failed)
    if not rows:
        status = "missing"
    elif failed:
        status = "error"
    elif any(not row.get("graph_op_count") for row in rows):
        status = "empty"
    elif any(row.get("restart_reasons") != [] for row in rows):
        status = "break"
    else:
        status = "ok"
    return LogStatus(log.torch_id, status, restarts_of(log), failures)


def with_parents(frames: list[Frame], breaks: list[GraphBreak]) -> Iterator[Frame]:
    """Resume functions with the frame whose break made them: the one that broke at that line of the file."""
    for frame in frames:
        found = _RESUME.match(frame.name)
        parent = ""
        if found is not None:
            place = (frame.path, int(found[2]))
            parent = next((item.frame for item in breaks if _broke_at(item) == place), "")
        yield msgspec.structs.replace(frame, parent=parent) if parent and parent != frame.id else frame


def _broke_at(item: GraphBreak) -> tuple[str, int] | None:
    stack = user_part(item.stack)
    return (stack[-1].path, stack[-1].line) if stack else None
