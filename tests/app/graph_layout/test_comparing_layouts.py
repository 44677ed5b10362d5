"""What is equal is folded away without a circle, and each side of a comparison is the same layout with less in it."""

import itertools
import random
import time

from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.equal_stretches import EQUAL, shorten
from app.graph_layout.geometry import Layout
from app.graph_layout.one_side import one_side
from app.graph_layout.running_order import in_running_order
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode, diagram
from tests.app.graph_layout.sample_diagrams import FixedSizes
from tests.helpers.transformer_graph import joint_stage


def _chain(count: int) -> Diagram:
    names = [f"n{number}" for number in range(count)]
    edges = tuple(DiagramEdge(one, other) for one, other in itertools.pairwise(names))
    return Diagram(tuple(DiagramNode(name, "op", name) for name in names), edges)


def _in_order(made: Diagram) -> bool:
    place = {node.id: number for number, node in enumerate(made.nodes)}
    return all(place[edge.source] < place[edge.target] for edge in made.edges)


def test_what_differs_stands_with_its_surroundings_between_two_stretches() -> None:
    short = shorten(_chain(100), {"n50"})
    assert [node.id for node in short.diagram.nodes] == ["… n0", "n48", "n49", "n50", "n51", "n52", "… n53"]
    assert [node.title for node in short.diagram.nodes if node.id.startswith(EQUAL)] == [
        "… 48 equal nodes",
        "… 47 equal nodes",
    ]
    assert short.stands_for("… n53")[:2] == ("n53", "n54")
    opened = shorten(_chain(100), {"n50"}, {"… n0"})
    assert len(opened.diagram.nodes) == 48 + 5 + 1
    assert shorten(_chain(100), ()).diagram == _chain(100)
    assert shorten(_chain(20), {"n3"}).diagram == _chain(20)


def test_any_graph_keeps_its_nodes_and_its_order() -> None:
    whole = diagram(joint_stage(700))
    assert whole is not None
    chance = random.Random(1)
    for _ in range(20):
        differing = {node.id for node in chance.sample(whole.nodes, chance.randrange(1, 12))}
        short = shorten(whole, differing)
        members = [name for node in short.diagram.nodes for name in short.stands_for(node.id)]
        assert sorted(members) == sorted(node.id for node in whole.nodes)
        assert differing <= {node.id for node in short.diagram.nodes}
        assert len(short.diagram.nodes) < len(whole.nodes) / 2
        running = in_running_order(short.diagram)
        assert _in_order(running)
        assert len(running.edges) == len(short.diagram.edges), "a stretch stands above and below something"


def test_ten_thousand_nodes_are_folded_in_a_moment() -> None:
    whole = diagram(joint_stage(10_000))
    began = time.process_time()
    short = shorten(whole, {whole.nodes[5_000].id})
    assert time.process_time() - began < 1.0
    assert len(short.diagram.nodes) < 60


def test_a_side_is_the_layout_without_what_it_lacks() -> None:
    whole = diagram(joint_stage(200))
    layout = arrange(prepare(whole), FixedSizes())
    lacking = {node.id for node in whole.nodes if node.role == "operation"} & {
        box.id for box in layout.boxes[::5]
    }
    edges = {(edge.source, edge.target) for edge in whole.edges[::7]}
    reported = next(node for node in whole.nodes if node.role == "operation" and node.id not in lacking)
    other = DiagramNode("another", "gelu", "another")
    side = one_side(layout, lacking, edges, {reported.id: other})
    rects = {box.id: box.rect for box in layout.boxes}
    assert {box.id for box in side.boxes} == rects.keys() - lacking
    assert all(box.rect == rects[box.id] for box in side.boxes)
    assert side.bounds == layout.bounds
    assert lacking.isdisjoint(side.where)
    for edge in side.edges:
        assert {edge.source, edge.target}.isdisjoint(lacking)
        assert not set(edge.nodes) <= edges
    box = next(box for box in side.boxes if box.id == reported.id)
    assert (box.title, box.node.id if box.node else "") == ("gelu", reported.id)
    assert one_side(Layout(), (), (), {}) == Layout()
