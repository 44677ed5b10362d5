"""Edits of one capture as edits of the next: each names what it changes by what that is, so it follows the program as it is
changed. What is gone, or can't be distinguished any more, is said with the reason.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping

import msgspec

from compiler.analysis.diff.node_identity import FoundNode, identify
from compiler.analysis.edits.renaming import SingleGraphEdit, graph_edits, named_nodes, renamed
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.diff.frame_matching import pair_frames
from compiler.model.diff.node_diff import called
from compiler.model.diff.stage_diff import pair_stages
from compiler.model.edits.edits import (
    ChooseFusion,
    ChooseKnob,
    Edit,
    EditError,
    EditGroup,
    InsertNode,
    ReplaceKernel,
    ReplaceText,
    ReplaceWrapper,
    apply_graph_edit,
    describe_edit,
)
from compiler.model.edits.text_edits import fingerprint
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.stage import KernelStage, LoopStage, TextStage, WrapperStage

_BUFFER = re.compile(r"\b(buf\d+|op\d+|arg\d+_\d+|primals_\d+|tangents_\d+)\b")


class CarriedEdits(msgspec.Struct, frozen=True):
    """Edits of one capture as edits of the next."""

    fitting: tuple[Edit, ...] = ()
    others: tuple[tuple[Edit, str], ...] = ()
    """What cannot be made again, and why."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What to report about the edits that cannot be made again."""
        if not self.others:
            return ()
        count, total = len(self.others), len(self.others) + len(self.fitting)
        first, why = self.others[0]
        rest = "The others were made again. " if self.fitting else ""
        reported = Problem(
            f"{count} of {counted(total, 'edit')} {'does' if count == 1 else 'do'} not fit the program as it is now: "
            f"{describe_edit(first)} ({why}).",
            f"{rest}The journal keeps them all: they are offered again when the program gives the old graphs.",
            severity=Severity.WARNING,
            detail="\n".join(f"{describe_edit(edit)}: {reason}" for edit, reason in self.others),
        )
        return (reported,)


def carry_edits(edits: tuple[Edit, ...], before: Capture, after: Capture) -> CarriedEdits:
    """Which edits still fit, as edits of the capture after."""
    if _same_code(before, after):
        return CarriedEdits(edits)
    stages = pair_stages(before, after, pair_frames(before, after))
    follower = _Follower(before, after, stages)
    fitting: list[Edit] = []
    others: list[tuple[Edit, str]] = []
    for edit in edits:
        try:
            fitting.append(follower.follow(edit))
        except EditError as error:
            others.append((edit, str(error)))
    return CarriedEdits(tuple(fitting), tuple(others))


def _same_code(before: Capture, after: Capture) -> bool:
    """Whether all that edits can name is there as it was; then edits of what earlier edits made fit too."""
    now = {stage.id: stage for stage in after.stages}
    for stage in before.stages:
        other = now.get(stage.id)
        if stage.graph is None and not isinstance(stage.content, KernelStage | LoopStage):
            continue
        if other is None or _loops(before, stage.id) != _loops(after, stage.id):
            return False
        if _sources(before, stage.id) != _sources(after, stage.id):
            return False
        if stage.graph is not None and (other.graph is None or not _alike(stage.graph, other.graph)):
            return False
    return True


def _alike(old: Graph, new: Graph) -> bool:
    return len(old.nodes) == len(new.nodes) and all(
        (a.id, called(a), a.args, a.kwargs, a.module_path)
        == (b.id, called(b), b.args, b.kwargs, b.module_path)
        for a, b in zip(old.nodes, new.nodes, strict=True)
    )


class _Side:
    """One graph before and after, with the edits made so far, and what became of its nodes."""

    def __init__(self, stage: StageId, old: Graph, new: Graph) -> None:
        self.stage = stage
        """Of the capture after."""
        self.old, self.new = old, new
        self.found: dict[NodeId, FoundNode] = identify(old, new)
        self.names = {name: row.node for name, row in self.found.items() if row.node}


