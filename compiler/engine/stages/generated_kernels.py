"""Generated kernels in call order, each with its source and what it runs."""

from collections.abc import Iterable, Iterator

from compiler.engine.provenance.link_tables import table
from compiler.engine.records.recorder import BodyLoops, DynamoGraphRecord, InductorGraphRecord, scheduled
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
    fusion = (inductor_graph.after_fusion.seconds or 0.0) if inductor_graph.after_fusion else 0.0
    lowering = (inductor_graph.before_fusion.seconds or 0.0) if inductor_graph.before_fusion else 0.0
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
    tables: list[LinkTable] = []
    by_kernel = dict(scheduled(inductor_graph))
    for name, row in by_kernel.items():
        mine = [kernel for kernel in kernels if kernel.body == name.replace(".", "_")]
        tables += _of_graph(dynamo_graph, inductor_graph, name, row, mine)
    for name, graph in inductor_graph.post_grad_bodies.items():
        if name not in by_kernel:
            source = body_id(
                inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "post_grad"), name
            )
            lines = _lines_of_body(inductor_graph, name, {node.id for node in graph.nodes}, kernels)
            tables += table(source, target, "emitted", "torch", lines)
    return tuple(tables)


def _of_graph(
    dynamo_graph: DynamoGraphRecord,
    inductor_graph: InductorGraphRecord,
    name: str,
    row: InductorGraphRecord | BodyLoops,
    kernels: list[Kernel],
) -> tuple[LinkTable, ...]:
    """Links to the kernels of the graph, or of a body that has a scheduler of its own."""
    graph = inductor_graph.post_grad_bodies[name] if name else inductor_graph.post_grad
    loop_nodes = {node.id for node in row.before_fusion.nodes} if row.before_fusion is not None else set()
    fx_nodes = {node.id for node in graph.nodes} if graph is not None else set()
    by_loop, by_fx = [], []
    for kernel in kernels:
        for number, owner in line_owners(inductor_graph, kernel).items():
            line = f"{kernel.id}:L{number}"
            if owner.loop_node in loop_nodes:
                by_loop.append((owner.loop_node, line))
            if owner.fx_node in fx_nodes and (owner.loop_node in loop_nodes or not owner.loop_node):
                by_fx.append((owner.fx_node, line))
    target = inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, "kernels")
    stages = (
        inductor_graph_id(dynamo_graph.compile_id, inductor_graph.part, what)
        for what in ("fused", "loops", "post_grad")
    )
    fused, loops, post_grad = (body_id(stage, name) if name else stage for stage in stages)
    runs = [(node, kernel.id) for kernel in kernels for node in kernel.loop_nodes]
    return (
        *table(fused, target, "generated", "torch", runs),
        *table(loops, target, "emitted", "torch", by_loop, ends=True),
        *table(post_grad, target, "emitted", "torch", by_fx),
    )


def _lines_of_body(
    inductor_graph: InductorGraphRecord, name: str, nodes: set[NodeId], kernels: Iterable[Kernel]
) -> Iterator[tuple[NodeId, str]]:
    """Lines of a body that is lowered in place, whose nodes are known by the body's name and theirs."""
    for kernel in kernels:
        for number, owner in line_owners(inductor_graph, kernel).items():
            body, _, node = owner.fx_node.rpartition(".")
            if body == name and node in nodes and not kernel.body:
                yield node, f"{kernel.id}:L{number}"
