"""Layers of an FX graph are one box only where they compute the same: one difference in one layer and it stands apart."""

import re

import msgspec
import pytest

from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.initial_collapse import collapsed_at_depth
from app.graph_layout.ports import MANY_SAVED, fold
from compiler.analysis.diagrams.hidden_nodes import without
from compiler.model.diagrams.calls import call_of
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode, graph_diagram, with_calls
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.tensor_types import TensorValue
from tests.app.graph_layout.sample_diagrams import FixedSizes
from tests.helpers.graphs_by_hand import arguments, changed
from tests.helpers.transformer_graph import joint_stage

ROW = TensorValue(("4", "8"), "float32")
LAYERS = 9
APART = ["layers.0–3", "layers.4", "layers.5–8"]


def keywords(**given: float) -> MappingArgument:
    return MappingArgument(tuple((key, ConstantArgument("float", repr(item))) for key, item in given.items()))


def model() -> Graph:
    """``x = dropout(mask * linear(x, w, b) * 0.5, p=0.1) - x``, with another mask at hand."""
    inputs = ["x", "mask", "other_mask", *(f"{kind}{i}" for i in range(LAYERS) for kind in ("w", "b", "m"))]
    nodes = [Node(name, "placeholder", name, arguments(), value=ROW) for name in inputs]
    last = "x"
    for i in range(LAYERS):

        def call(
            name: str, target: str, *given: str | float, part: str = "", layer: int = i, **named: float
        ) -> str:
            path = f"layers.{layer}{part}"
            nodes.append(
                Node(
                    f"{name}_{layer}",
                    "call_function",
                    target,
                    arguments(*given),
                    keywords(**named),
                    ROW,
                    path,
                )
            )
            return f"{name}_{layer}"

        linear = call("linear", "torch.nn.functional.linear", last, f"w{i}", f"b{i}", part=".fc")
        masked = call("masked", "_operator.mul", linear, "mask")
        scaled = call("scaled", "_operator.mul", masked, 0.5)
        dropped = call("dropped", "torch.nn.functional.dropout", scaled, p=0.1)
        last = call("taken", "_operator.sub", dropped, last)
    return Graph((*nodes, Node("output", "output", "output", arguments(last))))


def closed(shown: Diagram) -> list[str]:
    prepared = prepare(shown)
    layout = arrange(prepared, FixedSizes(), collapsed_at_depth(prepared.trees, 1))
    return sorted(box.title for box in layout.boxes if box.node is None)


def test_equal_layers_are_one_box() -> None:
    assert closed(graph_diagram(model())) == ["layers.0–8"]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        pytest.param("scaled_4", {"args": arguments("masked_4", 0.25)}, id="another constant"),
        pytest.param("taken_4", {"args": arguments("taken_3", "dropped_4")}, id="swapped arguments"),
        pytest.param("masked_4", {"args": arguments("linear_4", "other_mask")}, id="another mask"),
        pytest.param("linear_4", {"args": arguments("taken_3", "w4")}, id="no bias"),
        pytest.param("linear_4", {"args": arguments("taken_3", "b4", "w4")}, id="weight and bias swapped"),
        pytest.param("linear_4", {"args": arguments("taken_3", "w3", "b4")}, id="the weight of the layer before"),
        pytest.param("dropped_4", {"kwargs": keywords(p=0.2)}, id="another value of a keyword"),
        pytest.param("dropped_4", {"kwargs": keywords(q=0.1)}, id="another keyword"),
        pytest.param("dropped_4", {"kwargs": keywords(p=0.1, training=1.0)}, id="one more keyword"),
        pytest.param("taken_4", {"args": arguments("dropped_4", "x")}, id="the first input instead of the last"),
        pytest.param("taken_4", {"args": arguments("dropped_4", "dropped_3")}, id="another result of the layer before"),
        pytest.param("masked_4", {"args": arguments("linear_4", "linear_3")}, id="a neighbour's result as the mask"),
        pytest.param("scaled_4", {"target": "torch.mul"}, id="another function of the same name"),
        pytest.param(
            "scaled_4",
            {"args": SequenceArgument("tuple", (NodeArgument("masked_4"), arguments(0.5)))},
            id="a nested constant",
        ),
        pytest.param("w4", {"value": TensorValue(("4", "8"), "float16")}, id="a weight of another type"),
        pytest.param("w4", {"target": "gain4"}, id="a weight of another name"),
    ],
)  # fmt: skip
def test_a_layer_with_one_difference_stands_apart(name: str, fields: dict[str, object]) -> None:
    assert closed(graph_diagram(changed(model(), name, **fields))) == APART


def with_masks(masks: list[str]) -> Graph:
    graph = model()
    for i, mask in enumerate(masks):
        graph = changed(graph, f"masked_{i}", args=arguments(f"linear_{i}", mask))
    return graph


def test_layers_that_take_two_masks_in_turn_are_not_equal() -> None:
    masks = ["mask", "other_mask"] * LAYERS
    assert closed(graph_diagram(with_masks(masks[:LAYERS]))) == [f"layers.{i}" for i in range(LAYERS)]


def test_layers_that_take_many_masks_in_turn_are_not_equal() -> None:
    """As far back as it may be: the mask of four layers before is another mask in each layer."""
    masks = ["m0", "m1", "m2", "m3"] * LAYERS
    assert not any("–" in title for title in closed(graph_diagram(with_masks(masks[:LAYERS]))))


