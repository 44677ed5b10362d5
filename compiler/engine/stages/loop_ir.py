"""Inductor's loop IR: the scheduler's nodes before fusion and after."""

from compiler.engine.provenance.link_tables import table
from compiler.engine.provenance.lowering_links import lowered_pairs
from compiler.engine.records.recorder import RegionRecord, UnitRecord
from compiler.engine.stage_ids import unit_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import LoopProgram
from compiler.model.ir.stage import LoopStage, Stage, StageKind


def make(region: RegionRecord, unit: UnitRecord) -> tuple[Stage, ...]:
    """The two stages, as far as Inductor got."""
    stages = []
    post_grad = unit_id(region.compile_id, unit.part, "post_grad")
    loops = unit_id(region.compile_id, unit.part, "loops")
    if unit.before_fusion is not None:
        stages.append(
            Stage(
                loops,
                StageKind.LOOP_IR,
                f"{unit.part.capitalize()} loop IR",
                LoopStage(
                    LoopProgram(tuple(unit.before_fusion.nodes), choices=unit.choices, knobs=unit.knobs)
                ),
                compile_id=region.compile_id,
                part=unit.part,
                made_by="lowering, torch/_inductor/graph.py: GraphLowering; torch/_inductor/scheduler.py",
                made_from=(post_grad,),
                seconds=unit.before_fusion.seconds,
            )
        )
    if unit.after_fusion is not None:
        reasons = tuple(dict.fromkeys(unit.not_fused))
        stages.append(
            Stage(
                unit_id(region.compile_id, unit.part, "fused"),
                StageKind.FUSED_LOOP_IR,
                f"{unit.part.capitalize()} loop IR, fused",
                LoopStage(
                    LoopProgram(
                        tuple(unit.after_fusion.nodes),
                        reasons,
                        shared=unit.after_fusion.shared,
                        all_shared=unit.after_fusion.all_shared,
                    )
                ),
                compile_id=region.compile_id,
                part=unit.part,
                made_by="torch/_inductor/scheduler.py: Scheduler.fuse_nodes",
                made_from=(loops,),
                seconds=unit.after_fusion.seconds,
            )
        )
    return tuple(stages)


def link(region: RegionRecord, unit: UnitRecord) -> tuple[LinkTable, ...]:
    """FX node → scheduler node (torch's origins) → fused node (torch's grouping)."""
    loops = unit_id(region.compile_id, unit.part, "loops")
    tables: tuple[LinkTable, ...] = ()
    if unit.before_fusion is not None and unit.post_grad is not None:
        source = unit_id(region.compile_id, unit.part, "post_grad")
        certain, likely = lowered_pairs(unit.post_grad, unit.before_fusion.nodes)
        tables += table(source, loops, "lowered", "torch", certain)
        tables += table(source, loops, "lowered", "guess", likely)
    if unit.after_fusion is not None and unit.before_fusion is not None:
        earlier = {node.id for node in unit.before_fusion.nodes}
        pairs = [
            (child, node.id)
            for node in unit.after_fusion.nodes
            for child in node.children or (node.id,)
            if child in earlier
        ]
        tables += table(loops, unit_id(region.compile_id, unit.part, "fused"), "fused", "torch", pairs)
    return tables
