"""A stage pass by pass: the graph as it was after each step, and where a node went on the way."""

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.loop_ir import LoopNode, LoopProgram
from compiler.model.ir.passes import FusionStep, PassRun, after_run
from compiler.model.ir.stage import FxStage, JointStage, LoopStage, Stage
from compiler.model.ir.tensor_types import describe_bytes

_KEPT = 4
"""Stages of one replay."""


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a replay in the words a person reads."""

    name: str
    phase: str
    """``pre_grad``, ``joint``, ``post_grad`` or ``fusion``."""
    seconds: float
    note: str
    made: tuple[NodeId, ...] = ()
    changed: tuple[NodeId, ...] = ()
    removed: tuple[NodeId, ...] = ()
    reordered: bool = False
    became: tuple[tuple[NodeId, tuple[NodeId, ...]], ...] = ()
    """(node that is gone, what took its place)."""
    stands_for: tuple[tuple[NodeId, tuple[NodeId, ...]], ...] = ()
    """(node made, what it took the place of)."""

    @property
    def changed_anything(self) -> bool:
        """Whether the graph is another one after it."""
        return bool(self.made or self.changed or self.removed or self.reordered)


class Replay:
    """The steps of one stage and the stage after each. Position 0 is before the first step, ``len(steps)`` the stage."""

    def __init__(self, stage: Stage, steps: tuple[ReplayStep, ...]) -> None:
        self.stage = stage
        self.steps = steps
        self._last = lru_cache(maxsize=_KEPT)(self._made_at)

    def stage_at(self, position: int) -> Stage:
        """The stage as it was after that many steps; the same object as long as no other few were asked for, since what is known of
        a stage is kept by identity. Raises ValueError where the steps do not fit.
        """
        return self._last(position)

    def _made_at(self, position: int) -> Stage:
        raise NotImplementedError

    def node_at(self, position: int, name: NodeId) -> Node | None:
        """A node of a graph as it was after that many steps; None where it was not there."""
        graph = self.stage_at(position).graph
        return graph.node(name) if graph is not None and graph.holds(name) else None

    def went_to(self, nodes: Iterable[NodeId], start: int, end: int) -> tuple[NodeId, ...]:
        """What nodes that stand there at one position are at another, earlier or later; nothing for those that are gone."""
        here = set(nodes)
        if start <= end:
            for step in self.steps[start:end]:
                became = dict(step.became)
                gone = here & set(step.removed)
                here = (here - gone) | {new for old in gone for new in became.get(old, ())}
        else:
            for step in reversed(self.steps[end:start]):
                stands_for = dict(step.stands_for)
                made = here & set(step.made)
                here = (here - made) | {old for new in made for old in stands_for.get(new, ())}
        return tuple(sorted(here))

    def ends_as(self, position: int) -> dict[NodeId, tuple[NodeId, ...]]:
        """For each node that is there at a position and gone at the end: what it is at the end."""
        ends: dict[NodeId, tuple[NodeId, ...]] = {}
        for step in reversed(self.steps[position:]):
            became = dict(step.became)
            gone = {
                old: tuple(dict.fromkeys(end for new in became.get(old, ()) for end in ends.get(new, (new,))))
                for old in step.removed
            }
            for new in step.made:
                ends.pop(new, None)
            ends |= gone
        return ends


class GraphReplay(Replay):
    """An FX graph through its passes."""

    def __init__(self, stage: Stage, start: Graph, runs: tuple[PassRun, ...]) -> None:
        super().__init__(stage, tuple(map(_pass_step, runs)))
        self._runs = runs
        self._graphs = [start]

    def _made_at(self, position: int) -> Stage:
        if position >= len(self._runs):
            return self.stage
        while len(self._graphs) <= position:
            self._graphs.append(after_run(self._graphs[-1], self._runs[len(self._graphs) - 1]))
        content = self.stage.content
        if isinstance(content, FxStage | JointStage):
            content = msgspec.structs.replace(content, graph=self._graphs[position])
        return msgspec.structs.replace(self.stage, content=content)

    def node_at(self, position: int, name: NodeId) -> Node | None:
        """See `Replay.node_at`; no graph is made for it."""
        if position >= len(self._runs):
            return super().node_at(position, name)
        for run in reversed(self._runs[:position]):
            made = next((node for node in (*run.made, *run.changed) if node.id == name), None)
            if made is not None or name in run.removed:
                return made
        start = self._graphs[0]
        return start.node(name) if start.holds(name) else None


class FusionReplay(Replay):
    """The scheduler's nodes through fusion."""

    def __init__(self, stage: Stage, start: LoopProgram, steps: tuple[FusionStep, ...]) -> None:
        super().__init__(stage, tuple(map(_fusion_step, steps)))
        self._fusions = steps
        self._start = start

    def _made_at(self, position: int) -> Stage:
        """A group that fusion enlarges later has no bytes: nobody counted them."""
        content = self.stage.content
        if position >= len(self.steps) or not isinstance(content, LoopStage):
            return self.stage
        program = _fused(self._start, self._fusions[:position], content.program)
        return msgspec.structs.replace(self.stage, content=LoopStage(program))


