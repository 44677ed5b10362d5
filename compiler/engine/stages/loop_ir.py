"""Inductor's loop IR: the scheduler's nodes before fusion and after."""

from compiler.engine.provenance.link_tables import table
from compiler.engine.provenance.lowering_links import lowered_pairs, of_body
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.stage_ids import body_id, inductor_graph_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import LoopStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[Stage, ...]:
    """The two stages, as far as Inductor got."""
    stages = []
    post_grad = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad")
    loops = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "loops")
    if inductor_graph.before_fusion is not None:
        stages.append(
            Stage(
                loops,
                StageKind.LOOP_IR,
                f"{inductor_graph.part.capitalize()} loop IR",
                LoopStage(
                    LoopProgram(
                        tuple(inductor_graph.before_fusion.nodes),
                        choices=inductor_graph.choices,
                        knobs=inductor_graph.knobs,
                    )
                ),
                compile_id=dynamo_graph.compile_id,
                part=inductor_graph.part,
                made_by="lowering, torch/_inductor/graph.py: GraphLowering; torch/_inductor/scheduler.py",
                made_from=(post_grad,),
                seconds=inductor_graph.before_fusion.seconds,
            )
        )
    if inductor_graph.after_fusion is not None:
        reasons = tuple(dict.fromkeys(inductor_graph.not_fused))
        stages.append(
            Stage(
                inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "fused"),
                StageKind.FUSED_LOOP_IR,
                f"{inductor_graph.part.capitalize()} loop IR, fused",
                LoopStage(
                    LoopProgram(
                        tuple(inductor_graph.after_fusion.nodes),
                        reasons,
                        shared=inductor_graph.after_fusion.shared,
                        all_shared=inductor_graph.after_fusion.all_shared,
                    )
                ),
                compile_id=dynamo_graph.compile_id,
                part=inductor_graph.part,
                made_by="torch/_inductor/scheduler.py: Scheduler.fuse_nodes",
                made_from=(loops,),
                seconds=inductor_graph.after_fusion.seconds,
            )
        )
    return tuple(stages)


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """FX node, also of a body that is lowered in place → scheduler node (torch's origins) → fused node (torch's grouping)."""
    loops = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "loops")
    tables: tuple[LinkTable, ...] = ()
    if inductor_graph.before_fusion is not None and inductor_graph.post_grad is not None:
        source = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad")
        certain, likely = lowered_pairs(inductor_graph.post_grad, inductor_graph.before_fusion.nodes)
        tables += table(source, loops, "lowered", "torch", certain)
        tables += table(source, loops, "lowered", "guess", likely)
        for name, graph in inductor_graph.post_grad_bodies.items():
            certain, likely = lowered_pairs(graph, of_body(inductor_graph.before_fusion.nodes, name))
            tables += table(body_id(source, name), loops, "lowered", "torch", certain)
            tables += table(body_id(source, name), loops, "lowered", "guess", likely)
    if inductor_graph.after_fusion is not None and inductor_graph.before_fusion is not None:
        earlier = {node.id for node in inductor_graph.before_fusion.nodes}
        pairs = [
            (child, node.id)
            for node in inductor_graph.after_fusion.nodes
            for child in node.children or (node.id,)
            if child in earlier
        ]
        tables += table(
            loops,
            inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "fused"),
            "fused",
            "torch",
            pairs,
        )
    return tables
