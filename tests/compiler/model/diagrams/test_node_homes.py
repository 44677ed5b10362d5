"""The module that a node is shown in: shared nodes above the layers, sums of gradients where their last part is made."""

import pytest

from compiler.model.diagrams.node_homes import homes_of
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node

ADD = "aten.add.Tensor"


def node(name: str, path: str, *used: str, target: str = "aten.x.default", op: str = "call_function") -> Node:
    args = SequenceArgument("tuple", tuple(map(NodeArgument, used)))
    return Node(name, op, target, args, module_path=path, role="parameter" if name[0] == "w" else "")


def given(name: str, path: str = "") -> Node:
    return node(name, path, target=name, op="placeholder")


def layers(mask: tuple[Node, ...], *users: int) -> Graph:
    """Six layers, each with a weight of its own; those of `users` take what is last in `mask`, which layer 0 made."""
    nodes = [given("x"), *(given(f"w{i}", f"layers.{i}") for i in range(6)), *mask]
    last = "x"
    for i in range(6):
        masked = (mask[-1].id,) if i in users else ()
        nodes.append(node(f"y{i}", f"layers.{i}.fc", last, f"w{i}", *masked))
        last = f"y{i}"
    return Graph((*nodes, node("output", "", last, op="output")))


def home(graph: Graph, name: str) -> str:
    return ".".join(homes_of(graph)[name])


FULL = node("full", "layers.0.attention")
WHERE = node("where", "layers.0.attention", "full", "x")


def test_what_all_layers_use_is_of_none_of_them() -> None:
    graph = layers((FULL, WHERE), *range(6))
    assert (home(graph, "where"), home(graph, "full")) == ("layers", "layers")
    assert home(graph, "y0") == "layers.0.fc"


@pytest.mark.parametrize(
    ("mask", "users"),
    [
        pytest.param((FULL, WHERE), (0,), id="its layer alone"),
        pytest.param((FULL, WHERE), (0, 1), id="its layer and the next"),
        pytest.param((FULL, node("where", "layers.0.attention", "full", "w0")), (0, 3, 5), id="its layer's weight goes in"),
        pytest.param((node("full", "layers.0.fc", "w0"), WHERE), (0, 3, 5), id="its layer's weight goes in before"),
    ],
)  # fmt: skip
def test_what_is_of_a_layer_stays_there(mask: tuple[Node, ...], users: tuple[int, ...]) -> None:
    assert home(layers(mask, *users), "where") == "layers.0.attention"


def test_what_two_distant_layers_use_is_of_none() -> None:
    assert home(layers((FULL, WHERE), 0, 3), "where") == "layers"


def test_a_constant_that_lost_its_module_says_nothing_of_what_uses_it() -> None:
    """Passes put operations without a module between a shared constant and the layers."""
    nodes = [node("full", "layers.0.attention")]
    for i in range(4):
        nodes += [node(f"a{i}", f"layers.{i}.attention"), node(f"scatter{i}", "", "full", f"a{i}")]
        nodes.append(node(f"b{i}", f"layers.{i}.attention", f"scatter{i}"))
    graph = Graph(tuple(nodes))
    assert home(graph, "full") == "layers"
    assert [home(graph, f"scatter{i}") for i in range(4)] == [f"layers.{i}.attention" for i in range(4)]


def backward() -> Graph:
    """Gradients of a residual stream: each layer has two branches, the last part of each sum is of the layer's own norm."""
    nodes, stream = [node("g", "norm")], "g"
    for i in (2, 1, 0):
        for branch in ("mlp", "attention"):
            nodes += [
                node(f"{branch}{i}", f"layers.{i}.{branch}", stream),
                node(f"{branch}_norm{i}", f"layers.{i}.{branch}_norm", f"{branch}{i}"),
                node(f"{branch}_sum{i}", "", stream, f"{branch}_norm{i}", target=ADD),
            ]
            stream = f"{branch}_sum{i}"
    return Graph((*nodes, node("embedding", "embedding", stream)))


@pytest.mark.parametrize("layer", range(3))
@pytest.mark.parametrize("branch", ["mlp", "attention"])
def test_a_sum_of_gradients_is_of_the_layer_that_made_its_last_part(branch: str, layer: int) -> None:
    assert home(backward(), f"{branch}_sum{layer}") == f"layers.{layer}"


def test_the_last_part_is_the_one_made_last_not_the_one_named_last() -> None:
    graph = backward()
    swapped = [
        node(row.id, "", *reversed(row.inputs()), target=ADD) if row.target == ADD else row
        for row in graph.nodes
    ]
    assert home(Graph(tuple(swapped)), "attention_sum1") == "layers.1"


def test_two_parts_of_one_norm_are_added_up_in_it() -> None:
    """As of T5's: the gradient comes to the first layer from outside."""
    nodes = (
        node("g", "norm"),
        node("a", "layers.2.norm", "g"),
        node("b", "layers.2.norm", "g"),
        node("first", "", "g", "a", target=ADD),
        node("second", "", "first", "b", target=ADD),
        node("next", "layers.1.norm", "second"),
    )
    assert home(Graph(nodes), "first") == "layers.2.norm"


def test_what_lost_its_module_otherwise_is_in_what_holds_both_sides() -> None:
    nodes = (node("a", "layers.0.fc"), node("lost", "", "a"), node("b", "layers.0.act", "lost"))
    assert home(Graph(nodes), "lost") == "layers.0"
