"""The passes of a region as plain data, and the proof that they lead from each stage's first graph to the stage."""

import dataclasses

import msgspec

from compiler.engine.records.pass_recorder import PassTimeline, RunRecord, patterns_in
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.passes import FusionStep, PassRun, PassStart, after_run


@dataclasses.dataclass
class FoundPasses:
    """Everything that ran over the graphs of some regions."""

    runs: list[PassRun] = dataclasses.field(default_factory=list)
    starts: list[PassStart] = dataclasses.field(default_factory=list)
    fusions: list[FusionStep] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)
    """Stages whose passes do not lead to them; these are left out."""

    def add(self, more: "FoundPasses") -> None:
        """Those of another graph too."""
        self.runs += more.runs
        self.starts += more.starts
        self.fusions += more.fusions
        self.faults += more.faults


def passes_of(dynamo_graph: DynamoGraphRecord) -> FoundPasses:
    """All passes of a finished Dynamo graph, its roles carried (`carry_roles`) before."""
    found = FoundPasses()
    name = dynamo_graph.compile_id
    pre_grad, joint = dynamo_graph.pre_grad_passes, dynamo_graph.joint_passes
    if pre_grad is not None and dynamo_graph.pre_grad is not None:
        stage = dynamo_graph_id(name, "pre_grad")
        _add(
            found,
            stage,
            pre_grad,
            dynamo_graph.dynamo,
            dynamo_graph.pre_grad,
            dynamo_graph_id(name, "dynamo"),
        )
    if joint is not None and dynamo_graph.joint is not None:
        _add(found, dynamo_graph_id(name, "joint"), joint, joint.began, dynamo_graph.joint, "")
    for inductor_graph in dynamo_graph.inductor_graphs:
        if inductor_graph.passes is not None and inductor_graph.post_grad is not None:
            stage = inductor_graph_id(name, inductor_graph.part, "post_grad")
            began_as = inductor_graph_id(name, inductor_graph.part, "aot")
            _add(
                found,
                stage,
                inductor_graph.passes,
                inductor_graph.aot_graph,
                inductor_graph.post_grad,
                began_as,
            )
        fused = inductor_graph.after_fusion is not None  # else Inductor failed on the way there
        for number, step in enumerate(inductor_graph.fusions if fused else (), 1):
            stage = inductor_graph_id(name, inductor_graph.part, "fused")
            identity = f"{name}:{inductor_graph.part}:fusion:{number}"
            found.fusions.append(msgspec.structs.replace(step, id=identity, stage=stage))
    return found


def _add(
    found: FoundPasses, stage: StageId, timeline: PassTimeline, start: Graph, end: Graph, began_as: StageId
) -> None:
    if not timeline.runs:
        return
    dress = _Dress(start, end)
    graph = start = start if began_as else dress.graph(start)
    runs = []
    for number, record in enumerate(timeline.runs, 1):
        run = _run(f"{stage}:{record.phase}:{number}", stage, record, graph, dress)
        try:
            graph = after_run(graph, run)
        except ValueError as error:
            found.faults.append(f"the passes of {stage}: {error}")
            return
        runs.append(run)
    if graph != end:
        found.faults.append(f"the passes of {stage} lead to another graph than the one that was compiled")
        return
    found.runs += runs
    phase = timeline.runs[0].phase
    found.starts.append(PassStart(stage, phase, began_as, None if began_as else start))


class _Dress:
    """Roles of inputs and lanes, which are known only when all graphs are, put on nodes of the time between."""

    def __init__(self, start: Graph, end: Graph) -> None:
        both = (*start.nodes, *end.nodes)
        self._roles = {node.id: node.role for node in both if node.op == "placeholder"}
        self._lanes = {node.id: node.lane for node in both}
        self._in_lanes = any(self._lanes.values())

    def node(self, node: Node) -> Node:
        """The node with its role and its lane: that of its inputs, if it is in neither of the two graphs."""
        role = self._roles.get(node.id, node.role) if node.op == "placeholder" else ""
        lane = self._lanes.get(node.id)
        if lane is None:
            back = any(self._lanes.get(used) == "backward" for used in node.inputs())
            lane = ("backward" if back else "forward") if self._in_lanes else ""
            self._lanes[node.id] = lane
        if (node.role, node.lane) == (role, lane):
            return node
        return msgspec.structs.replace(node, role=role, lane=lane)

    def graph(self, graph: Graph) -> Graph:
        """The graph with roles and lanes."""
        return Graph(tuple(map(self.node, graph.nodes)))


def _run(identity: str, stage: StageId, record: RunRecord, before: Graph, dress: _Dress) -> PassRun:
    found = record.difference
    notes = [patterns_in(record.rewrites)] if record.rewrites else []
    notes += [f"with {', '.join(record.inner)}"] if record.inner else []
    return PassRun(
        id=identity,
        name=record.name,
        phase=record.phase,
        stage=stage,
        seconds=record.seconds,
        made=tuple(map(dress.node, found.made)),
        changed=tuple(map(dress.node, found.changed)),
        removed=found.removed,
        order=found.order,
        origins=_origins(record, before),
        note="; ".join(notes),
        after=found.after,
        replaced=record.replaced,
    )


def _origins(record: RunRecord, before: Graph) -> tuple[tuple[NodeId, tuple[NodeId, ...]], ...]:
    """What each node made stands for: the node whose users it got, else the nodes that the pattern matched."""
    known = {node.id for node in before.nodes}
    made = {node.id: dict[NodeId, None]() for node in record.difference.made}
    for old, new in record.replaced:
        if new in made and old in known:
            made[new][old] = None
    stands_for = {name: tuple(olds) for name, olds in made.items()}
    for _, matched, fresh in record.rewrites:
        for name in fresh:
            if name in stands_for and not stands_for[name]:
                stands_for[name] = tuple(item for item in matched if item in known)
    return tuple((name, olds) for name, olds in stands_for.items() if olds)
