"""What AOTAutograd generates around its compiled graphs: inputs taken apart, mutations and aliases given back, autograd's function."""

from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import dynamo_graph_id, inductor_graph_id
from compiler.model.ir.stage import RUNTIME_WRAPPERS_MADE_BY, Stage, StageKind, TextStage


def make(dynamo_graph: DynamoGraphRecord) -> Stage | None:
    """The stage as torch 2.15 writes it to its log, or None where nothing is generated. Nothing of torch's says which of its
    lines is of which node, so that it has no links.
    """
    if not dynamo_graph.runtime_wrappers:
        return None
    text = "\n\n".join(f"# {name}\n{source}" for name, source in dynamo_graph.runtime_wrappers)
    called = dict.fromkeys(
        inductor_graph_id(dynamo_graph.compile_id, graph.part, "wrapper")
        for graph in dynamo_graph.inductor_graphs
    )
    return Stage(
        dynamo_graph_id(dynamo_graph.compile_id, "runtime_wrappers"),
        StageKind.RUNTIME_WRAPPERS,
        "Runtime wrappers",
        TextStage(text, "python"),
        compile_id=dynamo_graph.compile_id,
        made_by=RUNTIME_WRAPPERS_MADE_BY,
        made_from=tuple(called),
    )
