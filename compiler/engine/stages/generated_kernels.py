"""Generated kernels in call order, each with its source and what it runs."""

from compiler.engine.provenance.link_tables import table
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord
from compiler.engine.records.wrapper_kernels import line_owners, read_kernels
from compiler.engine.stage_ids import body_id, inductor_graph_id
from compiler.model.ir.ids import NodeId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import Kernel, KernelSet
from compiler.model.ir.stage import KernelStage, Stage, StageKind


def make(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> Stage | None:
    """The stage, or None if Inductor did not get there."""
    if not inductor_graph.wrapper_text:
        return None
    known = inductor_graph.seconds
    fusion = inductor_graph.after_fusion.seconds if inductor_graph.after_fusion else 0.0
    lowering = inductor_graph.before_fusion.seconds if inductor_graph.before_fusion else 0.0
    return Stage(
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "kernels"),
        StageKind.KERNELS,
        f"{inductor_graph.part.capitalize()} kernels",
        KernelStage(KernelSet(read_kernels(inductor_graph))),
        compile_id=dynamo_graph.compile_id,
        part=inductor_graph.part,
        made_by="torch/_inductor/codegen, built and loaded",
        made_from=(inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "fused"),),
        seconds=max(known["whole"] - known.get("post_grad", 0.0) - fusion - lowering, 0.0)
        if "whole" in known
        else None,
    )


def link(dynamo_graph: DynamoGraphRecord, inductor_graph: InductorGraphRecord) -> tuple[LinkTable, ...]:
    """Fused node → kernel (torch's schedule); FX node and scheduler node → line of kernel source (noted as it was
    written).
    """
    if not inductor_graph.wrapper_text:
        return ()
    kernels = read_kernels(inductor_graph)
    target = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "kernels")
    runs = [(node, kernel.id) for kernel in kernels for node in kernel.loop_nodes]
    loop_nodes = (
        {node.id for node in inductor_graph.before_fusion.nodes}
        if inductor_graph.before_fusion is not None
        else set()
    )
    fx_nodes = (
        {node.id for node in inductor_graph.post_grad.nodes}
        if inductor_graph.post_grad is not None
        else set()
    )
    by_loop, by_fx = [], []
    by_body: dict[str, list[tuple[NodeId, str]]] = {}
    tables: list[LinkTable] = []
    for name, graph in inductor_graph.post_grad_bodies.items():
        inside = [kernel for kernel in kernels if kernel.body == name.replace(".", "_")]
        tables += _of_body(
            inductor_graph, dynamo_graph.compile_id, name, {node.id for node in graph.nodes}, inside
        )
    for kernel in kernels:
        if kernel.body:
            continue
        for number, owner in line_owners(inductor_graph, kernel).items():
            line = f"{kernel.id}:L{number}"
            if owner.loop_node in loop_nodes:
                by_loop.append((owner.loop_node, line))
                if owner.fx_node in fx_nodes:
                    by_fx.append((owner.fx_node, line))
                body, _, node = owner.fx_node.rpartition(".")
                if body in inductor_graph.post_grad_bodies:
                    by_body.setdefault(body, []).append((node, line))
    fused, loops, post_grad = (
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, what)
        for what in ("fused", "loops", "post_grad")
    )
    return (
        *table(fused, target, "generated", "torch", runs),
        *table(loops, target, "emitted", "torch", by_loop, ends=True),
        *table(post_grad, target, "emitted", "torch", by_fx),
        *(
            row
            for body, lines in by_body.items()
            for row in table(body_id(post_grad, body), target, "emitted", "torch", lines)
        ),
        *tables,
    )


def _of_body(
    inductor_graph: InductorGraphRecord, compile_id: str, name: str, nodes: set[NodeId], kernels: list[Kernel]
) -> tuple[LinkTable, ...]:
    """Node of a body → kernel (torch's origins) and line of kernel source; the loop IR of bodies is no stage."""
    source = body_id(inductor_graph_id(compile_id, inductor_graph.part, "post_grad"), name)
    target = inductor_graph_id(compile_id, inductor_graph.part, "kernels")
    whole = [(node, kernel.id) for kernel in kernels for node in kernel.origins if node in nodes]
    lines = [
        (owner.fx_node, f"{kernel.id}:L{number}")
        for kernel in kernels
        for number, owner in line_owners(inductor_graph, kernel).items()
        if owner.fx_node in nodes
    ]
    return (
        *table(source, target, "generated", "torch", whole),
        *table(source, target, "emitted", "torch", lines),
    )
