"""A part of a graph as one node: extracted to a submodule, wrapped in a custom operator, and put back in place.

The node holds the part as its body: placeholders for what it uses, its calls, and what it gives.
"""

import hashlib

import msgspec

from compiler.model.capture.counted import counted
from compiler.model.edits.edits import EditGroup
from compiler.model.edits.edits_between import edits_between
from compiler.model.edits.patterns import results_of
from compiler.model.edits.validation import EditError, find_node
from compiler.model.effects.memory import memory_of
from compiler.model.effects.purity import draws_random_numbers, is_pure
from compiler.model.ir.argument_substitution import substituted
from compiler.model.ir.arguments import (
    Argument,
    ConstantArgument,
    MappingArgument,
    NodeArgument,
    SequenceArgument,
)
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.fresh_names import unused_name
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue, TupleValue, Value

OPERATORS = "loupe_made"
"""Namespace of custom operators made from parts of graphs."""
_NO_ARGUMENTS = SequenceArgument("tuple", ())


class _Region(msgspec.Struct, frozen=True):
    """A part of a graph, with what crosses its border."""

    calls: tuple[Node, ...]
    inputs: tuple[NodeId, ...]
    outputs: tuple[Node, ...]
    before: tuple[Node, ...]
    behind: tuple[Node, ...]
    """All others, by where they stand once it is one call."""


def extract_submodule(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...], name: str) -> EditGroup:
    """Let a submodule make the chosen calls. Raises EditError."""
    if speaks_aten(graph):
        raise EditError("A graph of operators calls no modules; wrap the part in a custom operator instead.")
    region = _region(graph, chosen)
    target = unused_name(graph, name)
    return _replaced(
        stage,
        graph,
        region,
        "call_module",
        target,
        target,
        f"Extract {counted(len(region.calls), 'node')} to {target}",
    )


def wrap_in_operator(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...], name: str) -> EditGroup:
    """Let a custom operator, which Inductor cannot look into, make the chosen calls. Raises EditError."""
    region = _region(graph, chosen)
    known = graph.by_id()
    for node in region.calls:
        if not is_pure(node) or draws_random_numbers(node):
            raise EditError(
                f"{node.id} works in place or draws random numbers; an operator may do neither here."
            )
    memory = memory_of(graph)
    for number, result in enumerate(region.outputs):
        others = (*region.inputs, *(one.id for one in region.outputs[:number]))
        if memory.is_written(result.id) and any(memory.share(result.id, other) for other in others):
            raise EditError(
                f"{result.id} is written to in place, or what it is a view of; an operator gives a copy, which that would miss."
            )
    for end in (*(known[used] for used in region.inputs), *region.outputs):
        if not isinstance(end.value, TensorValue):
            raise EditError(f"{end.id} is no tensor, and an operator takes and gives tensors only.")
    body = _body(graph, region)
    label = unused_name(graph, name)
    target = f"{OPERATORS}.{label}_{body_hash(body)}.default"
    what = f"Wrap {counted(len(region.calls), 'node')} in the operator {label}"
    return _replaced(stage, graph, region, "call_function", target, label, what)


def inline(stage: StageId, graph: Graph, node_id: NodeId) -> EditGroup:
    """Put the calls of a node's body back in its place. Raises EditError."""
    holder = find_node(graph, node_id)
    if not holder.body:
        raise EditError(f"{node_id} holds no part of the graph.")
    inputs = [node.id for node in holder.body if node.op == "placeholder"]
    names: dict[NodeId, Argument] = dict(zip(inputs, holder.args.items, strict=True))
    made: list[Node] = []
    taken = {node.id for node in graph.nodes} - {node_id}
    parts = {user.id: user for user in graph.nodes if _part_of(user, node_id) is not None}
    results = results_of(Graph(holder.body))
    wished = dict(
        zip(results, (_names_of_parts(parts, node_id, index) for index in range(len(results))), strict=True)
    )
    for node in holder.body:
        if node.op in ("placeholder", "output"):
            continue
        keep = wished.get(node.id) or node.id
        free = unused_name(Graph(()), keep, (taken - set(parts)) | {one.id for one in made})
        names[node.id] = NodeArgument(free)
        made.append(msgspec.structs.replace(substituted(node, names), id=free))
    ends = {part: names[results[_part_of(user, node_id) or 0]] for part, user in parts.items()}
    if len(results) == 1:
        ends[node_id] = names[results[0]]
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.id == node_id:
            nodes += made
        elif node.id not in parts:
            nodes.append(substituted(node, ends))
    return _group(stage, graph, Graph(tuple(nodes)), f"Inline {node_id}")


def body_hash(body: tuple[Node, ...]) -> str:
    """What a body does in eight letters: equal for equal calls."""
    rows = [(node.id, node.op, node.target, node.args, node.kwargs) for node in body]
    return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:8]


