"""The life of one node: where it was written, what every stage and every pass made of it, which kernel runs it."""

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.analysis.passes.events import HistoryEvent
from compiler.analysis.passes.link_walk import Lineage, Location, Reached
from compiler.analysis.passes.pass_events import pass_events
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, Place, StageId, line_of, place
from compiler.model.ir.programs import FileOwner
from compiler.model.ir.stage import (
    DYNAMO_GRAPHS,
    BytecodeStage,
    JointStage,
    KernelStage,
    LoweredStage,
    SourceStage,
    Stage,
    StageKind,
    WrapperStage,
)
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.passes.pass_replay import FusionReplay, Replay, replay_of

_WORDS = {
    "compiled": "compiled to bytecode",
    "traced": "traced by Dynamo",
    "entered": "in what it called",
    "decomposed": "what AOTAutograd made of it",
    "partitioned": "in its part of the partition",
    "same": "kept",
    "holds": "in the body that it calls",
    "rewritten": "rewritten by a pattern",
    "passed": "passed on as an input",
    "lowered": "lowered to loops",
    "fused": "in the fused loops",
    "generated": "generated as a kernel",
    "emitted": "lines of kernel source written for it",
    "called": "called by the wrapper",
    "assembled": "lowered by Triton",
}
_KINDS = {
    StageKind.SOURCE: "written",
    StageKind.BYTECODE: "traced",
    StageKind.KERNELS: "generated",
    StageKind.WRAPPER: "called",
}


