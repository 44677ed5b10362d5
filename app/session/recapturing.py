"""From one capture of a program to the next, after its files were saved: where places went, and which edits still fit."""

import msgspec

from compiler.model.alignment import align
from compiler.model.arguments import nodes_in
from compiler.model.capture import Capture
from compiler.model.capture_diff import CaptureDiff
from compiler.model.diff_words import counted
from compiler.model.edits import (
    BypassNode,
    ChooseFusion,
    Edit,
    EditError,
    EditGroup,
    InsertNode,
    ReplaceKernel,
    ReplaceTarget,
    SetArgument,
    apply_graph_edit,
    describe_edit,
)
from compiler.model.graph import Graph
from compiler.model.graph_diff import GraphDiff
from compiler.model.ids import NOWHERE, NodeId, Place, StageId, line_id, line_of, place
from compiler.model.node_edits import ReorderNodes, SetArguments
from compiler.model.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.problems import Problem, Severity
from compiler.model.provenance import Provenance
from compiler.model.stage import KernelStage, LoopStage, SourceStage
from compiler.model.stage_diff import pair_stages


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

    def place(self, spot: Place) -> Place:
        """A place of the capture before in the one after: its nodes; else the lines that they came from."""
        there = self.stage(spot.stage)
        change = self._changes.get(spot.stage)
        if not spot or (there and change is None and not _is_source(self._before, spot.stage)):
            return place(there, *spot.nodes) if spot else NOWHERE
        if there and change is not None and change.graph is not None:
            alive = [name for name in (self.node(spot.stage, node) for node in spot.nodes) if name]
            if alive:
                return place(there, *alive)
        if found := self._source_place(spot):
            return found
        for stage, nodes in self._links.ancestors(spot).items():
            if found := self._source_place(place(stage, *nodes)):
                return found
        return NOWHERE

    def _source_place(self, spot: Place) -> Place:
        there = self.stage(spot.stage)
        if not there or not _is_source(self._before, spot.stage):
            return NOWHERE
        moved = self._moved_lines(spot.stage, there)
        lines = [moved[line - 1] + 1 for node in spot.nodes if (line := line_of(node)) and line - 1 in moved]
        return place(there, *map(line_id, lines)) if lines else NOWHERE

    def _moved_lines(self, before: StageId, after: StageId) -> dict[int, int]:
        if before not in self._lines:
            self._lines[before] = align(
                (_text(self._before, before).split("\n"),), (_text(self._after, after).split("\n"),)
            )
        return self._lines[before]


class CarriedEdits(msgspec.Struct, frozen=True):
    """Edits of one capture as edits of the next."""

    fitting: tuple[Edit, ...] = ()
    others: tuple[tuple[Edit, str], ...] = ()
    """What cannot be made again, and why."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What to tell about the edits that cannot be made again."""
        if not self.others:
            return ()
        count, total = len(self.others), len(self.others) + len(self.fitting)
        first, why = self.others[0]
        rest = "The others were made again. " if self.fitting else ""
        told = Problem(
            f"{count} of {counted(total, 'edit')} {'does' if count == 1 else 'do'} not fit the program as it is now: "
            f"{describe_edit(first)} ({why}).",
            f"{rest}The journal keeps them all: they are offered again when the program gives the old graphs.",
            severity=Severity.WARNING,
            detail="\n".join(f"{describe_edit(edit)}: {reason}" for edit, reason in self.others),
        )
        return (told,)


def carry_edits(edits: tuple[Edit, ...], before: Capture, after: Capture, moves: Succession) -> CarriedEdits:
    """Which edits mean the same in the next capture: all the nodes that they name must be the very same there."""
    fitting: list[Edit] = []
    others: list[tuple[Edit, str]] = []
    graphs: dict[StageId, tuple[Graph, Graph]] = {}
    made: set[tuple[StageId, NodeId]] = set()
    for edit in edits:
        try:
            if later := _later(edit):
                for item in later:
                    _require_same_code(item, before, after)
                fitting.append(edit)
                continue
            stage = next(part.stage for part in _parts(edit))
            if stage not in graphs:
                graphs[stage] = _graph(before, stage), _same_stage(after, stage, moves)
            old, new = graphs[stage]
            parts = []
            for part in _parts(edit):
                _require_same_nodes(part, _graph(before, stage), moves, made)
                moved = _moved(part, old, new)
                old, new = apply_graph_edit(old, part)[0], apply_graph_edit(new, moved)[0]
                made |= {(stage, moved.node.id)} if isinstance(moved, InsertNode) else set()
                parts.append(moved)
        except EditError as error:
            others.append((edit, str(error)))
            continue
        graphs[stage] = old, new
        fitting.append(EditGroup(edit.label, tuple(parts)) if isinstance(edit, EditGroup) else parts[0])
    return CarriedEdits(tuple(fitting), tuple(others))


