"""What a layout promises, for any diagram."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.graph_layout import blocks
from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.cancellation import CancelToken
from app.graph_layout.geometry import Layout, LayoutCancelledError, Rect
from app.graph_layout.initial_collapse import collapsed_at_depth, depth_of
from app.graph_layout.module_tree import Module, module_trees
from app.graph_layout.ports import fold
from app.graph_layout.rows import arrange_rows
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode, diagram
from tests.app.graph_layout.sample_diagrams import FixedSizes, chain, joint
from tests.helpers.thoroughness import examples
from tests.helpers.transformer_graph import joint_stage

_MODULES = ((), ("a",), ("a", "b"), ("a", "c"), ("d",), ("d", "0"), ("d", "1"))


@st.composite
def diagrams(draw: st.DrawFn) -> Diagram:
    """Any acyclic diagram: roles, lanes and modules at random, so that collapsing makes cycles."""
    count = draw(st.integers(1, 40))
    has_lanes = draw(st.booleans())
    nodes = []
    for index in range(count):
        role = draw(st.sampled_from(("operation", "operation", "operation", "parameter", "getitem", "input")))
        lane = draw(st.sampled_from(("forward", "backward"))) if has_lanes else ""
        group = draw(st.sampled_from(_MODULES))
        nodes.append(DiagramNode(f"n{index}", f"op{index}", f"n{index}", "f32[2]", role, lane, group))
    pairs = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=80))
    edges = tuple(DiagramEdge(f"n{a}", f"n{b}") for a, b in sorted(pairs) if a < b)
    return Diagram(tuple(nodes), edges)


@st.composite
def with_collapsed(draw: st.DrawFn) -> tuple[Diagram, frozenset[str]]:
    diagram = draw(diagrams())
    modules = [module.id for tree in module_trees(fold(diagram)) for module in tree.modules()]
    return diagram, frozenset(module for module in modules if draw(st.booleans()))


def overlap(one: Rect, other: Rect) -> bool:
    """Whether the insides share a point."""
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def overlapping(layout: Layout) -> list[tuple[str, str]]:
    boxes = sorted(layout.boxes, key=lambda box: box.rect.y)
    found = []
    for index, box in enumerate(boxes):
        below = [other for other in boxes[index + 1 :] if other.rect.y < box.rect.bottom]
        found += [(box.id, other.id) for other in below if overlap(box.rect, other.rect)]
    return found


@given(with_collapsed())
@settings(max_examples=examples(150), deadline=None)
def test_every_node_stands_in_exactly_one_box_and_no_boxes_overlap(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    layout = arrange(prepare(diagram), FixedSizes(), collapsed)
    placed = [node for box in layout.boxes for node in box.members]
    assert sorted(placed) == sorted(node.id for node in diagram.nodes)
    assert {node: box.id for box in layout.boxes for node in box.members} == dict(layout.where)
    assert overlapping(layout) == []
    assert all(
        layout.bounds.x <= box.rect.x and box.rect.right <= layout.bounds.right + 1e-6 for box in layout.boxes
    )


@given(with_collapsed())
@settings(max_examples=examples(100), deadline=None)
def test_arrows_go_down_and_in_the_backward_lane_up(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    layout = arrange(prepare(diagram), FixedSizes(), collapsed)
    lanes = {box.id: box.lane for box in layout.boxes}
    for edge in layout.edges:
        ys = [y for _, y in edge.points]
        assert lanes[edge.source] == lanes[edge.target]
        assert ys == sorted(ys, reverse=lanes[edge.source] == "backward")


@given(with_collapsed())
@settings(max_examples=examples(100), deadline=None)
def test_every_edge_is_drawn_or_a_stub_at_both_ends_or_a_chip(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    layout = arrange(prepare(diagram), FixedSizes(), collapsed)
    drawn = {pair for edge in layout.edges for pair in edge.nodes}
    cut = [
        {(end.source, end.target) for stub in layout.stubs if stub.outgoing is side for end in stub.ends}
        for side in (True, False)
    ]
    assert cut[0] == cut[1]
    assert not drawn & cut[0]
    chips = {(chip.node, box.id) for box in layout.boxes for chip, _ in box.chips}
    for edge in diagram.edges:
        source, target = layout.where[edge.source], layout.where[edge.target]
        inside = source == target
        as_chip = (edge.source, edge.target) in chips
        hidden_chip = any(chip.node == edge.source for chip in fold(diagram).chips.get(edge.target, ()))
        assert inside or as_chip or hidden_chip or (edge.source, edge.target) in drawn | cut[0]


@given(with_collapsed())
@settings(max_examples=examples(40), deadline=None)
def test_the_same_input_gives_the_same_layout(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    assert arrange(prepare(diagram), FixedSizes(), collapsed) == arrange(
        prepare(diagram), FixedSizes(), collapsed
    )


@given(with_collapsed())
@settings(max_examples=examples(60), deadline=None)
def test_frames_hold_their_nodes_and_nothing_else(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    layout = arrange(prepare(diagram), FixedSizes(), collapsed)
    members: dict[str, set[str]] = {}

    def visit(module: Module) -> None:
        members[module.id] = {node.id for node in module.nodes()}
        for item in module.items:
            if isinstance(item, Module):
                visit(item)

    for tree in module_trees(fold(diagram)):
        visit(tree)
    for frame in layout.frames:
        for box in layout.boxes:
            inside = bool(set(box.members) & members[frame.id])
            assert overlap(frame.rect, box.rect) == inside


def test_two_thousand_nodes_of_a_joint_graph():
    layout = arrange(prepare(joint(2000)), FixedSizes())
    assert len(layout.boxes) >= 1990
    assert overlapping(layout) == []
    assert [band.lane for band in layout.lanes] == ["forward", "backward"]
    assert layout.lanes[0].rect.right < layout.lanes[1].rect.x


def test_backward_stands_beside_its_forward():
    layout = arrange(prepare(joint(120)), FixedSizes())
    where = {box.id: box.rect.center[1] for box in layout.boxes}
    distances = [abs(where[f"f{index}"] - where[f"b{index}"]) for index in range(0, 56, 2)]
    assert max(distances) < 44


def test_a_long_chain_is_a_straight_line():
    nodes = tuple(DiagramNode(f"n{i}", "relu", f"n{i}") for i in range(300))
    edges = tuple(DiagramEdge(f"n{i}", f"n{i + 1}") for i in range(299))
    layout = arrange(prepare(Diagram(nodes, edges)), FixedSizes())
    assert {round(box.rect.x, 3) for box in layout.boxes} == {0.0}


def test_edges_over_many_rows_are_stubs_that_name_the_far_end():
    nodes = tuple(DiagramNode(f"n{i}", "relu", f"n{i}") for i in range(12))
    chained = [DiagramEdge(f"n{i}", f"n{i + 1}") for i in range(11)]
    layout = arrange(prepare(Diagram(nodes, (*chained, DiagramEdge("n0", "n10")))), FixedSizes())
    assert {(stub.box, stub.outgoing, stub.ends[0].box) for stub in layout.stubs} == {
        ("n0", True, "n10"),
        ("n10", False, "n0"),
    }


def test_parameters_and_getitems_are_ports_of_their_neighbours():
    nodes = (
        DiagramNode("x", "x", "x", role="input"),
        DiagramNode("w", "w", "l_self_modules_fc1_parameters_weight_", role="parameter"),
        DiagramNode("split", "split", "split"),
        DiagramNode("getitem", "getitem", "getitem", role="getitem"),
        DiagramNode("relu", "relu", "relu"),
    )
    pairs = (("x", "split"), ("w", "split"), ("split", "getitem"), ("getitem", "relu"))
    layout = arrange(prepare(Diagram(nodes, tuple(DiagramEdge(a, b) for a, b in pairs))), FixedSizes())
    box = next(box for box in layout.boxes if box.id == "split")
    assert [(chip.node, chip.label, chip.kind) for chip, _ in box.chips] == [
        ("w", "weight", "parameter"),
        ("getitem", "getitem", "getitem"),
    ]
    edge = next(edge for edge in layout.edges if edge.target == "relu")
    chip_rect = box.chips[1][1]
    assert edge.points[0][0] == pytest.approx(chip_rect.center[0])


def test_opening_a_module_moves_the_inside_of_another_as_a_whole():
    diagram = chain(120)
    trees = module_trees(fold(diagram))
    assert depth_of(trees) == 3
    one = collapsed_at_depth(trees, 2) - {"layers.1.mlp"}
    two = one - {"layers.0.attention"}

    def inside(layout: Layout) -> list[tuple[float, float]]:
        frame = next(frame for frame in layout.frames if frame.id == "layers.1.mlp")
        boxes = [box for box in layout.boxes if box.path == ("layers", "1", "mlp")]
        assert boxes
        return [
            (round(box.rect.x - frame.rect.x, 6), round(box.rect.y - frame.rect.y, 6))
            for box in boxes
            if box.node is not None
        ]

    assert inside(arrange(prepare(diagram), FixedSizes(), one)) == inside(
        arrange(prepare(diagram), FixedSizes(), two)
    )


def test_a_module_called_again_later_is_a_second_module():
    groups = [("relu",), ("relu",), ("conv",), ("relu",), ("relu",)]
    nodes = tuple(DiagramNode(f"n{i}", "op", f"n{i}", group=group) for i, group in enumerate(groups))
    edges = tuple(DiagramEdge(f"n{i}", f"n{i + 1}") for i in range(4))
    trees = module_trees(fold(Diagram(nodes, edges)))
    assert [module.id for module in trees[0].modules()] == ["relu", "relu#2"]


def test_a_cancelled_layout_ends():
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(LayoutCancelledError):
        arrange(prepare(joint(200)), FixedSizes(), cancel_token=cancel_token)


def test_an_empty_diagram_is_an_empty_layout():
    assert arrange(prepare(Diagram((), ())), FixedSizes()) == Layout()


@given(with_collapsed())
@settings(max_examples=30, deadline=None)
def test_a_course_counts_every_box_twice_measured_and_placed(given_: tuple[Diagram, frozenset[str]]):
    diagram, collapsed = given_
    cancel_token = CancelToken()
    layout = arrange(prepare(diagram), FixedSizes(), collapsed, cancel_token)
    assert cancel_token.boxes == len(layout.boxes)
    assert cancel_token.part == 1.0


def _crossing() -> Diagram:
    """Two modules with the same boxes in the same rows, wired otherwise."""
    nodes = tuple(
        DiagramNode(f"{module}{name}", "op", name, group=(module,)) for module in "pq" for name in "abcd"
    )
    wires = ("pa pc", "pb pd", "qa qd", "qb qc")
    return Diagram(nodes, tuple(DiagramEdge(*wire.split()) for wire in wires))


@pytest.mark.parametrize("shown", [diagram(joint_stage(1400)), _crossing()], ids=["joint", "crossing"])
def test_equal_modules_are_laid_out_once_and_as_if_each_were_alone(shown, monkeypatch):
    made = []

    def counted(*arguments):
        made.append(arguments)
        return arrange_rows(*arguments)

    monkeypatch.setattr(blocks, "arrange_rows", counted)
    shared = arrange(prepare(shown), FixedSizes())
    once = len(made)
    monkeypatch.setattr(blocks, "_key", lambda _shape: object())
    assert arrange(prepare(shown), FixedSizes()) == shared
    assert len(shown.nodes) < 100 or once < (len(made) - once) / 4