class _Follower:
    def __init__(self, before: Capture, after: Capture, stages: Mapping[StageId, StageId]) -> None:
        self._before, self._after, self._stages = before, after, stages
        self._sides: dict[StageId, _Side] = {}

    def follow(self, edit: Edit) -> Edit:
        """The edit of the capture after; what it makes and changes counts for those that follow. Raises EditError."""
        parts = graph_edits(edit)
        if not parts:
            return self._code(edit)
        side = self._side(parts[0].stage)
        names, old, new = dict(side.names), side.old, side.new
        moved: list[SingleGraphEdit] = []
        for part in parts:
            for name in named_nodes(part):
                if name not in names:
                    lost = side.found.get(name)
                    raise EditError(lost.reason if lost else f"{name} was made by an edit that does not fit")
            if isinstance(part, InsertNode):
                names[part.node.id] = _free_name(part.node.id, new)
            other = renamed(part, side.stage, names)
            if isinstance(part, InsertNode) and isinstance(other, InsertNode):
                other = msgspec.structs.replace(other, index=_position(part, old, new, names))
            old, new = apply_graph_edit(old, part)[0], apply_graph_edit(new, other)[0]
            moved.append(other)
        side.names, side.old, side.new = names, old, new
        return EditGroup(edit.label, tuple(moved)) if isinstance(edit, EditGroup) else moved[0]

    def _side(self, stage: StageId) -> _Side:
        if stage not in self._sides:
            old, there = _graph(self._before, stage), self._stages.get(stage, "")
            new = _graph(self._after, there)
            if old is None:
                raise EditError(f"there is no graph {stage} any more")
            if new is None:
                raise EditError("its graph is gone")
            self._sides[stage] = _Side(there, old, new)
        return self._sides[stage]

    def _code(self, edit: Edit) -> Edit:
        """A choice about loops or kernels stays where these compute what they did. Raises EditError."""
        match edit:
            case EditGroup():
                return EditGroup(edit.label, tuple(self._code(part) for part in edit.edits))
            case ReplaceKernel():
                stage = self._stages.get(edit.stage, "")
                old, new = _sources(self._before, edit.stage), _sources(self._after, stage)
                name = _same(edit.kernel, old, new, "kernel")
                return ReplaceKernel(stage, name, re.sub(rf"\b{re.escape(edit.kernel)}\b", name, edit.source))
            case ChooseFusion():
                stage = self._stages.get(edit.stage, "")
                loops, now = _loops(self._before, edit.stage), _loops(self._after, stage)
                first, second = (_same(node, loops, now, "loop") for node in (edit.first, edit.second))
                return ChooseFusion(stage, first, second, edit.fuse)
            case ChooseKnob():
                stage = self._stages.get(edit.stage, "")
                node = _same(edit.node, _loops(self._before, edit.stage), _loops(self._after, stage), "loop")
                return ChooseKnob(stage, node, edit.knob, edit.value)
            case ReplaceWrapper():
                stage = self._stages.get(edit.stage, "")
                if edit.base != _wrapper_base(self._after, stage):
                    raise EditError("its wrapper is another one now")
                return msgspec.structs.replace(edit, stage=stage)
            case ReplaceText():
                if edit.base != _text_base(self._after, edit.stage):
                    raise EditError("its text is another one now")
                return edit
            case _:
                return edit


def _position(edit: InsertNode, old: Graph, new: Graph, names: Mapping[NodeId, NodeId]) -> int:
    """An insertion stands before the same node as it did, wherever that stands now; where that one is gone, before the next
    that is there.
    """
    where = {node.id: index for index, node in enumerate(new.nodes)}
    for node in old.nodes[edit.index :]:
        if (name := names.get(node.id, "")) in where:
            return where[name]
    return len(new.nodes)


def _free_name(name: NodeId, graph: Graph) -> NodeId:
    taken = {node.id for node in graph.nodes}
    number, free = 1, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _graph(capture: Capture, stage_id: StageId) -> Graph | None:
    return next((stage.graph for stage in capture.stages if stage.id == stage_id), None)


def _wrapper_base(capture: Capture, stage_id: StageId) -> str:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    return stage.content.code.base if stage and isinstance(stage.content, WrapperStage) else ""


def _text_base(capture: Capture, stage_id: StageId) -> str:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    content = stage.content if stage is not None else None
    return content.base or fingerprint(content.text) if isinstance(content, TextStage) else ""


def _sources(capture: Capture, stage_id: StageId) -> dict[str, Hashable]:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    kernels = stage.kernels if stage else ()
    return {
        kernel.name: re.sub(rf"\b{re.escape(kernel.name)}\b", "kernel", kernel.source)
        for kernel in kernels
        if kernel.source
    }


def _loops(capture: Capture, stage_id: StageId) -> dict[str, Hashable]:
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    nodes = stage.content.program.nodes if stage and isinstance(stage.content, LoopStage) else ()
    return {node.id: (node.operation, node.sizes, _unnamed(node.body)) for node in nodes}


def _unnamed(body: str) -> str:
    """The body of a loop with its buffers named in the order they appear."""
    names: defaultdict[str, str] = defaultdict(lambda: f"b{len(names)}")
    return _BUFFER.sub(lambda match: names[match[0]], body)


def _same(name: str, old: Mapping[str, Hashable], new: Mapping[str, Hashable], what: str) -> str:
    """What computes the same; where several do, the one in the same place among as many. Raises EditError."""
    if name not in old:
        raise EditError(f"there is no {what} {name} any more")
    wanted = old[name]
    count = Counter(new.values())[wanted]
    if not count:
        raise EditError(
            f"{name} is another {what} now" if name in new else f"there is no {what} like {name} any more"
        )
    before = [key for key, value in old.items() if value == wanted]
    after = [key for key, value in new.items() if value == wanted]
    if len(before) != len(after):
        raise EditError(f"which {what} {name} is cannot be told: there are {count} alike now")
    return after[before.index(name)]
