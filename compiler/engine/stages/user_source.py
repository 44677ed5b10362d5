"""The user's files and those of libraries: which lines Dynamo read, and which ended up in which graph."""

import types
from collections import defaultdict

from compiler.engine.file_ownership import is_linked, is_mine
from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.provenance.source_files import in_order, source_stage
from compiler.engine.records.recorder import FrameRecord, InstructionLocation, Recorder
from compiler.engine.user_program.source_overrides import text_of
from compiler.model.ir.stage import Stage


def make(recorder: Recorder, code_stages: CodeStages) -> tuple[Stage, ...]:
    """Every file of a frame that was compiled, every other one that was inlined, torch's own left out, the user's that called
    one or were left alone, and those that an exported program in it was made of.
    """
    captured, traced, looked_at = _lines(recorder, code_stages)
    for path, line in _lines_of_stacks(recorder):
        captured[path].add(line)
    eager = _eager_lines(recorder, captured, traced)
    paths = {frame.code.co_filename for frame in recorder.frames}
    # while a backward is traced again Dynamo meets hundreds of functions of libraries (SymPy's), and leaves them alone
    paths |= {skip.code.co_filename for skip in recorder.skips if is_mine(skip.code.co_filename)}
    paths |= {code.co_filename for code in recorder.codes.values() if is_linked(code.co_filename)}
    paths |= {path for path, lines in captured.items() if lines and is_linked(path)}
    # a script that only calls what it compiled (a model of a library): its lines lead to it
    paths |= {line.path for frame in recorder.frames for line in frame.callers if is_mine(line.path)}
    return tuple(
        source_stage(path, text, captured[path], traced[path], looked_at[path], eager[path])
        for path in in_order(paths)
        if (text := text_of(path)) is not None
    )


def line_map(code: types.CodeType) -> dict[int, int]:
    """Offset → line of every instruction that has one."""
    lines = {}
    for start, end, line in code.co_lines():
        if line is not None:
            lines.update(dict.fromkeys(range(start, end, 2), line))
    return lines


def _lines(
    recorder: Recorder,
    code_stages: CodeStages,
) -> tuple[dict[str, set[tuple[int, str]]], dict[str, set[int]], dict[str, set[int]]]:
    """By file: lines that ended in a graph, lines that were traced, lines of all code that Dynamo looked at."""
    captured: dict[str, set[tuple[int, str]]] = defaultdict(set)
    traced: dict[str, set[int]] = defaultdict(set)
    looked_at: dict[str, set[int]] = defaultdict(set)
    maps = {key: line_map(code) for key, code in recorder.codes.items()}

    def line_at(location: InstructionLocation) -> int | None:
        offset = code_stages.offset(location)
        return None if offset is None else maps[location.code].get(offset)

    graphs = {dynamo_graph.compile_id for dynamo_graph in recorder.dynamo_graphs}
    for code in (*recorder.codes.values(), *(skip.code for skip in recorder.skips)):
        looked_at[code.co_filename] |= set(line_map(code).values())
    for frame in recorder.frames:
        for attempt in frame.attempts[-1:]:
            for key, number in attempt.traced if not _was_left(frame) else ():
                line = line_at(InstructionLocation(key, number))
                if line is not None:
                    traced[recorder.codes[key].co_filename].add(line)
            in_graph = frame.id in graphs and not frame.error
            for location in (
                location
                for locations in attempt.node_locations.values()
                for location in locations
                if in_graph
            ):
                line = line_at(location)
                if line is not None:
                    captured[recorder.codes[location.code].co_filename].add((line, frame.id))
    return captured, traced, looked_at


def _lines_of_stacks(recorder: Recorder) -> set[tuple[str, tuple[int, str]]]:
    """By file, the lines that torch notes of nodes, with the compile: of code that torch wrote itself no instruction tells them."""
    return {
        (line.path, (line.line, dynamo_graph.compile_id))
        for dynamo_graph in recorder.dynamo_graphs
        if dynamo_graph.part_of is None
        for graph in (dynamo_graph.dynamo, *dynamo_graph.bodies.values())
        for node in graph.nodes
        if node.op not in ("placeholder", "output")
        for line in node.stack
        if is_linked(line.path)
    }


def _was_left(frame: FrameRecord) -> bool:
    """Whether Dynamo gave the whole frame up: what it traced of it came to nothing."""
    return bool(frame.error or frame.skip_reason)


def _eager_lines(
    recorder: Recorder, captured: dict[str, set[tuple[int, str]]], traced: dict[str, set[int]]
) -> dict[str, set[int]]:
    """By file: lines of functions that ran eagerly as a whole, and that no other compile holds."""
    left = [frame.code for frame in recorder.frames if _was_left(frame)]
    found: dict[str, set[int]] = defaultdict(set)
    for code in (*left, *(skip.code for skip in recorder.skips)):
        found[code.co_filename] |= set(line_map(code).values())
    for path, lines in found.items():
        lines -= traced[path] | {line for line, _ in captured[path]}
    return found
