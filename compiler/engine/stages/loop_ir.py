"""Inductor's loop IR: the scheduler's nodes before fusion and after. The body of a higher-order operator that is lowered apart
(a branch of ``cond``) has a scheduler of its own, and so the same two stages.
"""

from collections.abc import Iterator

from compiler.engine.provenance.link_tables import table
from compiler.engine.provenance.lowering_links import inlined_pairs, lowered_pairs, of_body
from compiler.engine.records.recorder import BodyLoops, DynamoGraphRecord, InductorGraphRecord, scheduled
from compiler.engine.stage_ids import body_id, inductor_graph_id
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import LoopStage, Stage, StageKind

_LOWERING = "lowering, torch/_inductor/graph.py: GraphLowering; torch/_inductor/scheduler.py"
_FUSION = "torch/_inductor/scheduler.py: Scheduler.fuse_nodes"


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[Stage, ...]:
    """The stages, as far as Inductor got; those of bodies after those of the graph that calls them."""
    rows = tuple(scheduled(inductor_graph))
    return (
        *(stage for name, row in rows for stage in _before(dynamo_graph, inductor_graph, name, row)),
        *(stage for name, row in rows for stage in _after(dynamo_graph, inductor_graph, name, row)),
    )


def _stage(
    dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord, what: str, name: str
) -> StageId:
    stage = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, what)
    return body_id(stage, name) if name else stage


def _before(
    dynamo_graph: DynamoGraphRecord,
    inductor_graph: InductorGraphRecord,
    name: str,
    row: InductorGraphRecord | BodyLoops,
) -> Iterator[Stage]:
    if row.before_fusion is None:
        return
    nodes = tuple(row.before_fusion.nodes)
    program = (
        LoopProgram(nodes, choices=row.choices, knobs=row.knobs)
        if isinstance(row, InductorGraphRecord)
        else LoopProgram(nodes)
    )
    yield Stage(
        _stage(dynamo_graph, inductor_graph, "loops", name),
        StageKind.LOOP_IR,
        f"{inductor_graph.part.capitalize()} loop IR" + (f" of {name}" if name else ""),
        LoopStage(program),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by=_LOWERING,
        made_from=(_stage(dynamo_graph, inductor_graph, "post_grad", name),),
        seconds=row.before_fusion.seconds,
    )


def _after(
    dynamo_graph: DynamoGraphRecord,
    inductor_graph: InductorGraphRecord,
    name: str,
    row: InductorGraphRecord | BodyLoops,
) -> Iterator[Stage]:
    if row.after_fusion is None:
        return
    program = LoopProgram(
        tuple(row.after_fusion.nodes),
        tuple(dict.fromkeys(row.not_fused)),
        shared=row.after_fusion.shared,
        all_shared=row.after_fusion.all_shared,
    )
    yield Stage(
        _stage(dynamo_graph, inductor_graph, "fused", name),
        StageKind.FUSED_LOOP_IR,
        f"{inductor_graph.part.capitalize()} loop IR, fused" + (f", of {name}" if name else ""),
        LoopStage(program),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by=_FUSION,
        made_from=(_stage(dynamo_graph, inductor_graph, "loops", name),),
        seconds=row.after_fusion.seconds,
    )


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """FX node, also of a body, that is lowered apart or in place → scheduler node (torch's origins) → fused node (torch's
    grouping).
    """
    tables: list[LinkTable] = []
    separate = set()
    for name, row in scheduled(inductor_graph):
        separate.add(name)
        graph = inductor_graph.post_grad_bodies[name] if name else inductor_graph.post_grad
        source, loops, fused = (
            _stage(dynamo_graph, inductor_graph, what, name) for what in ("post_grad", "loops", "fused")
        )
        if row.before_fusion is not None and graph is not None:
            certain, likely = lowered_pairs(graph, row.before_fusion.nodes)
            tables += table(source, loops, "lowered", "torch", certain)
            tables += table(source, loops, "lowered", "guess", likely)
        if row.after_fusion is not None and row.before_fusion is not None:
            earlier = {node.id for node in row.before_fusion.nodes}
            pairs = [
                (child, node.id)
                for node in row.after_fusion.nodes
                for child in node.children or (node.id,)
                if child in earlier
            ]
            tables += table(loops, fused, "fused", "torch", pairs)
    if inductor_graph.before_fusion is not None and inductor_graph.post_grad is not None:
        for name, graph in inductor_graph.post_grad_bodies.items():
            if name not in separate:
                tables += _in_place(dynamo_graph, inductor_graph, inductor_graph.post_grad, name, graph)
    return tuple(tables)


def _in_place(
    dynamo_graph: DynamoGraphRecord,
    inductor_graph: InductorGraphRecord,
    outer: Graph,
    name: str,
    graph: Graph,
) -> tuple[LinkTable, ...]:
    """Links of a body that is lowered with the graph that calls it."""
    assert inductor_graph.before_fusion is not None
    source = _stage(dynamo_graph, inductor_graph, "post_grad", name)
    loops = _stage(dynamo_graph, inductor_graph, "loops", "")
    certain, likely = lowered_pairs(graph, of_body(inductor_graph.before_fusion.nodes, name))
    if not certain and not likely:
        likely = inlined_pairs(outer, name, graph, inductor_graph.before_fusion.nodes)
    return (
        *table(source, loops, "lowered", "torch", certain),
        *table(source, loops, "lowered", "guess", likely),
    )