_Part = (
    ReplaceTarget
    | SetArgument
    | SetArguments
    | BypassNode
    | InsertNode
    | ReorderNodes
    | ChooseSaved
    | ChooseMemoryBudget
)


def _parts(edit: Edit) -> tuple[_Part, ...]:
    if isinstance(edit, EditGroup):
        return tuple(inner for part in edit.edits for inner in _parts(part))
    return () if isinstance(edit, ChooseFusion | ReplaceKernel) else (edit,)


def _later(edit: Edit) -> tuple[ChooseFusion | ReplaceKernel, ...]:
    """The edits of stages behind the graphs that an edit is; a group mixes no stages."""
    if isinstance(edit, EditGroup):
        return tuple(inner for part in edit.edits for inner in _later(part))
    return (edit,) if isinstance(edit, ChooseFusion | ReplaceKernel) else ()


def _require_same_code(edit: ChooseFusion | ReplaceKernel, before: Capture, after: Capture) -> None:
    """What the edit names computes what it did. Raises EditError."""
    if isinstance(edit, ReplaceKernel):
        if _source(after, edit) != _source(before, edit):
            raise EditError(f"{edit.kernel} is another kernel now")
        return
    old, new = _loops(before, edit.stage), _loops(after, edit.stage)
    for node in (edit.first, edit.second):
        if node not in new or new[node] != old.get(node):
            raise EditError(f"{node} is another loop now")


def _source(capture: Capture, edit: ReplaceKernel) -> str:
    stage = next((stage for stage in capture.stages if stage.id == edit.stage), None)
    kernels = stage.content.kernels.kernels if stage and isinstance(stage.content, KernelStage) else ()
    found = next((kernel.source for kernel in kernels if kernel.name == edit.kernel), "")
    if not found:
        raise EditError(f"there is no kernel {edit.kernel} any more")
    return found


def _loops(capture: Capture, stage_id: StageId) -> dict[NodeId, tuple[str, str, str]]:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    if stage is None or not isinstance(stage.content, LoopStage):
        raise EditError(f"there is no loop IR {stage_id} any more")
    return {node.id: (node.operation, node.sizes, node.body) for node in stage.content.program.nodes}


def _graph(capture: Capture, stage_id: StageId) -> Graph:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    if stage is None or stage.graph is None:
        raise EditError(f"there is no graph {stage_id} any more")
    return stage.graph


def _same_stage(after: Capture, stage_id: StageId, moves: Succession) -> Graph:
    if moves.stage(stage_id) != stage_id:
        raise EditError("its graph is gone")
    return _graph(after, stage_id)


def _require_same_nodes(
    edit: _Part, root: Graph, moves: Succession, made: set[tuple[StageId, NodeId]]
) -> None:
    known = {node.id for node in root.nodes}
    for name in _named(edit):
        if (edit.stage, name) in made:
            continue
        if name not in known:
            raise EditError(f"{name} was made by an earlier edit")
        if moves.node(edit.stage, name) != name:
            raise EditError(f"{name} is gone or has another name")


def _named(edit: _Part) -> tuple[NodeId, ...]:
    match edit:
        case ReplaceTarget() | SetArguments():
            return (edit.node, *nodes_in(edit.args), *nodes_in(edit.kwargs))
        case SetArgument():
            return (edit.node, *nodes_in(edit.argument))
        case BypassNode():
            return (edit.node, edit.replacement) if edit.replacement else (edit.node,)
        case ReorderNodes():
            return edit.order
        case ChooseSaved():
            return (edit.node,)
        case ChooseMemoryBudget():
            return ()
        case InsertNode():
            return (*edit.node.inputs(), *(user for user, _ in edit.uses))


def _moved(edit: _Part, old: Graph, new: Graph) -> _Part:
    """An insertion stands before the same node as it did, wherever that stands now."""
    if not isinstance(edit, InsertNode) or not edit.index < len(old.nodes):
        return edit
    try:
        return msgspec.structs.replace(edit, index=new.index(old.nodes[edit.index].id))
    except KeyError:
        raise EditError(f"{old.nodes[edit.index].id}, which it stands before, is gone") from None


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
