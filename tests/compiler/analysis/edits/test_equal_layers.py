"""Layers of a graph written by hand, three of them: ``x + relu(linear(x, w_i))``, and what makes them unequal."""

import msgspec
import pytest

from compiler.analysis.edits.equal_layers import EqualLayers, apply_to_equal_layers
from compiler.model.edits.edits import (
    BypassNode,
    EditError,
    EditGroup,
    InsertNode,
    ReplaceTarget,
    SetArgument,
    apply_graph_edit,
)
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue
from tests.helpers.graphs_by_hand import arguments, changed

S = "0/0:dynamo"
ROW = TensorValue(("4", "8"), "float32")


def call(name: str, target: str, *given: str | float, path: str = "") -> Node:
    return Node(name, "call_function", target, arguments(*given), value=ROW, module_path=path)


def model(layers: int = 3) -> Graph:
    weights = [Node(f"w{i}", "placeholder", f"w{i}", arguments(), value=ROW) for i in range(layers)]
    nodes = [Node("x", "placeholder", "x", arguments(), value=ROW), *weights]
    last = "x"
    for i in range(layers):
        path = f"net.layers.{i}"
        nodes += [
            call(f"linear_{i}", "torch.nn.functional.linear", last, f"w{i}", path=f"{path}.fc"),
            call(f"relu_{i}", "torch.relu", f"linear_{i}", path=path),
            call(f"scaled_{i}", "_operator.mul", f"relu_{i}", 0.5, path=path),
            call(f"add_{i}", "_operator.add", f"scaled_{i}", last, path=path),
        ]
        last = f"add_{i}"
    return Graph((*nodes, Node("output", "output", "output", arguments(last))))


def to_gelu(node: str, source: str) -> ReplaceTarget:
    return ReplaceTarget(S, node, "call_function", "torch.nn.functional.gelu", arguments(source))


def layers_of(graph: Graph, node: str) -> EqualLayers:
    """The layers beside the one that a node is in, as an edit of that node finds them."""
    edit = ReplaceTarget(S, node, "call_function", "torch.sinh", graph.node(node).args)
    return apply_to_equal_layers(S, graph, (edit,)).layers


def test_equal_layers_are_reported_with_their_counterparts() -> None:
    layers = layers_of(model(), "relu_1")
    assert layers.name == "net.layers.1"
    assert [name for name, _ in layers.counterparts] == ["net.layers.0", "net.layers.2"]
    assert not layers.unequal
    first = layers.counterparts[0][1]
    assert (first["relu_1"], first["w1"], first["add_0"]) == ("relu_0", "w0", "x")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            {"name": "scaled_2", "args": arguments("relu_2", 0.25)},
            "scaled_2 is not the same call as scaled_1",
        ),
        ({"name": "relu_2", "target": "torch.tanh"}, "relu_2 is not the same call as relu_1"),
        ({"name": "relu_2", "value": TensorValue(("4", "9"), "float32")}, "relu_2 is not the same call"),
        ({"name": "scaled_2", "args": arguments("linear_2", 0.5)}, "scaled_2 uses linear_2 where"),
        ({"name": "add_2", "args": arguments("scaled_2", "x")}, "add_2 uses x where add_1 uses add_0"),
        ({"name": "w2", "value": TensorValue(("4", "9"), "float32")}, "w2 is not of the type of w1"),
        ({"name": "relu_2", "module_path": "net.layers.2.act"}, "relu_2 is not the same call as relu_1"),
        ({"name": "relu_2", "module_path": "net"}, "it has 3 nodes instead of 4"),
    ],
)
def test_layers_that_differ_are_not_equal(fault: dict[str, object], reason: str) -> None:
    name = str(fault.pop("name"))
    layers = layers_of(changed(model(), name, **fault), "relu_1")
    assert [other for other, _ in layers.counterparts] == ["net.layers.0"]
    (unequal,) = layers.unequal
    assert unequal.name == "net.layers.2"
    assert reason in unequal.reason


