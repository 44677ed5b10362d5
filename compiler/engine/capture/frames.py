"""What Dynamo did with each frame, as plain data: the frames, what was inlined into them, the sizes of variables."""

import dataclasses

from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.link_tables import marked_nodes
from compiler.engine.records.recorder import CallRecord, FrameRecord, Recorder
from compiler.engine.stage_ids import dynamo_graph_id, rewritten_id
from compiler.model.capture.frames import BreakCategory, Frame, GraphBreak, InlinedCall, VariableSize

_MOST_CALLS = 3000
"""Of one frame: what a tree can show."""


def frames_of(
    recorder: Recorder, code_stages: CodeStages, breaks: tuple[GraphBreak, ...]
) -> tuple[Frame, ...]:
    """Frames in the order Dynamo met them, then those it never began."""
    graphs = {dynamo_graph.compile_id for dynamo_graph in recorder.dynamo_graphs}
    owned: dict[str, list[GraphBreak]] = {}
    for item in breaks:
        owned.setdefault(item.frame, []).append(item)
    frames = [_frame(recorder, record, code_stages, graphs, owned) for record in recorder.frames]
    compiled = {id(record.code) for record in recorder.frames}
    skipped = {
        (id(skip.code), skip.reason): skip.code for skip in recorder.skips if id(skip.code) not in compiled
    }
    for number, ((_, reason), code) in enumerate(skipped.items(), 1):
        name, path, line = code.co_name, code.co_filename, code.co_firstlineno
        frames.append(Frame(f"skipped-{number}", name, path, line, skip_reason=reason))
    return tuple(frames)


def _frame(
    recorder: Recorder,
    record: FrameRecord,
    code_stages: CodeStages,
    graphs: set[str],
    owned: dict[str, list[GraphBreak]],
) -> Frame:
    resumed = recorder.resumes.get(id(record.code))
    tree = recorder.guards.get(record.id)
    given_up = _given_up(owned[record.id]) if owned.get(record.id) else record.error
    return Frame(
        id=record.id,
        name=record.name,
        path=record.code.co_filename,
        line=record.code.co_firstlineno,
        original=code_stages.stage(record.code),
        rewritten=rewritten_id(record.id) if record.rewritten is not None else "",
        graph=dynamo_graph_id(record.id, "dynamo") if record.id in graphs and not record.given_up else "",
        parent=resumed[1] if resumed else "",
        breaks=tuple(item.id for item in owned.get(record.id, ())),
        restarts=tuple(attempt.restart for attempt in record.attempts if attempt.restart),
        recompile_reasons=record.recompile_reasons,
        guards=tree.count if tree is not None and not record.error else 0,
        error="" if record.given_up else record.error,
        skip_reason=given_up if record.given_up else record.skip_reason,
        seconds=record.seconds,
        calls=tuple(_merged(_calls(record)[:_MOST_CALLS])),
        caller=record.caller,
        caches=_caches(recorder, record.id),
        callers=record.callers,
    )


def _given_up(breaks: list[GraphBreak]) -> str:
    """Why Dynamo gave a frame up: its last break, or what that followed from."""
    last = breaks[-1]
    cause = next((item for item in breaks if item.id == last.caused_by), last)
    within = " in a loop" if last.sort is BreakCategory.LOOP and cause is not last else ""
    return f"graph break{within}: {cause.kind}"


def _caches(recorder: Recorder, compile_id: str) -> tuple[str, ...]:
    """What torch's graph caches gave, in words, by cache."""
    found: dict[str, list[str]] = {}
    graphs = (graph for graph in reversed(recorder.dynamo_graphs) if graph.compile_id == compile_id)
    graph = next(graphs, None)
    for (cache, outcome), count in graph.caches.items() if graph is not None else ():
        found.setdefault(cache, []).append(f"{count} {outcome}")
    return tuple(f"{cache}: {', '.join(outcomes)}" for cache, outcomes in found.items())


def _calls(record: FrameRecord) -> list[CallRecord]:
    """The calls of the attempt that counts, and those that earlier attempts had to leave: a break was inside."""
    if not record.attempts:
        return []
    *earlier, last = record.attempts
    reported = {_shape(call) for call in last.calls}
    left = [
        call for attempt in earlier for call in attempt.calls if call.refused and _shape(call) not in reported
    ]
    return [*last.calls, *{_shape(call): call for call in left}.values()]


def _merged(calls: list[CallRecord], times: int = 1) -> list[InlinedCall]:
    """Calls with equal ones in a row from the same line reported as one; `times` of the call they are inside of."""
    reported: list[InlinedCall] = []
    index = 0
    while index < len(calls):
        first = _subtree(calls, index)
        end, again = index + len(first), 1
        shape = [_shape(call) for call in first]
        inside = [list(first)]
        while (later := _subtree(calls, end)) and [_shape(call) for call in later] == shape:
            inside.append(later)
            end, again = end + len(later), again + 1
        summed = [
            dataclasses.replace(group[0], nodes=sum(call.nodes for call in group))
            for group in zip(*inside, strict=True)
        ]
        reported.append(_call(summed[0], again * times))
        reported += _merged(summed[1:], again * times)
        index = end
    return reported


def _subtree(calls: list[CallRecord], index: int) -> list[CallRecord]:
    """A call and the deeper ones after it; nothing at the end."""
    end = index + 1
    while end < len(calls) and calls[end].depth > calls[index].depth:
        end += 1
    return calls[index:end]


def _shape(call: CallRecord) -> tuple[object, ...]:
    return (call.path, call.line, call.depth, call.caller_path, call.caller_line, call.refused)


def _call(call: CallRecord, times: int) -> InlinedCall:
    return InlinedCall(
        call.name,
        call.path,
        call.line,
        call.depth,
        call.caller_path,
        call.caller_line,
        call.nodes,
        call.refused,
        times,
    )


def variables_of(recorder: Recorder) -> tuple[VariableSize, ...]:
    """Sizes of the user's variables, line by line; of a frame only the attempt that counts."""
    dynamo_graphs = {dynamo_graph.compile_id: dynamo_graph for dynamo_graph in recorder.dynamo_graphs}
    found = []
    for frame in recorder.frames:
        if not frame.attempts or frame.error or frame.id not in dynamo_graphs:
            continue
        marked = marked_nodes(dynamo_graphs[frame.id])
        for (path, line, name), stored in frame.attempts[-1].sizes.items():
            node = marked.get(stored[-1][1], "")
            text = " → ".join(size for size, _ in stored[:4])
            found.append(VariableSize(path, line, name, text, frame.id, node))
    return tuple(found)
