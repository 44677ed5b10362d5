"""How stages are named. Ids are the same from capture to capture of one program, so that selections survive."""

from compiler.model.edits.stage_order import parts_of
from compiler.model.ir.ids import StageId


def source_id(path: str) -> StageId:
    """A file of the user's."""
    return f"source:{path}"


def rewritten_id(compile_id: str) -> StageId:
    """What Dynamo made of a frame's bytecode."""
    return f"{compile_id}:rewritten"


def dynamo_graph_id(compile_id: str, what: str) -> StageId:
    """A stage of one Dynamo graph: dynamo, pre_grad, joint."""
    return f"{compile_id}:{what}"


def inductor_graph_id(compile_id: str, part: str, what: str) -> StageId:
    """A stage of one Inductor graph: aot, post_grad, loops, fused, kernels, wrapper."""
    return f"{compile_id}:{part}:{what}"


def body_id(stage: StageId, name: str) -> StageId:
    """A body that a higher-order operator of a stage calls: ``0/0:dynamo:cond_true_0``."""
    return f"{stage}:{name}"


def graph_stage(stage: StageId) -> StageId:
    """The FX graph whose code a stage's edits change: for loop IR, kernels and wrapper the post-grad graph they were
    made from.
    """
    compile_id, part, what = split(stage)
    return (
        inductor_graph_id(compile_id, part, "post_grad") if what in ("loops", "kernels", "wrapper") else stage
    )


def split(stage: StageId) -> tuple[str, str, str]:
    """(compile id, part or "", what) of a region's or unit's stage id."""
    return parts_of(stage)
