"""Stages of two captures: which became which, and whether they still say the same."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.front_ends import FRONT_ENDS
from compiler.model.diff.graph_diff import GraphDiff, compare_graphs
from compiler.model.diff.kernel_diff import compare_kernels, without_cache_folder
from compiler.model.diff.node_diff import function_name
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    LoweredStage,
    SourceStage,
    Stage,
    WrapperStage,
)

_FRONT_ENDS = frozenset(front_end.name for front_end in FRONT_ENDS)
_NAMES_OF_ONE_RUN = re.compile(
    r"(?<=__compiled_fn)_[0-9a-f_]+|(?<=__resume_at)_[0-9_]+|(?<=__builtins_dict__)_\d+|(?<=_at)_\d+\b"
)
_PLACES = re.compile(r"0x[0-9a-f]+|\bline \d+")
_COMMENT = re.compile(r"^\s*#.*$\n?", re.MULTILINE)


class StageChange(msgspec.Struct, frozen=True):
    """A stage that is gone (`after` empty), new (`before` empty) or says something else."""

    before: StageId
    after: StageId
    added: int = 0
    """Nodes, kernels, instructions or lines that only the stage after has."""
    removed: int = 0
    changed: int = 0
    graph: GraphDiff | None = None
    """For FX graphs that are in both captures: node by node."""

    @property
    def signs(self) -> str:
        """``+3 −1 ~2``."""
        counts = zip("+−~", (self.added, self.removed, self.changed), strict=True)
        return " ".join(f"{sign}{count}" for sign, count in counts if count)


def pair_stages(before: Capture, after: Capture, frames: dict[str, str]) -> dict[StageId, StageId]:
    """Stage before → after, following the pairs of frames; files go by their path, or else by their name."""
    pairs = _pair_code(before, after, frames)
    there = {stage.id for stage in after.stages}
    for stage in before.stages:
        match = f"{frames.get(stage.compile_id, '')}:{stage.id.partition(':')[2]}"
        if stage.compile_id in frames and match in there:
            pairs[stage.id] = match
        elif stage.compile_id in _FRONT_ENDS and stage.id in there:
            pairs[stage.id] = stage.id
    for key in (_whole_name, _loose_name):
        taken = set(pairs.values())
        waiting: defaultdict[Hashable, list[StageId]] = defaultdict(list)
        for stage in after.stages:
            if stage.id not in taken and not stage.compile_id:
                waiting[key(stage)].append(stage.id)
        for stage in before.stages:
            if stage.id not in pairs and not stage.compile_id and waiting[key(stage)]:
                pairs[stage.id] = waiting[key(stage)].pop(0)
    return pairs


def _pair_code(before: Capture, after: Capture, frames: dict[str, str]) -> dict[StageId, StageId]:
    """The bytecode that frames began with; compiles of one function share it."""
    old, new = ({stage.id for stage in capture.stages} for capture in (before, after))
    code_new = {frame.id: frame.original for frame in after.frames}
    pairs: dict[StageId, StageId] = {}
    for frame in before.frames:
        code, match = frame.original, code_new.get(frames.get(frame.id, ""), "")
        if code in old and match in new and match not in pairs.values():
            pairs.setdefault(code, match)
    return pairs


def compare_stages(before: Capture, after: Capture, pairs: dict[StageId, StageId]) -> tuple[StageChange, ...]:
    """Every stage that is not the same, in the order of the capture after; those that are gone stand last."""
    origin = {b: a for a, b in pairs.items()}
    old = {stage.id: stage for stage in before.stages}
    changes = []
    for stage in after.stages:
        if stage.id not in origin:
            changes.append(StageChange("", stage.id, added=stage.node_count))
            continue
        change = _compare(old[origin[stage.id]], stage)
        if change is not None:
            changes.append(change)
    changes += [
        StageChange(stage.id, "", removed=stage.node_count)
        for stage in before.stages
        if stage.id not in pairs
    ]
    return tuple(changes)


def _compare(old: Stage, new: Stage) -> StageChange | None:
    match old.content, new.content:
        case FxStage() | JointStage(), FxStage() | JointStage():
            diff = compare_graphs(old.content.graph, new.content.graph)
            counts = len(diff.added), len(diff.removed), len(diff.changed)
            return None if diff.same else StageChange(old.id, new.id, *counts, diff)
        case KernelStage(), KernelStage():
            kernels = compare_kernels((old,), (new,), lambda _stage: new.id)
            counts = len(kernels.new), len(kernels.gone), len(kernels.changed)
            return None if kernels.same else StageChange(old.id, new.id, *counts)
        case _:
            words_old, words_new = _parts_of(old), _parts_of(new)
            if words_old == words_new:
                return None
            many_old, many_new = Counter(words_old), Counter(words_new)
            added, removed = (many_new - many_old).total(), (many_old - many_new).total()
            return StageChange(old.id, new.id, added, removed, 0 if added or removed else 1)


def _parts_of(stage: Stage) -> list[Hashable]:
    """What a stage says, part by part, without what differs from run to run."""
    match stage.content:
        case SourceStage():
            return list(stage.content.file.text.split("\n"))
        case BytecodeStage():
            return [
                (row.opname, _PLACES.sub("", _NAMES_OF_ONE_RUN.sub("", row.argument)))
                for row in stage.content.code.instructions
            ]
        case LoopStage():
            return [
                (node.kind, node.operation, node.reads, node.writes, node.body, node.sizes, node.layout)
                for node in stage.content.program.nodes
            ]
        case WrapperStage():
            return list(wrapper_lines(stage.content.code.text))
        case LoweredStage():
            return [line for row in stage.content.kernels for line in row.text.split("\n")]
        case _:
            return []


def wrapper_lines(text: str) -> list[str]:
    """A wrapper's lines without comments and without what differs from run to run."""
    return without_cache_folder(_COMMENT.sub("", text)).split("\n")


def _whole_name(stage: Stage) -> Hashable:
    return stage.id


def _loose_name(stage: Stage) -> Hashable:
    if isinstance(stage.content, BytecodeStage):
        code = stage.content.code
        resumed = function_name(code.name) != code.name
        return stage.kind, code.path.rpartition("/")[2], function_name(code.name), resumed
    return stage.kind, stage.id.rpartition("/")[2]
