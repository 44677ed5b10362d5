"""Two graphs matched, as text for the terminal."""

from collections.abc import Iterator

from compiler.analysis.diff.graph_matching import KEPT, GraphMatch, describe
from compiler.analysis.diff.recorded_node_map import linked_pairs
from compiler.analysis.diff.stage_matching import match_stages, origins_between
from compiler.analysis.diff.text_alignment import align_texts
from compiler.analysis.text_format.printer import program
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.diff.frame_matching import pair_frames
from compiler.model.diff.stage_diff import pair_stages
from compiler.model.ir.stage import DYNAMO_GRAPHS, Stage

_SIGNS = {"kept": " ", "changed": "~", "moved": "↕", "added": "+", "removed": "−"}


def matched_stages(
    before: Capture, after: Capture, wanted: str, wanted_after: str | None
) -> tuple[Stage, Stage, GraphMatch | None]:
    """The two stages of these ids, and how their nodes belong together (None for text).

    Without an id of its own, the stage after is the counterpart of the one before. Raises CommandFailedError for an id that
    is not there.
    """
    old = _stage(before, wanted)
    if wanted_after is None:
        wanted_after = pair_stages(before, after, pair_frames(before, after)).get(old.id, old.id)
    new = _stage(after, wanted_after)
    origins = origins_between(_dynamo(before, old), _dynamo(after, new))
    recorded = linked_pairs(before, old.id, new.id) if before is after else None
    return old, new, match_stages(old, new, origins=origins, recorded=recorded)


def graph_report(old: Stage, new: Stage, match: GraphMatch | None) -> str:
    """What became of how many nodes, then every line of the programs that differs, with what is different in words."""
    lines = list(_lines(old, new, match))
    head = (
        describe(match)
        if match is not None
        else f"{counted(len(lines), 'line')} {'differs' if len(lines) == 1 else 'differ'}"
        if lines
        else "No difference"
    )
    return "\n".join([head, *([""] if lines else []), *lines])


def _lines(old: Stage, new: Stage, match: GraphMatch | None) -> Iterator[str]:
    before, after = program(old), program(new)
    texts_old, texts_new = before.text.split("\n"), after.text.split("\n")
    what = {pair.after: pair.what for pair in match.pairs} if match is not None else {}
    for row in align_texts(before, after, match):
        if row.state == KEPT:
            continue
        sign = _SIGNS[row.state]
        if row.after:
            yield f"{sign} {texts_new[row.after - 1]}"
            for node in after.line_nodes[row.after - 1][:1]:
                yield from (f"      {words}" for words in what.get(node, ()))
        elif row.state == "removed":
            yield f"{sign} {texts_old[row.before - 1]}"


def _stage(capture: Capture, stage_id: str) -> Stage:
    try:
        return capture.stage(stage_id)
    except KeyError as error:
        known = ", ".join(stage.id for stage in capture.stages)
        raise CommandFailedError(f"There is no stage {stage_id}.", f"The stages are: {known}.") from error


def _dynamo(capture: Capture, stage: Stage) -> Stage | None:
    """The Dynamo graph of a stage's compile, or the part of it; None for that graph itself."""
    found = (
        other
        for other in capture.stages
        if other.kind in DYNAMO_GRAPHS and other.compile_id == stage.compile_id
    )
    return next((other for other in found if other.id != stage.id), None)
