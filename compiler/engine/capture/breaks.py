"""Where Dynamo stopped, as plain data: breaks, frames it gave up or left alone, errors, limits."""

import msgspec

from compiler.engine.file_ownership import innermost, is_mine
from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.link_tables import marked_nodes
from compiler.engine.records.recorder import BreakRecord, Recorder, SkipRecord
from compiler.engine.torch_internals.dynamo.graph_breaks import head_of
from compiler.model.capture.frames import BreakCategory, GraphBreak, StackValue
from compiler.model.graph_breaks.break_summary import (
    describe_skip,
    never_traced,
    nothing_to_compile,
    skip_kind,
)
from compiler.model.graph_breaks.registry_ids import GRAPH_BREAK_CALL
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NodeId, Place, place

_AFTER_ERRORS = ("an error was suppressed during compilation", "compilation failed with ")
"""How the reasons begin of frames left alone because of an error, which is reported by itself."""


def breaks_of(recorder: Recorder, code_stages: CodeStages) -> tuple[GraphBreak, ...]:
    """Breaks in the order they were met, the same cause on the same line once, with a count; then frames left alone."""
    merged: dict[tuple[object, ...], list[BreakRecord]] = {}
    for record in (*recorder.breaks, *_skipped(recorder)):
        last = record.stack[-1] if record.stack else None
        location = (last.path, last.line) if last is not None else (record.locations and record.locations[0])
        merged.setdefault((record.frame, record.kind, record.sort, location), []).append(record)
    ids = {
        id(record): f"break-{number}" for number, group in enumerate(merged.values(), 1) for record in group
    }
    marked: dict[str, NodeId] = {}
    for dynamo_graph in recorder.dynamo_graphs:
        marked |= marked_nodes(dynamo_graph)
    return tuple(_break(group, ids, code_stages, marked) for group in merged.values())


def _break(
    group: list[BreakRecord],
    ids: dict[int, str],
    code_stages: CodeStages,
    marked: dict[str, NodeId],
) -> GraphBreak:
    first = group[0]
    reported = innermost(first.stack, lambda line: line.path)
    return GraphBreak(
        id=ids[id(first)],
        frame=first.frame,
        kind=first.kind,
        reason=first.reason,
        registry_id=first.registry_id,
        explanation=first.explanation,
        context=first.context,
        hints=_hints(first, reported),
        stack=first.stack,
        instruction=_instruction(first, code_stages),
        count=len(group),
        skipped_frame=any(record.skipped_frame for record in group),
        sort=first.sort,
        symbolic_stack=tuple(_with_node(value, marked) for value in first.symbolic_stack),
        callee=first.callee,
        caused_by=ids[id(first.cause)] if first.cause is not None else "",
        rest_eager=any(record.rest_eager for record in group),
        reported=reported,
    )


def _hints(record: BreakRecord, reported: SourceLine | None) -> tuple[str, ...]:
    """Torch's; none to take out a call that a library makes, as torch's optimizers do."""
    theirs = bool(record.stack) and reported != record.stack[-1]
    return () if theirs and record.registry_id == GRAPH_BREAK_CALL else record.hints


def _with_node(value: StackValue, marked: dict[str, NodeId]) -> StackValue:
    """A stacked value with the node's name in place of our mark; a node that no graph kept has only its name."""
    name = marked.get(value.node) or value.node.rpartition(":")[2].rpartition("/")[2]
    return msgspec.structs.replace(value, node=name) if value.node else value


def _instruction(record: BreakRecord, code_stages: CodeStages) -> Place | None:
    """The innermost instruction that a stage shows."""
    for location in record.locations:
        shown = code_stages.instruction(location)
        if shown is not None:
            return place(*shown)
    return None


def _skipped(recorder: Recorder) -> list[BreakRecord]:
    """Functions of the user's that Dynamo was asked to compile and left alone, for other reasons than a break. One that
    has nothing to compile is no break, nor is one of a library that Dynamo never traces (NumPy, a `__setattr__`), and torch
    logs none: it stands among the frames, with the reason.
    """
    found = []
    for skip in recorder.skips:
        if skip.reason.startswith(_AFTER_ERRORS) or nothing_to_compile(skip.reason):
            continue
        if never_traced(skip.reason) and not is_mine(skip.code.co_filename):
            continue
        frames = [
            frame for frame in recorder.frames if frame.code is skip.code and frame.skip_reason == skip.reason
        ]
        found.append(_skip(skip, frames[-1].id if frames else ""))
    return found


def _skip(skip: SkipRecord, frame: str) -> BreakRecord:
    head = head_of(skip.code)
    return BreakRecord(
        frame,
        skip_kind(skip.reason),
        skip.reason,
        explanation=describe_skip(skip.reason),
        stack=(*skip.callers, head),
        skipped_frame=True,
        sort=BreakCategory.SKIPPED_FRAME,
    )