def test_a_layer_that_swaps_what_it_uses_is_not_equal() -> None:
    graph = changed(model(), "add_2", args=arguments("add_1", "scaled_2"))
    assert [row.name for row in layers_of(graph, "relu_1").unequal] == ["net.layers.2"]


def test_two_things_from_outside_are_not_one() -> None:
    """Layer 1 adds what came first of all, the others what they were given."""
    reason = "add_0 uses x where add_1 uses x; .*add_2 uses add_1 where add_1 uses x"
    with pytest.raises(EditError, match=reason):
        layers_of(changed(model(), "add_1", args=arguments("scaled_1", "x")), "relu_1")


def with_masks(layers: int, *masks: str) -> Graph:
    """Each layer multiplies by the next of these instead of by a constant."""
    graph = model(layers)
    given = [Node(name, "placeholder", name, arguments(), value=ROW) for name in dict.fromkeys(masks)]
    graph = Graph((*given, *graph.nodes))
    for i in range(layers):
        graph = changed(graph, f"scaled_{i}", args=arguments(f"relu_{i}", masks[i % len(masks)]))
    return graph


def test_layers_that_take_two_masks_in_turn_are_equal_to_every_second() -> None:
    assert not layers_of(with_masks(4, "mask"), "relu_1").unequal
    layers = layers_of(with_masks(4, "mask", "other"), "relu_1")
    assert [name for name, _ in layers.counterparts] == ["net.layers.3"]
    assert [row.reason for row in layers.unequal] == [
        f"scaled_{i} uses mask where scaled_1 uses other" for i in (0, 2)
    ]


def test_another_result_of_the_layer_before_is_not_the_same() -> None:
    graph = changed(model(4), "add_2", args=arguments("scaled_2", "relu_1"))
    assert [row.name for row in layers_of(graph, "relu_3").unequal] == ["net.layers.2"]


def test_sums_of_gradients_that_lost_their_layer_lead_from_one_to_the_next() -> None:
    """As torch adds them up in a backward: outside of all modules, each with the one before."""
    graph = model(5)
    nodes = []
    for node in graph.nodes:
        lost = node.id.startswith("add_")
        nodes.append(msgspec.structs.replace(node, module_path="" if lost else node.module_path))
    assert not layers_of(Graph(tuple(nodes)), "relu_2").unequal


def test_what_is_put_in_stands_behind_what_it_stood_behind() -> None:
    graph = model()
    step = InsertNode(S, call("sine", "torch.sin", "linear_1"), graph.index("scaled_1") + 1, ())
    made = apply_to_equal_layers(S, graph, (step,)).edit
    for edit in (step, made):
        graph, _ = apply_graph_edit(graph, edit)
    for i, name in enumerate(("sine_1", "sine", "sine_2")):
        assert graph.nodes[graph.index(name) - 1].id == f"scaled_{i}"


def test_inputs_of_the_graph_are_of_no_layer() -> None:
    """They bear the module that uses them first, the model's own input as well as weights."""
    graph = changed(model(), "x", module_path="net.layers.0.fc", role="input")
    graph = changed(graph, "w0", module_path="net.layers.0.fc")
    assert not layers_of(graph, "relu_1").unequal


def test_a_random_seed_of_its_own_makes_no_difference() -> None:
    graph = model()
    for i in range(3):
        graph = changed(
            graph, f"scaled_{i}", target="prims.inductor_lookup_seed.default", args=arguments(f"relu_{i}", i)
        )
    assert not layers_of(graph, "relu_1").unequal


def test_an_edit_is_made_in_all_equal_layers_and_taken_back_as_one() -> None:
    edit = to_gelu("relu_1", "linear_1")
    made = apply_to_equal_layers(S, model(), (edit,))
    assert made.edit.edits == (to_gelu("relu_0", "linear_0"), to_gelu("relu_2", "linear_2"))
    edited, _ = apply_graph_edit(model(), edit)
    whole, inverse = apply_graph_edit(edited, made.edit)
    assert {whole.node(f"relu_{i}").target for i in range(3)} == {"torch.nn.functional.gelu"}
    assert apply_graph_edit(whole, inverse)[0] == edited


