"""The generated Python module that allocates buffers and calls the kernels."""

from compiler.engine.provenance.link_tables import table
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.records.wrapper_kernels import read_kernels
from compiler.engine.stage_ids import inductor_graph_id
from compiler.model.edits.wrapper_edits import fingerprint
from compiler.model.ir.ids import line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import WrapperCode
from compiler.model.ir.stage import Stage, StageKind, WrapperStage


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> Stage | None:
    """The stage, or None if Inductor did not get there."""
    if not inductor_graph.wrapper_text:
        return None
    return Stage(
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "wrapper"),
        StageKind.WRAPPER,
        f"{inductor_graph.part.capitalize()} wrapper",
        WrapperStage(
            WrapperCode(
                inductor_graph.wrapper_path,
                inductor_graph.wrapper_text,
                tuple(inductor_graph.memory_plan),
                inductor_graph.wrapper_language,
                fingerprint(inductor_graph.generated_text or inductor_graph.wrapper_text),
            )
        ),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by="torch/_inductor/codegen/wrapper.py: PythonWrapperCodegen",
        made_from=(inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "kernels"),),
    )


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Kernel → the line that calls it."""
    if not inductor_graph.wrapper_text:
        return ()
    pairs = [
        (kernel.id, line_id(kernel.call_line))
        for kernel in read_kernels(inductor_graph)
        if kernel.call_line is not None
    ]
    source = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "kernels")
    return table(
        source,
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "wrapper"),
        "called",
        "torch",
        pairs,
    )