class NodeHistories:
    """Tells histories of one capture; what all of them need is worked out once."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._replays: dict[StageId, Replay | None] = {}
        self._began_as = {start.stage: start.began_as for start in capture.pass_starts}

    @functools.cached_property
    def _lineage(self) -> Lineage:
        return Lineage(self._capture.links)

    def replay(self, stage: StageId) -> Replay | None:
        """The passes of a stage, or None."""
        if stage not in self._replays:
            self._replays[stage] = replay_of(self._capture, stage)
        return self._replays[stage]

    def stands_for(self, location: Place) -> tuple[Place, ...]:
        """What nodes that were picked after a pass are in stages themselves: in their own, or where they are gone there, in
        the stage that the passes began with, or by our mark.
        """
        ended: set[NodeId] = set()
        begun: dict[StageId, set[NodeId]] = defaultdict(set)
        for node in location.nodes:
            one = place(location.stage, node, after=location.after)
            if end := self._at_end(one, one.after):
                ended |= set(end)
            else:
                for stage, first in self._before_passes(one, one.after):
                    begun[stage].add(first)
        own = (place(location.stage, *ended),) if ended else ()
        return (*own, *(place(stage, *nodes) for stage, nodes in begun.items()))

    def history(self, location: Place) -> tuple[HistoryEvent, ...]:
        """Every event of the nodes of a place, in the order of the pipeline. Nothing for nodes that are not there."""
        position = location.after
        ended = self._at_end(location, position)
        direct = self._before_passes(location, position)
        begins = list(direct) or [(location.stage, node) for node in ended]
        reached = direct | self._lineage.ancestors(begins)
        reached |= self._lineage.descendants([(location.stage, node) for node in ended or location.nodes])
        by_stage: dict[StageId, dict[NodeId, Reached]] = defaultdict(dict)
        for (stage_id, node), how in reached.items():
            by_stage[stage_id][node] = how
        events: list[HistoryEvent] = []
        passed = False
        for stage in self._capture.stages:
            here = stage.id == location.stage
            found = by_stage.get(stage.id, {})
            passes = list(self._passes(stage, location, position, by_stage, passed))
            if here:
                selected = HistoryEvent("here", "selected", location, title=stage.title, position=position)
                passes.insert(_spot_of(passes, position), selected)
                passed = True
            if begun := self._begun_with(stage, location, by_stage) if passed and not here else set():
                events.append(_made(stage, begun))
            events += passes
            rest = {} if here or set(found) == begun else found
            events += _reached(stage, rest, passed, began=bool(begun))
            events += _partition(stage, {*found, *(ended if here else ())})
        return tuple(events) if self._is_there(location, position) else ()

    def _before_passes(self, location: Place, position: int | None) -> dict[Location, Reached]:
        """What nodes were before any pass of their stage: nodes of the stage the passes began with, or by our mark."""
        replay = self.replay(location.stage)
        if replay is None:
            return {}
        source = self._source_of(location.stage, replay)
        if source:
            at = len(replay.steps) if position is None else position
            first = replay.went_to(location.nodes, at, 0)
            how = Reached("fused", "torch") if isinstance(replay, FusionReplay) else Reached("same", "name")
            return {(source, node): how for node in first}
        graph = replay.stage_at(position).graph if position is not None else None
        if graph is None:
            return {}
        marks = {mark for node in graph.nodes if node.id in location.nodes for mark in node.origins}
        return {
            (stage.id, node): Reached("decomposed", "tag")
            for stage in self._capture.stages
            if stage.kind in DYNAMO_GRAPHS
            and stage.compile_id == replay.stage.compile_id
            and stage.graph is not None
            for node in _with_marks(stage.graph, marks)
        }

    def _is_there(self, location: Place, position: int | None) -> bool:
        stage = next((stage for stage in self._capture.stages if stage.id == location.stage), None)
        if stage is None or not location.nodes:
            return False
        if stage.graph is None:
            return True
        replay = self.replay(location.stage)
        graph = (
            replay.stage_at(position).graph if replay is not None and position is not None else stage.graph
        )
        return graph is not None and all(map(graph.holds, location.nodes))

    def _at_end(self, location: Place, position: int | None) -> tuple[NodeId, ...]:
        replay = self.replay(location.stage)
        if replay is None or position is None:
            return location.nodes
        return replay.went_to(location.nodes, position, len(replay.steps))

    def _source_of(self, stage: StageId, replay: Replay) -> StageId:
        """The stage that holds the first graph of a replay, or nothing."""
        if isinstance(replay, FusionReplay):
            return replay.stage.made_from[0] if replay.stage.made_from else ""
        return self._began_as.get(stage, "")

    def _passes(
        self,
        stage: Stage,
        location: Place,
        position: int | None,
        by_stage: dict[StageId, dict[NodeId, Reached]],
        passed: bool,
    ) -> Iterator[HistoryEvent]:
        """What the passes of a stage did, if it lies on the way."""
        replay = self.replay(stage.id)
        if replay is None:
            return
        source = self._source_of(stage.id, replay)
        end = len(replay.steps)
        if stage.id == location.stage:
            yield from pass_events(replay, location.nodes, end if position is None else position)
            return
        last = set(by_stage.get(stage.id, ()))
        first: set[NodeId] = set()
        if passed and source:
            first = set(by_stage.get(source, ())) | (
                set(location.nodes) if source == location.stage else set()
            )
        elif passed:
            first = self._marked(replay, location, by_stage)
        if first:
            yield from pass_events(replay, first, 0)
        elif last:
            yield from pass_events(replay, last, end)

    def _begun_with(
        self, stage: Stage, location: Place, by_stage: dict[StageId, dict[NodeId, Reached]]
    ) -> set[NodeId]:
        """Nodes of a first graph that no stage holds: what is in the stage itself stands there after its passes."""
        replay = self.replay(stage.id)
        if replay is None or not replay.steps or self._source_of(stage.id, replay):
            return set()
        return self._marked(replay, location, by_stage)

    def _marked(
        self, replay: Replay, location: Place, by_stage: dict[StageId, dict[NodeId, Reached]]
    ) -> set[NodeId]:
        """Nodes of a first graph that no stage holds, by our mark from the Dynamo graph."""
        start = replay.stage_at(0).graph
        marks: set[str] = set()
        for stage in (row for row in self._capture.stages if row.kind in DYNAMO_GRAPHS):
            names = set(by_stage.get(stage.id, ())) | (
                set(location.nodes) if stage.id == location.stage else set()
            )
            if stage.compile_id == replay.stage.compile_id and stage.graph is not None:
                marks |= {mark for node in stage.graph.nodes if node.id in names for mark in node.origins}
        return _with_marks(start, marks) if start is not None else set()


def _spot_of(passes: list[HistoryEvent], position: int | None) -> int:
    """Where nodes picked after `position` passes stand among what the passes did."""
    if position is None:
        return len(passes)
    return sum(event.position is not None and event.position <= position for event in passes)


def _with_marks(graph: Graph, marks: set[str]) -> set[NodeId]:
    return {node.id for node in graph.nodes if not marks.isdisjoint(node.origins)}


def _made(stage: Stage, nodes: Iterable[NodeId]) -> HistoryEvent:
    """What a stage's passes began with."""
    where = place(stage.id, *nodes, after=0)
    return HistoryEvent("became", _WORDS["decomposed"], where, "tag", position=0, title=stage.title)