def _region(graph: Graph, chosen: tuple[NodeId, ...]) -> _Region:
    calls = tuple(node for node in graph.nodes if node.id in chosen and node.op.startswith("call"))
    if not calls:
        raise EditError("Select nodes that call something.")
    if held := next((node for node in calls if node.body), None):
        raise EditError(f"{held.id} holds a part of the graph itself; inline it first.")
    inside = {node.id for node in calls}
    after: set[NodeId] = set()
    for node in graph.nodes:
        uses = set(node.inputs())
        if node.id in inside and uses & after:
            between = sorted(uses & after)[0]
            raise EditError(
                f"{between}, which is not selected, stands between: {node.id} needs it, and it needs the selection."
            )
        if node.id not in inside and uses & (inside | after):
            after.add(node.id)
    inputs = tuple(dict.fromkeys(used for node in calls for used in node.inputs() if used not in inside))
    users = graph.users()
    outputs = tuple(node for node in calls if set(users[node.id]) - inside)
    if not outputs:
        raise EditError("Nothing uses what these nodes give.")
    place = graph.nodes.index(calls[-1])
    others = [(at, node) for at, node in enumerate(graph.nodes) if node.id not in inside]
    before = tuple(node for at, node in others if at < place and node.id not in after)
    moved = tuple(node for at, node in others if at < place and node.id in after)
    behind = (*moved, *(node for at, node in others if at > place))
    _require_same(graph, (*before, *calls, *behind))
    return _Region(calls, inputs, outputs, before, behind)


def _require_same(graph: Graph, wanted: tuple[Node, ...]) -> None:
    """Refuse another order in which calls that write or act would come to something else."""
    called = [node for node in graph.nodes if node.op.startswith("call")]
    acting = [node for node in called if not is_pure(node) or draws_random_numbers(node)]
    old, new = ({node.id: at for at, node in enumerate(nodes)} for nodes in (graph.nodes, wanted))
    memory = memory_of(graph) if acting else None
    for one in acting:
        for other in called:
            moves = (old[one.id] < old[other.id]) != (new[one.id] < new[other.id])
            if moves and memory is not None and memory.must_keep_order(one, other):
                order = "before" if old[one.id] < old[other.id] else "after"
                raise EditError(
                    f"{one.id} must stay {order} {other.id}, which it could not if these calls were made in one go: it works in "
                    "place, or draws random numbers."
                )


def _body(graph: Graph, region: _Region) -> tuple[Node, ...]:
    known = graph.by_id()
    inputs = tuple(
        Node(name, "placeholder", name, _NO_ARGUMENTS, value=known[name].value) for name in region.inputs
    )
    results = SequenceArgument("tuple", tuple(NodeArgument(node.id) for node in region.outputs))
    result: Argument = results.items[0] if len(results.items) == 1 else results
    return (*inputs, *region.calls, Node("output", "output", "output", SequenceArgument("tuple", (result,))))


def _replaced(
    stage: StageId, graph: Graph, region: _Region, op: str, target: str, name: NodeId, label: str
) -> EditGroup:
    body = _body(graph, region)
    values: list[Value | None] = [node.value for node in region.outputs]
    several = TupleValue(tuple(value for value in values if value is not None))
    last = region.outputs[-1]
    call = Node(
        unused_name(graph, name), op, target, SequenceArgument("tuple", tuple(map(NodeArgument, region.inputs))),
        value=values[0] if len(values) == 1 else several, stack=last.stack, lane=last.lane,
        module_path=last.module_path, module_type=last.module_type, body=body,
    )  # fmt: skip
    parts = [call]
    ends: dict[NodeId, Argument] = {}
    if len(region.outputs) == 1:
        ends[last.id] = NodeArgument(call.id)
    else:  # each result keeps its name, so that what uses it need not change
        for index, node in enumerate(region.outputs):
            items = (NodeArgument(call.id), ConstantArgument("int", str(index)))
            parts.append(
                msgspec.structs.replace(
                    node,
                    op="call_function",
                    target="_operator.getitem",
                    args=SequenceArgument("tuple", items),
                    kwargs=MappingArgument(()),
                )
            )
    behind = [substituted(node, ends) for node in region.behind]
    return _group(stage, graph, Graph((*region.before, *parts, *behind)), label)


def _group(stage: StageId, before: Graph, after: Graph, label: str) -> EditGroup:
    outputs = [node for node in after.nodes if node.op == "output"]
    rest = [node for node in after.nodes if node.op != "output"]
    group = edits_between(stage, before, Graph((*rest, *outputs)), label)
    assert group is not None
    return group


def _part_of(node: Node, holder: NodeId) -> int | None:
    """Which result of a node with several this one takes out; None where it does something else."""
    items = node.args.items
    if node.target in ("_operator.getitem", "operator.getitem") and len(items) == 2:
        index = items[1]
        if items[0] == NodeArgument(holder) and isinstance(index, ConstantArgument):
            return int(index.text)
    return None


def _names_of_parts(parts: dict[NodeId, Node], holder: NodeId, index: int) -> NodeId:
    return next((name for name, user in parts.items() if _part_of(user, holder) == index), "")
