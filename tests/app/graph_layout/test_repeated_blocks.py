"""Equal modules that follow one another are one box, and only these."""

import gc
from collections import Counter

from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.initial_collapse import collapsed_at_depth, first_view, open_depth
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode, diagram
from tests.app.graph_layout.sample_diagrams import FixedSizes
from tests.helpers.transformer_graph import joint_stage


def layers(*titles: tuple[str, ...], crossed: tuple[int, ...] = ()) -> Diagram:
    """A chain through modules ``layers.0`` …, each with operations of these titles; in `crossed` ones the last
    operation takes the layer's first too.
    """
    nodes, edges = [DiagramNode("x", "x", "x", "f32[2]", "input")], []
    for layer, names in enumerate(titles):
        for step, title in enumerate(names):
            node = DiagramNode(
                f"n{layer}_{step}", title, f"n{layer}_{step}", "f32[2]", group=("layers", str(layer))
            )
            edges.append(DiagramEdge(nodes[-1].id, node.id))
            nodes.append(node)
        if layer in crossed:
            edges.append(DiagramEdge(f"n{layer}_0", nodes[-1].id))
    return Diagram(tuple(nodes), tuple(edges))


def titles_closed(shown: Diagram) -> list[str]:
    prepared = prepare(shown)
    layout = arrange(prepared, FixedSizes(), collapsed_at_depth(prepared.trees, 1))
    return [box.title for box in layout.boxes if box.node is None]


def test_equal_neighbours_are_one_box():
    assert titles_closed(layers(*[("mm", "relu", "add")] * 6)) == ["layers.0–5"]


def test_another_operation_ends_a_run():
    shown = layers(*[("mm", "relu")] * 5, ("mm", "gelu"), *[("mm", "relu")] * 4)
    assert titles_closed(shown) == ["layers.0–4", "layers.5", "layers.6–9"]


def test_the_same_operations_wired_otherwise_are_not_equal():
    shown = layers(*[("mm", "relu", "add")] * 9, crossed=(4,))
    assert titles_closed(shown) == ["layers.0–3", "layers.4", "layers.5–8"]


def test_a_few_equal_modules_stay_apart():
    assert titles_closed(layers(*[("mm", "relu")] * 3)) == ["layers.0", "layers.1", "layers.2"]


def test_a_large_joint_graph_opens_with_one_layer_in_view_in_both_lanes():
    prepared = prepare(diagram(joint_stage(5000)))
    collapsed = first_view(prepared.trees, 400)
    layout = arrange(prepared, FixedSizes(), collapsed)
    frames = {frame.id for frame in layout.frames}
    assert {"encoder.layers.0", "encoder.layers.0@backward"} <= frames
    runs = {box.title: box.repeats for box in layout.boxes if box.repeats > 1}
    assert runs == {"layers.1–35": 35, "layers.35–1": 35}
    assert len(layout.boxes) <= 400
    placed = [node for box in layout.boxes for node in box.members]
    assert sorted(placed) == sorted(node.id for node in prepared.diagram.nodes)


def test_the_same_operation_between_equal_modules_is_folded_with_them():
    nodes, edges = [DiagramNode("x", "x", "x", "f32[2]", "input")], []

    def add(name: str, title: str, *group: str) -> None:
        nodes.append(DiagramNode(name, title, name, "f32[2]", group=group))
        edges.append(DiagramEdge(nodes[-2].id, name))

    for layer in range(9):
        add(f"mm{layer}", "mm", "layers", str(layer))
        add(f"relu{layer}", "relu", "layers", str(layer))
        add(f"add{layer}", "sub" if layer in (0, 6) else "add")
    shown = Diagram(tuple(nodes), tuple(edges))
    # what stands outside of all modules between two of them belongs to the module around them
    prepared = prepare(shown)
    layout = arrange(prepared, FixedSizes(), collapsed_at_depth(prepared.trees, 1))
    closed = {box.title: (box.repeats, len(box.members)) for box in layout.boxes if box.node is None}
    assert closed == {"layers.0": (1, 2), "layers.1–6": (6, 17), "layers.7": (1, 2), "layers.8": (1, 2)}
    assert sorted(node for box in layout.boxes for node in box.members) == sorted(node.id for node in nodes)


def test_levels_are_open_as_long_as_their_boxes_are_not_too_many():
    prepared = prepare(layers(*[("mm", "relu"), ("relu", "mm")] * 3))
    trees = prepared.trees
    opened = len(arrange(prepared, FixedSizes(), collapsed_at_depth(trees, 2)).boxes)
    assert open_depth(trees, opened) == 2
    assert open_depth(trees, opened - 1) == 1


def test_no_cycle_is_left_of_what_a_layout_makes() -> None:
    """They would wait for Python's collector, which large work is set aside from."""
    stage = joint_stage(2_000)
    assert stage.graph is not None
    shown = diagram(stage)
    prepared = prepare(shown)
    arrange(prepared, FixedSizes(), frozenset())
    gc.collect()
    gc.disable()
    try:
        prepared = prepare(shown)
        arrange(prepared, FixedSizes(), frozenset())
        arrange(prepared, FixedSizes(), first_view(prepared.trees, 400))
        del prepared
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = Counter(type(item).__name__ for item in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not {"Scope", "Piece", "Chain", "PartTable", "Calls", "Module"} & left.keys(), left
    assert left.total() < 100, left
