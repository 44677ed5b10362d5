"""Links between the stages of one compile: what torch logged of where things come from; where it logged nothing, nodes of the
same line, which is a guess and said to be one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.analysis.torch_logs.log_stages import CompileStages
from compiler.analysis.torch_logs.printed.generated_code import CallNote
from compiler.analysis.torch_logs.records.break_reports import read_stack
from compiler.analysis.torch_logs.records.cache_answers import read_object
from compiler.analysis.torch_logs.records.interned_strings import of_torch
from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import NodeId, StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import KernelStage, Stage, StageKind

_LONGEST_STACK = 20_000
_Pairs = dict[tuple[NodeId, NodeId], None]


def links_of(compiled: CompileStages) -> Iterator[LinkTable]:
    """All tables of a compile, but those from source files."""
    by_id = {stage.id: stage for stage in compiled.stages}
    for stage in compiled.stages:
        for before in stage.made_from:
            if before in by_id:
                yield from _between(by_id[before], stage, compiled)
    for stage in compiled.stages:
        if stage.id in compiled.mappings:
            yield from _recorded(stage, by_id, compiled)


def _between(before: Stage, after: Stage, compiled: CompileStages) -> Iterator[LinkTable]:
    match after.kind:
        case StageKind.PRE_GRAD_GRAPH | StageKind.POST_GRAD_GRAPH:
            yield from _same(before, after)
        case StageKind.JOINT_GRAPH:
            yield from _by_line(before, after)
        case StageKind.AOT_GRAPH if before.kind is StageKind.JOINT_GRAPH:
            yield from _same(before, after, "partitioned")
        case StageKind.AOT_GRAPH:
            yield from _by_line(before, after)
        case StageKind.KERNELS if before.graph is not None:
            yield from _in_kernels(before.id, before.graph, after, compiled)
        case StageKind.WRAPPER if isinstance(before.content, KernelStage):
            kernels = before.kernels
            calls = {(row.id, line_id(row.call_line)): None for row in kernels if row.call_line}
            yield from _table(before.id, after.id, "called", "torch", calls)


def _table(source: StageId, target: StageId, kind: str, proof: str, pairs: _Pairs) -> Iterator[LinkTable]:
    if pairs:
        yield LinkTable(source, target, kind, proof, tuple(pairs))


def _same_names(before: Stage, after: Stage) -> _Pairs:
    first, second = before.graph, after.graph
    if first is None or second is None:
        return {}
    return {(node.id, node.id): None for node in second.nodes if node.op != "output" and first.holds(node.id)}


def _same(before: Stage, after: Stage, kind: str = "same") -> Iterator[LinkTable]:
    """Nodes that a pass left keep their names; what it made is linked by its line."""
    pairs = _same_names(before, after)
    yield from _table(before.id, after.id, kind, "name", pairs)
    first, second = before.graph, after.graph
    if first is None or second is None:
        return
    kept = {name for name, _ in pairs}
    gone = [node for node in first.nodes if node.id not in kept]
    made = [node for node in second.nodes if node.id not in kept]
    yield from _table(before.id, after.id, "rewritten", "guess", _of_one_line(gone, made))


def _by_line(before: Stage, after: Stage) -> Iterator[LinkTable]:
    first, second = before.graph, after.graph
    if first is not None and second is not None:
        yield from _table(before.id, after.id, "decomposed", "guess", _of_one_line(first.nodes, second.nodes))
        yield from _table(before.id, after.id, "passed", "guess", _inputs(first, second))


def _of_one_line(first: Iterable[Node], second: Iterable[Node]) -> _Pairs:
    made: dict[tuple[str, int], list[NodeId]] = defaultdict(list)
    for node in second:
        if node.stack and node.op not in ("placeholder", "output"):
            made[node.stack[-1].path, node.stack[-1].line].append(node.id)
    return {
        (node.id, other): None
        for node in first
        if node.stack and node.op not in ("placeholder", "output")
        for other in made.get((node.stack[-1].path, node.stack[-1].line), ())
    }


def _inputs(first: Graph, second: Graph) -> _Pairs:
    """Inputs in their order, where both have as many of the same types (tangents aside)."""
    given = [node for node in first.nodes if node.op == "placeholder"]
    taken = [node for node in second.nodes if node.op == "placeholder" and node.role != "tangent"]
    if len(given) != len(taken):
        return {}
    alike = all(
        row.value is None or other.value is None or row.value == other.value
        for row, other in zip(given, taken, strict=True)
    )
    return {(row.id, other.id): None for row, other in zip(given, taken, strict=True)} if alike else {}


def _in_kernels(stage: StageId, graph: Graph, kernels: Stage, compiled: CompileStages) -> Iterator[LinkTable]:
    """What torch recorded, in its mappings or in fragments above the calls; of other kernels what their names say."""
    notes = compiled.notes.get(kernels.id, ())
    certain = _mapped(stage, graph, kernels, compiled)
    likely: _Pairs = {}
    for note in notes:
        certain |= {(node, note.kernel): None for node in note.nodes if graph.holds(node)}
    reported = {kernel for _, kernel in certain}
    for note in notes:
        if note.kernel not in reported:
            likely |= {(node, note.kernel): None for node in _of_name(graph, note)}
    yield from _table(stage, kernels.id, "generated", "torch", certain)
    yield from _table(stage, kernels.id, "generated", "guess", likely)


def _mapped(stage: StageId, graph: Graph, kernels: Stage, compiled: CompileStages) -> _Pairs:
    names = _kernels_by_name(kernels)
    return {
        (node, kernel): None
        for name, nodes in _lists(_mapping(compiled, stage).get("cppCodeToPost"))
        for kernel in calls_of(name, names)
        for node in nodes
        if graph.holds(node)
    }


def _kernels_by_name(kernels: Stage) -> dict[str, list[NodeId]]:
    names: dict[str, list[NodeId]] = defaultdict(list)
    for kernel in kernels.kernels:
        names[kernel.name].append(kernel.id)
    return names


def _mapping(compiled: CompileStages, stage: StageId) -> Json:
    entry = compiled.mappings.get(stage)
    return read_object(entry.text or "") if entry is not None else {}


def _of_name(graph: Graph, note: CallNote) -> Iterator[NodeId]:
    """Nodes whose operator the kernel's name, or the comment above its call, names."""
    kernel = note.kernel.partition("#")[0]
    words = f"_{kernel.rpartition('fused_')[2]}_" if "fused_" in kernel else f"_{kernel.rpartition('.')[2]}_"
    operators = {name.partition(".")[2].partition(".")[0] for name in note.operators}
    for node in graph.nodes:
        parts = node.target.split(".")
        if node.op != "call_function" or len(parts) < 2:
            continue
        name = parts[-2] if parts[0] in ("aten", "prims", "inductor") and len(parts) > 2 else parts[-1]
        if name in operators or f"_{name}_" in words:
            yield node.id