def test_layers_with_a_mask_each_are_equal() -> None:
    masks = [f"m{i}" for i in range(LAYERS)]
    assert closed(graph_diagram(with_masks(masks))) == ["layers.0–8"]


def test_only_the_layer_before_may_stand_for_another() -> None:
    masks = ["x", "x", *(f"linear_{i}" for i in range(LAYERS - 2))]
    assert not any("–" in title for title in closed(graph_diagram(with_masks(masks))))


def test_layers_that_share_a_mask_two_by_two_are_not_equal() -> None:
    masks = [f"m{i // 2}" for i in range(LAYERS)]
    assert not any("–" in title for title in closed(graph_diagram(with_masks(masks))))


def test_masks_made_outside_are_distinguished_by_what_they_are_made_of() -> None:
    graph = with_masks(["made", "made_too"] * 4 + ["made"])
    place = graph.index("linear_0")
    made = [
        Node(name, "call_function", "torch.neg", arguments(mask), value=ROW)
        for name, mask in (("made", "mask"), ("made_too", "other_mask"))
    ]
    graph = Graph((*graph.nodes[:place], *made, *graph.nodes[place:]))
    assert not any("–" in title for title in closed(graph_diagram(graph)))


def test_what_is_hidden_in_a_layer_says_it_from_others() -> None:
    names = [f"scaled_{i}" for i in range(LAYERS)]
    assert closed(without(graph_diagram(model()), names)) == ["layers.0–8"]
    other = changed(model(), "scaled_4", args=arguments("masked_4", 0.25))
    assert closed(without(graph_diagram(other), names)) == APART


def test_one_constant_in_a_backward_stands_apart() -> None:
    stage = joint_stage(1500)
    graph = stage.graph
    backward = next(
        node
        for node in graph.nodes
        if node.lane == "backward" and node.op == "call_function" and ".layers.5." in f".{node.module_path}."
    )
    items = (*backward.args.items, ConstantArgument("float", "2.0"))
    other = changed(graph, backward.id, args=SequenceArgument("tuple", items))

    def runs(of: Graph) -> list[str]:
        prepared = prepare(graph_diagram(of))
        layout = arrange(prepared, FixedSizes(), collapsed_at_depth(prepared.trees, 1))
        return [box.title for box in layout.boxes if box.repeats > 1]

    assert runs(graph) == ["layers.0–10", "layers.10–0"]
    assert runs(other) == ["layers.0–10", "layers.10–6", "layers.4–0"]


def with_body_in_each(scale: float) -> Diagram:
    """Every layer calls a body of its own, which scales by 0.5, in layer 4 by `scale`."""
    graph = model()
    nodes, calls = [], {}
    for node in graph.nodes:
        if node.id.startswith("scaled"):
            i = int(node.id[-1])
            got = Node(f"body_{i}", "get_attr", f"body_{i}", arguments())
            inner = Node("mul", "call_function", "_operator.mul", arguments(scale if i == 4 else 0.5))
            calls[got.id] = msgspec.structs.replace(call_of(got), body=(inner,))
            used = NodeArgument(f"masked_{i}"), NodeArgument(got.id)
            nodes += [got, msgspec.structs.replace(node, args=SequenceArgument("tuple", used))]
        else:
            nodes.append(node)
    return with_calls(graph_diagram(Graph(tuple(nodes))), calls)


def test_bodies_of_higher_order_operators_are_compared() -> None:
    assert closed(with_body_in_each(0.5)) == ["layers.0–8"]
    assert closed(with_body_in_each(0.25)) == APART


def test_a_mask_that_the_first_layer_makes_for_all_is_of_none() -> None:
    graph = model()
    made = Node(
        "full", "call_function", "aten.full.default", arguments(1.0), value=ROW, module_path="layers.0"
    )
    nodes = [
        msgspec.structs.replace(node, args=arguments(f"linear_{node.id[-1]}", "full"))
        if node.id.startswith("masked")
        else node
        for node in graph.nodes
    ]
    first = next(at for at, node in enumerate(nodes) if node.id == "masked_0")
    assert closed(graph_diagram(Graph((*nodes[:first], made, *nodes[first:])))) == ["layers.0–8"]


@pytest.mark.parametrize(("count", "boxes"), [(MANY_SAVED - 1, MANY_SAVED - 1), (MANY_SAVED, 0)])
def test_many_saved_tensors_are_ports_of_what_uses_them(count: int, boxes: int) -> None:
    nodes = [DiagramNode(f"saved_{i}", f"saved_{i}", f"saved_{i}", role="saved") for i in range(count)]
    users = [DiagramNode(f"mul_{i}", "mul", f"mul_{i}", group=("layer",)) for i in range(count)]
    edges = tuple(DiagramEdge(f"saved_{i}", f"mul_{i}") for i in range(count))
    folded = fold(Diagram((*nodes, *users), edges))
    assert sum(node.role == "saved" for node in folded.nodes) == boxes
    assert len(folded.nodes) - boxes == count


def test_runs_of_modules_that_hold_one_only_are_named_where_they_differ() -> None:
    graph = model()
    inner = [
        msgspec.structs.replace(
            node, module_path=re.sub(r"layers\.(\d)", r"blocks.\1.only", node.module_path)
        )
        for node in graph.nodes
    ]
    assert closed(graph_diagram(Graph(tuple(inner)))) == ["blocks.0–8.only"]
