"""The user's files: which lines Dynamo read, and which ended up in which graph."""

import types
from collections import defaultdict
from pathlib import Path

from compiler.engine.code_stages import CodeStages
from compiler.engine.failures import is_users_file
from compiler.engine.recording import FrameRecord, InstructionSpot, Recorder
from compiler.engine.source_texts import text_of
from compiler.engine.stage_ids import source_id
from compiler.model.programs import SourceFile
from compiler.model.stage import SourceStage, Stage, StageKind


def make(recorder: Recorder, code_stages: CodeStages) -> tuple[Stage, ...]:
    """Every file of a frame that was compiled, and every file of the user's that was inlined."""
    captured, traced, looked_at = _lines(recorder, code_stages)
    eager = _eager_lines(recorder, captured, traced)
    paths = {frame.code.co_filename for frame in recorder.frames}
    paths |= {skip.code.co_filename for skip in recorder.skips}
    paths |= {code.co_filename for code in recorder.codes.values() if is_users_file(code.co_filename)}
    stages = []
    for path in sorted(paths, key=lambda path: (not is_users_file(path), path)):
        text = text_of(path)
        if text is None:
            continue
        file = SourceFile(
            path,
            text,
            tuple(sorted(captured[path])),
            tuple(sorted(traced[path])),
            tuple(sorted(looked_at[path])),
            tuple(sorted(eager[path])),
        )
        stages.append(
            Stage(source_id(path), StageKind.SOURCE, Path(path).name, SourceStage(file), made_by="the user")
        )
    return tuple(stages)


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

    def line_at(spot: InstructionSpot) -> int | None:
        offset = code_stages.offset(spot)
        return None if offset is None else maps[spot.code].get(offset)

    graphs = {region.compile_id for region in recorder.regions}
    for code in (*recorder.codes.values(), *(skip.code for skip in recorder.skips)):
        looked_at[code.co_filename] |= set(line_map(code).values())
    for frame in recorder.frames:
        for attempt in frame.attempts[-1:]:
            for key, number in attempt.traced if not _was_left(frame) else ():
                line = line_at(InstructionSpot(key, number))
                if line is not None:
                    traced[recorder.codes[key].co_filename].add(line)
            in_graph = frame.id in graphs and not frame.error
            for spot in (spot for spots in attempt.node_spots.values() for spot in spots if in_graph):
                line = line_at(spot)
                if line is not None:
                    captured[recorder.codes[spot.code].co_filename].add((line, frame.id))
    return captured, traced, looked_at


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