def _recorded(post: Stage, by_id: dict[StageId, Stage], compiled: CompileStages) -> Iterator[LinkTable]:
    """What torch noted itself of which node became which (``inductor_provenance_tracking_node_mappings``)."""
    graph = post.graph
    pre = by_id.get(f"{post.compile_id}:pre_grad") or by_id.get(f"{post.compile_id}:dynamo")
    if graph is not None and pre is not None and pre.graph is not None:
        holds = pre.graph.holds
        pairs: _Pairs = {
            (node, other): None
            for node, others in _lists(_mapping(compiled, post.id).get("preToPost"))
            if holds(node)
            for other in others
            if graph.holds(other)
        }
        yield from _table(pre.id, post.id, "decomposed", "torch", pairs)


def kernel_lines(kernels: Stage, compiled: CompileStages) -> Iterator[tuple[SourceLine, NodeId]]:
    """(the user's line, a kernel that was made of it), as torch noted it
    (``inductor_provenance_tracking_kernel_stack_traces``).
    """
    entry = compiled.stacks.get(kernels.id)
    names = _kernels_by_name(kernels)
    for name, traces in _lists(read_object(entry.text or "") if entry is not None else {}):
        for trace in traces:
            lines = [line for line in read_stack(trace[:_LONGEST_STACK]) if not of_torch(line.path)]
            for kernel in calls_of(name, names):
                yield from ((line, kernel) for line in lines[-1:])


def calls_of(name: str, names: dict[str, list[NodeId]]) -> list[NodeId]:
    """Kernels of a name of torch's, which counts calls behind a colon: ``cpp_fused_add_0:2``."""
    plain = name.rpartition(":")[0] if ":" in name else name
    return names.get(plain) or names.get(f"extern_kernels.{plain.rpartition('.')[2]}") or []


def _lists(value: object) -> Iterator[tuple[str, list[str]]]:
    if isinstance(value, dict):
        for key, items in value.items():
            if isinstance(items, list):
                yield str(key), [item for item in items if isinstance(item, str)]
