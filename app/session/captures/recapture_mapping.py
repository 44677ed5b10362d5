"""From one capture of a program to the next, after its files were saved: where places went."""

from compiler.model.capture.capture import Capture
from compiler.model.diff.capture_diff import CaptureDiff
from compiler.model.diff.graph_diff import GraphDiff
from compiler.model.diff.sequence_alignment import align
from compiler.model.diff.stage_diff import pair_stages
from compiler.model.ir.ids import NOWHERE, NodeId, Place, StageId, line_id, line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import SourceStage


class Succession:
    """Knows what became of the stages, nodes and lines of one capture in the next."""

    def __init__(self, before: Capture, after: Capture, diff: CaptureDiff) -> None:
        self._before = before
        self._after = after
        self._pairs = pair_stages(before, after, dict(diff.frames))
        self._changes = {change.before: change for change in diff.stages if change.before}
        self._links = Provenance(before.links)
        self._lines: dict[StageId, dict[int, int]] = {}

    def stage(self, stage_id: StageId) -> StageId:
        """The stage that one became; empty where it is gone."""
        return self._pairs.get(stage_id, "")

    def node(self, stage_id: StageId, node: NodeId) -> NodeId:
        """The node of an FX graph that one became; empty where it is gone."""
        change = self._changes.get(stage_id)
        if change is None or change.graph is None:
            return node if stage_id in self._pairs else ""
        return _partner(change.graph, node)

    def place(self, location: Place) -> Place:
        """A place of the capture before in the one after: its nodes; else the lines that they came from."""
        there = self.stage(location.stage)
        change = self._changes.get(location.stage)
        if not location or (there and change is None and not _is_source(self._before, location.stage)):
            return place(there, *location.nodes) if location else NOWHERE
        if there and change is not None and change.graph is not None:
            alive = [name for name in (self.node(location.stage, node) for node in location.nodes) if name]
            if alive:
                return place(there, *alive)
        if found := self._source_place(location):
            return found
        for stage, nodes in self._links.ancestors(location).items():
            if found := self._source_place(place(stage, *nodes)):
                return found
        return NOWHERE

    def _source_place(self, location: Place) -> Place:
        there = self.stage(location.stage)
        if not there or not _is_source(self._before, location.stage):
            return NOWHERE
        moved = self._moved_lines(location.stage, there)
        lines = [
            moved[line - 1] + 1 for node in location.nodes if (line := line_of(node)) and line - 1 in moved
        ]
        return place(there, *map(line_id, lines)) if lines else NOWHERE

    def _moved_lines(self, before: StageId, after: StageId) -> dict[int, int]:
        if before not in self._lines:
            self._lines[before] = align(
                (_text(self._before, before).split("\n"),), (_text(self._after, after).split("\n"),)
            )
        return self._lines[before]


def _partner(diff: GraphDiff, node: NodeId) -> NodeId:
    if node in diff.removed:
        return ""
    renamed = dict(diff.kept) | {change.before: change.after for change in diff.changed}
    return renamed.get(node, node)


def _is_source(capture: Capture, stage_id: StageId) -> bool:
    return any(stage.id == stage_id and isinstance(stage.content, SourceStage) for stage in capture.stages)


def _text(capture: Capture, stage_id: StageId) -> str:
    content = capture.stage(stage_id).content
    return content.file.text if isinstance(content, SourceStage) else ""