def test_what_is_put_in_and_edited_again_goes_with_it() -> None:
    """Behind the layer's last node, for all that uses it, which is other nodes in the last layer."""
    graph = model()
    uses = tuple(
        (user, path)
        for user in ("linear_2", "add_2")
        for used, path in graph.node(user).uses()
        if used == "add_1"
    )
    steps = (
        InsertNode(
            S, call("tanh", "torch.tanh", "add_1", path="net.layers.1"), graph.index("add_1") + 1, uses
        ),
        to_gelu("tanh", "add_1"),
        SetArgument(S, "scaled_1", ("args", "1"), ConstantArgument("float", "2.0")),
    )
    made = apply_to_equal_layers(S, graph, steps)
    for step in (*steps, made.edit):
        graph, _ = apply_graph_edit(graph, step)
    assert not layers_of(graph, "relu_1").unequal
    (last,) = graph.node("output").inputs()
    assert graph.node(last).target == "torch.nn.functional.gelu"
    assert graph.node(last).module_path == "net.layers.2"
    assert graph.nodes[graph.index(last) - 1].id == "add_2"
    assert graph.node("scaled_0").args.items[1] == ConstantArgument("float", "2.0")


def test_only_what_came_since_the_layers_were_equal_is_made_again() -> None:
    first = to_gelu("relu_1", "linear_1")
    steps: tuple[object, ...] = (first, apply_to_equal_layers(S, model(), (first,)).edit)
    second = BypassNode(S, "scaled_1", "relu_1")
    made = apply_to_equal_layers(S, model(), (*steps, second))  # type: ignore[arg-type]
    assert made.edit.edits == (BypassNode(S, "scaled_0", "relu_0"), BypassNode(S, "scaled_2", "relu_2"))


def test_a_layer_with_an_edit_of_its_own_is_left() -> None:
    steps = (
        SetArgument(S, "scaled_2", ("args", "1"), ConstantArgument("float", "3.0")),
        to_gelu("relu_1", "linear_1"),
    )
    made = apply_to_equal_layers(S, model(), steps)
    assert made.edit.edits == (to_gelu("relu_0", "linear_0"),)
    assert "net.layers.2: scaled_2 is not the same call" in made.layers.left_out


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ((), "is not of one layer"),
        ((ChooseMemoryBudget(S, 0.5),), "is not of one layer"),
        (
            (EditGroup("two", (to_gelu("relu_1", "linear_1"), to_gelu("relu_2", "linear_2"))),),
            "is not of one layer",
        ),
        ((to_gelu("relu_2", "add_0"),), "add_0, which is neither in net.layers.2 nor used by it"),
        ((to_gelu("relu_2", "x"),), "x, which is neither in net.layers.2 nor used by it"),
    ],
)
def test_what_cannot_be_made_elsewhere_is_refused(edits: tuple[EditGroup, ...], reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        apply_to_equal_layers(S, model(), edits)


def test_a_model_without_equal_layers_is_refused_with_the_difference() -> None:
    graph = changed(model(2), "relu_0", target="torch.tanh")
    with pytest.raises(
        EditError, match=r"No other layer is equal to net.layers.1. net.layers.0: relu_0 is not"
    ):
        apply_to_equal_layers(S, graph, (to_gelu("relu_1", "linear_1"),))


def test_a_sum_of_gradients_is_of_the_layer_that_made_its_last_part() -> None:
    graph = model(4)
    for i in range(4):
        graph = changed(graph, f"scaled_{i}", module_path=f"net.layers.{i}.norm")
        graph = changed(graph, f"add_{i}", target="aten.add.Tensor", module_path="")
        graph = changed(graph, f"add_{i}", args=arguments(f"relu_{i}", f"scaled_{i}"))
    edit = BypassNode(S, "add_2", "scaled_2")
    applied = apply_to_equal_layers(S, graph, (edit,))
    assert applied.layers.name == "net.layers.2"
    assert [pairs["add_2"] for _, pairs in applied.layers.counterparts] == ["add_0", "add_1", "add_3"]
    assert {part.node for part in applied.edit.edits if isinstance(part, BypassNode)} == {
        "add_0",
        "add_1",
        "add_3",
    }