def replay_of(capture: Capture, stage_id: StageId) -> Replay | None:
    """The steps that led to a stage, or None for a stage without any."""
    stage = next((stage for stage in capture.stages if stage.id == stage_id), None)
    if stage is None:
        return None
    fusions = tuple(step for step in capture.fusions if step.stage == stage_id)
    if fusions:
        before = next((other for other in capture.stages if other.id in stage.made_from), None)
        if before is not None and isinstance(before.content, LoopStage):
            return FusionReplay(stage, before.content.program, fusions)
        return None
    runs = tuple(run for run in capture.passes if run.stage == stage_id)
    graph = start_of(capture, stage_id)
    return GraphReplay(stage, graph, runs) if runs and graph is not None and stage.graph is not None else None


def start_of(capture: Capture, stage_id: StageId) -> Graph | None:
    """The graph that the passes of a stage began with, or None."""
    for start in capture.pass_starts:
        if start.stage == stage_id:
            if start.graph is not None:
                return start.graph
            return next((stage.graph for stage in capture.stages if stage.id == start.began_as), None)
    return None


def _pass_step(run: PassRun) -> ReplayStep:
    became: dict[NodeId, dict[NodeId, None]] = {}
    for new, olds in run.origins:
        for old in olds:
            became.setdefault(old, {})[new] = None
    for old, new in run.replaced:
        became[old] = {new: None}  # torch's replacement says it exactly; a pattern names all that it matched
    return ReplayStep(
        run.name,
        run.phase,
        run.seconds,
        run.note,
        tuple(node.id for node in run.made),
        tuple(node.id for node in run.changed),
        run.removed,
        bool(run.order),
        tuple((old, tuple(news)) for old, news in became.items()),
        run.origins,
    )


def _fusion_step(step: FusionStep) -> ReplayStep:
    made = (step.result,) if step.parts else ()
    return ReplayStep(
        step.name,
        "fusion",
        step.seconds,
        _fusion_note(step),
        made,
        step.changed,
        tuple(part for part in step.parts if part != step.result),
        bool(step.order),
        tuple((part, made) for part in step.parts),
        tuple((name, step.parts) for name in made),
    )


def _fusion_note(step: FusionStep) -> str:
    parts = [f"round {step.round}"] if step.round else []
    parts += [step.relation] if step.relation else []
    parts += (
        [f"torch's score: saves {describe_bytes(step.saved_bytes)}"] if step.saved_bytes is not None else []
    )
    return ", ".join([*parts, step.note] if step.note else parts)


def _fused(start: LoopProgram, steps: tuple[FusionStep, ...], end: LoopProgram) -> LoopProgram:
    """The nodes with some fusions done: groups stand where their last member stood."""
    groups: dict[NodeId, list[LoopNode]] = {node.id: [node] for node in start.nodes}
    for step in steps:
        members = [member for part in step.parts for member in groups.pop(part, [])]
        if members:
            groups[step.result] = members
    place = {node.id: index for index, node in enumerate(start.nodes)}
    owner = {member.id: group for group, members in groups.items() for member in members}
    known = {node.id: node for node in end.nodes}
    ordered = sorted(groups, key=lambda group: max(place[member.id] for member in groups[group]))
    nodes = []
    for group in ordered:
        members = groups[group]
        if len(members) == 1 and members[0].id == group:
            node = members[0]
        else:
            node = known.get(group) or _group(group, members)
        inputs = dict.fromkeys(owner[used] for member in members for used in member.inputs if used in owner)
        nodes.append(msgspec.structs.replace(node, inputs=tuple(name for name in inputs if name != group)))
    return LoopProgram(tuple(nodes))


def _group(name: NodeId, members: list[LoopNode]) -> LoopNode:
    return LoopNode(
        name,
        "FusedSchedulerNode",
        " + ".join(dict.fromkeys(member.operation for member in members)),
        reads=tuple(dict.fromkeys(read for member in members for read in member.reads)),
        writes=tuple(dict.fromkeys(write for member in members for write in member.writes)),
        buffers=tuple(sorted(buffer for member in members for buffer in member.buffers)),
        children=tuple(member.id for member in members),
        origins=tuple(dict.fromkeys(origin for member in members for origin in member.origins)),
    )