def _reached(
    stage: Stage, found: dict[NodeId, Reached], passed: bool, began: bool = False
) -> Iterator[HistoryEvent]:
    groups: dict[Reached, list[NodeId]] = {}
    for node, how in found.items():
        groups.setdefault(how, []).append(node)
    for how, nodes in groups.items():
        kind = _KINDS.get(stage.kind, "fused" if how.kind == "fused" else "became" if passed else "created")
        words = _WORDS.get(how.kind, how.kind) if passed else _earlier(stage)
        if began and how.kind == "decomposed":
            words = "what there is of it after the passes"
        yield HistoryEvent(kind, words, place(stage.id, *nodes), how.proof, title=stage.title)


def _earlier(stage: Stage) -> str:
    if isinstance(stage.content, SourceStage):
        file = stage.content.file
        owner = "your program" if file.standing is FileOwner.MINE else file.package or "a library"
        return f"written in {owner}"
    if isinstance(stage.content, BytecodeStage):
        return "the instruction that Dynamo traced"
    return "what it was"


def _partition(stage: Stage, nodes: set[NodeId]) -> Iterator[HistoryEvent]:
    content = stage.content
    if not isinstance(content, JointStage) or content.partition is None:
        return
    for tensor in content.partition.saved:
        if tensor.node in nodes:
            size = f" ({describe_bytes(tensor.bytes)})" if tensor.bytes else ""
            reason = f": {tensor.reason}" if tensor.reason else ""
            yield HistoryEvent(
                "saved",
                f"saved for the backward{size}{reason}",
                place(stage.id, tensor.node),
                title=stage.title,
            )
    again = [node for node in content.partition.recomputed if node in nodes]
    if again:
        text = "computed in the forward and again in the backward"
        yield HistoryEvent("recomputed", text, place(stage.id, *again), title=stage.title)


def names_of(stage: Stage, nodes: Iterable[NodeId]) -> list[str]:
    """How people name nodes of a stage: lines by number and text, instructions by what they do, others by name."""
    content = stage.content
    match content:
        case SourceStage() | WrapperStage():
            lines = (content.file.text if isinstance(content, SourceStage) else content.code.text).split("\n")
            numbers = sorted(line for node in nodes if (line := line_of(node)) is not None)
            return [
                f"line {line}: {lines[line - 1].strip()}" if 0 < line <= len(lines) else f"line {line}"
                for line in numbers
            ]
        case BytecodeStage():
            chosen = set(nodes)
            return [
                f"{item.place} {item.opname} {item.argument}".strip()
                for item in content.code.instructions
                if item.id in chosen
            ]
        case KernelStage() | LoweredStage():
            return _kernel_names(nodes)
    return sorted(nodes)


def _kernel_names(nodes: Iterable[NodeId]) -> list[str]:
    lines: dict[str, list[int]] = {}
    for node in sorted(nodes):
        line = line_of(node) if ":" in node else None
        lines.setdefault(node.rpartition(":")[0] if line is not None else node, [])
        if line is not None:
            lines[node.rpartition(":")[0]].append(line)
    return [
        f"{kernel}, line{'s' * (len(found) > 1)} {_ranges(sorted(found))}" if found else kernel
        for kernel, found in lines.items()
    ]


def _ranges(numbers: list[int]) -> str:
    """``3–5, 9``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
