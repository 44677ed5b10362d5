"""Random edits that fit a graph: each keeps the types of results, so that what follows can be compiled."""

from random import Random

from compiler.model.edits.edits import BypassNode, Edit, InsertNode, ReplaceTarget, SetArgument
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue

TORCH_UNARY = ("torch.neg", "torch.tanh", "torch.sigmoid", "torch.sin", "torch.relu", "torch.abs")
ATEN_UNARY = ("neg", "tanh", "sigmoid", "sin", "relu", "abs")
KINDS = ("insert", "replace", "bypass", "constant", "rewire")


def random_edit(random: Random, stage: Stage, graph: Graph) -> tuple[str, Edit] | None:
    """(kind, edit) for a graph of that stage, or None where nothing fits."""
    kinds = list(KINDS)
    random.shuffle(kinds)
    torch_level = stage.kind in (StageKind.DYNAMO_GRAPH, StageKind.PRE_GRAD_GRAPH)
    for kind in kinds:
        edit = _edit(random, kind, stage.id, graph, torch_level)
        if edit is not None:
            return kind, edit
    return None


def _edit(random: Random, kind: str, stage: StageId, graph: Graph, torch_level: bool) -> Edit | None:
    floats = [node for node in graph.nodes if node.op == "call_function" and _is_float(node)]
    unary = random.choice(TORCH_UNARY if torch_level else [f"aten.{name}.default" for name in ATEN_UNARY])
    random.shuffle(floats)
    match kind:
        case "insert":
            return _insertion(random, stage, graph, unary)
        case "replace":
            return next((edit for node in floats if (edit := _replacement(stage, graph, node, unary))), None)
        case "bypass":
            return next((edit for node in floats if (edit := _bypass(random, stage, graph, node))), None)
        case "constant":
            return next((edit for node in floats if (edit := _constant(random, stage, node))), None)
    return _rewiring(random, stage, graph)


def _replacement(stage: StageId, graph: Graph, node: Node, unary: str) -> Edit | None:
    inputs = node.inputs()
    if len(inputs) != 1 or _type(graph.node(inputs[0])) != _type(node) or node.target == unary:
        return None
    args = SequenceArgument("tuple", (NodeArgument(inputs[0]),))
    return ReplaceTarget(stage, node.id, "call_function", unary, args)


def _bypass(random: Random, stage: StageId, graph: Graph, node: Node) -> Edit | None:
    same = [used for used in node.inputs() if _type(graph.node(used)) == _type(node)]
    if not same or not graph.users()[node.id]:
        return None
    return BypassNode(stage, node.id, random.choice(same))


def _constant(random: Random, stage: StageId, node: Node) -> Edit | None:
    if not any(part in node.target for part in (".mul", ".add", ".sub", ".div")):
        return None
    for index, item in enumerate(node.args.items):
        if isinstance(item, ConstantArgument) and item.kind == "float":
            new = ConstantArgument("float", repr(round(random.uniform(0.5, 2.0), 3)))
            return SetArgument(stage, node.id, ("args", str(index)), new)
    return None


def _insertion(random: Random, stage: StageId, graph: Graph, unary: str) -> Edit | None:
    edges = [
        (user, used, path)
        for user in graph.nodes
        for used, path in user.uses()
        if _is_float(graph.node(used))
        and user.op == "call_function"
        and graph.node(used).op == "call_function"
    ]
    if not edges:
        return None
    user, used, path = random.choice(edges)
    name = next(f"put{number}" for number in range(99) if f"put{number}" not in graph.by_id())
    fresh = Node(
        name,
        "call_function",
        unary,
        SequenceArgument("tuple", (NodeArgument(used),)),
        MappingArgument(()),
        value=graph.node(used).value,
        lane=graph.node(used).lane,
    )
    return InsertNode(stage, fresh, graph.index(user.id), ((user.id, path),))


def _rewiring(random: Random, stage: StageId, graph: Graph) -> Edit | None:
    nodes = list(graph.nodes)
    users = [node for node in nodes if node.op == "call_function"]
    random.shuffle(users)
    for user in users:
        uses = list(user.uses())
        random.shuffle(uses)
        for used, path in uses:
            if not _is_float(graph.node(used)) or "copy_" in user.target:
                continue
            earlier = nodes[: graph.index(user.id)]
            lane = graph.node(used).lane
            same = [
                other.id
                for other in earlier
                if other.op == "call_function"
                and other.id != used
                and (other.lane == "forward" or other.lane == lane)
                and _type(other) == _type(graph.node(used))
            ]
            if same:
                return SetArgument(stage, user.id, path, NodeArgument(random.choice(same)))
    return None


def _is_float(node: Node) -> bool:
    return isinstance(node.value, TensorValue) and "float" in node.value.dtype


def _type(node: Node) -> tuple[object, ...]:
    value = node.value
    return (value.shape, value.dtype, value.stride) if isinstance(value, TensorValue) else (node.id,)
