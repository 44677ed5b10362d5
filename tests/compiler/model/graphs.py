"""Random graphs and edits for property tests."""

import msgspec
from hypothesis import strategies as st

from compiler.model.edits.edits import BypassNode, Edit, EditGroup, InsertNode, ReplaceTarget, SetArgument
from compiler.model.edits.node_edits import ReorderNodes, SetArguments
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node

STAGE = "0/0:dynamo"
TARGETS = ("torch.relu", "torch.tanh", "torch.nn.functional.gelu", "torch.add")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A well-formed graph: inputs, operations on earlier nodes, an output."""
    count = draw(st.integers(1, 3))
    nodes = [
        Node(f"x{index}", "placeholder", f"x{index}", SequenceArgument("tuple", ())) for index in range(count)
    ]
    for index in range(draw(st.integers(1, 8))):
        used = draw(st.lists(st.sampled_from([node.id for node in nodes]), min_size=1, max_size=3))
        items: list = [NodeArgument(name) for name in used]
        if draw(st.booleans()):
            items = [
                SequenceArgument("list", tuple(items)),
                ConstantArgument("int", str(draw(st.integers(-3, 3)))),
            ]
        keywords = (
            MappingArgument((("dim", ConstantArgument("int", "1")),))
            if draw(st.booleans())
            else MappingArgument(())
        )
        target = draw(st.sampled_from(TARGETS))
        nodes.append(
            Node(f"n{index}", "call_function", target, SequenceArgument("tuple", tuple(items)), keywords)
        )
    last = tuple(NodeArgument(node.id) for node in nodes[-2:])
    output = SequenceArgument("tuple", (SequenceArgument("tuple", last),))
    nodes.append(Node("output", "output", "output", output))
    return Graph(tuple(nodes))


@st.composite
def edits_for(draw: st.DrawFn, graph: Graph, reordering: bool = True) -> Edit:
    """An edit that fits the graph."""
    inner = [node for node in graph.nodes if node.op == "call_function"]
    users = [node for node in graph.nodes if any(True for _ in node.uses())]
    if not users and not inner:  # everything has been removed or made constant
        fresh = Node("alone", "call_function", "torch.sin", SequenceArgument("tuple", (NodeArgument("x0"),)))
        return InsertNode(STAGE, fresh, len(graph.nodes) - 1, ())
    kinds = (["set", "insert"] if users else []) + (
        ["replace", "bypass", "group", "arguments"] if inner else []
    )
    kinds += ["order"] if inner and reordering else []
    kind = draw(st.sampled_from(kinds))
    if kind == "order":
        return ReorderNodes(STAGE, draw(valid_orders(graph)))
    if kind == "group":
        first = draw(edits_for(graph, reordering))
        return EditGroup("two at once", (first,))
    if kind == "replace":
        node = draw(st.sampled_from(inner))
        return ReplaceTarget(
            STAGE, node.id, "call_function", draw(st.sampled_from(TARGETS)), node.args, node.kwargs
        )
    if kind == "arguments":
        node = draw(st.sampled_from(inner))
        earlier = [NodeArgument(other.id) for other in graph.nodes[: graph.index(node.id)]]
        some = st.one_of(st.sampled_from(earlier), st.just(ConstantArgument("float", "0.5")))
        items = tuple(draw(st.lists(some, max_size=4)))
        named = tuple((name, draw(some)) for name in draw(st.sets(st.sampled_from(("p", "q")))))
        return SetArguments(STAGE, node.id, SequenceArgument("tuple", items), MappingArgument(named))
    if kind == "bypass":
        node = draw(st.sampled_from(inner))
        earlier = [other.id for other in graph.nodes[: graph.index(node.id)]]
        return BypassNode(STAGE, node.id, draw(st.sampled_from(earlier)))
    user = draw(st.sampled_from(users))
    used, path = draw(st.sampled_from(list(user.uses())))
    if kind == "set":
        earlier = [other.id for other in graph.nodes[: graph.index(user.id)]]
        new = draw(
            st.one_of(st.sampled_from(earlier).map(NodeArgument), st.just(ConstantArgument("float", "2.0")))
        )
        return SetArgument(STAGE, user.id, path, new)
    name = next(f"new{number}" for number in range(99) if f"new{number}" not in graph.by_id())
    fresh = Node(name, "call_function", "torch.sin", SequenceArgument("tuple", (NodeArgument(used),)))
    return InsertNode(STAGE, fresh, graph.index(user.id), ((user.id, path),))


@st.composite
def valid_orders(draw: st.DrawFn, graph: Graph) -> tuple[str, ...]:
    """Another order in which the graph may run: every node after what it uses."""
    left = [node for node in graph.nodes if node.op not in ("output", "placeholder")]
    inputs = {node.id for node in graph.nodes if node.op == "placeholder"}
    done: list[str] = []
    while left:
        ready = [node for node in left if set(node.inputs()) <= {*inputs, *done}]
        node = draw(st.sampled_from(ready))
        left.remove(node)
        done.append(node.id)
    return tuple(done)


def replaced(graph: Graph, name: str, **facts: object) -> Graph:
    """The graph with fields of one node replaced."""
    return Graph(
        tuple(msgspec.structs.replace(node, **facts) if node.id == name else node for node in graph.nodes)
    )
