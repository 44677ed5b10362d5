"""What a graph that does not fit shows first: its beginning, or just below it, but where there is nothing, what repeats."""

from array import array

from PySide6.QtCore import QPointF, QRectF, QSize

from app.canvas.first_sight import Content, first_sight
from app.canvas.scene import Scene, to_qt
from app.graph_layout.geometry import Box, Edge, LaneBand, Layout, Rect
from compiler.model.ir.arguments import MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from tests.app.panes.graph.conftest import layered_graph

CANVAS = QSize(680, 440)


def model_with_labels(layers: int = 12, steps: int = 8) -> Graph:
    """Labels that the loss alone uses, and beside them a model: positions in several wide rows, then equal layers."""
    nodes: list[Node] = []

    def add(name: str, module: str, *inputs: str, op: str = "call_function") -> str:
        arguments = SequenceArgument("tuple", tuple(NodeArgument(used) for used in inputs))
        role = "input" if op == "placeholder" else ""
        nodes.append(
            Node(
                name,
                op,
                "torch.relu" if inputs else name,
                arguments,
                MappingArgument(()),
                module_path=module,
                role=role,
            )
        )
        return name

    labels = add("labels", "", op="placeholder")
    pad = add("pad", "", labels)
    turned = [add("ids", "model.rotary")]
    for step in range(10):
        turned.append(add(f"turn_{step}", "model.rotary", turned[-1]))
    wide = [add(f"mask_{at}", "model", turned[-1]) for at in range(30)]
    last = add("joined", "model", *wide)
    for layer in range(layers):
        for step in range(steps):
            last = add(f"l{layer}_{step}", f"model.layers.{layer}", last)
    loss = add("loss", "", last, pad)
    nodes.append(
        Node(
            "output",
            "output",
            "output",
            SequenceArgument("tuple", (SequenceArgument("tuple", (NodeArgument(loss),)),)),
        )
    )
    return Graph(tuple(nodes))


def seen_boxes(pane) -> set[str]:
    seen = pane.view.visible_area()
    return {box.id for box in pane.view.scene_data.boxes_in(seen) if seen.contains(to_qt(box.rect))}


def test_a_graph_whose_top_is_mostly_empty_opens_just_below_where_it_is_filled(make_pane, show_graph):
    pane = make_pane(show_graph(model_with_labels()), 684, 480)
    seen = seen_boxes(pane)
    assert len(seen) >= 8, seen
    assert pane.view.zoom >= 0.7
    top = pane.view.visible_area().top() - pane.view.scene_data.beginning.top()
    assert top <= pane.view.visible_area().height() + 1, "not further down than one screen"


def test_few_boxes_all_over_a_wide_view_are_no_beginning() -> None:
    """As of Llama 70B: labels at the left, positions at the right, and half a screen below a module."""
    apart = [QRectF(0, 0, 120, 50), QRectF(0, 70, 120, 50), QRectF(1100, 90, 120, 50)]
    apart += [QRectF(1100, 170, 120, 50), QRectF(200, 260, 120, 50)]
    module = [QRectF(500 + 140 * (n % 2), 420 + 70 * (n // 2), 120, 50) for n in range(12)]
    boxes = [*apart, *module]
    whole = lambda area: sum(area.contains(box) for box in boxes)  # noqa: E731
    content = Content(QRectF(0, 0, 1900, 4000), boxes[0], QRectF(500, 3000, 300, 600), whole)
    size = QSize(920, 370)
    sight = first_sight(content, size)
    area = QRectF(0, 0, size.width() / sight.zoom, size.height() / sight.zoom)
    area.moveCenter(sight.center)
    assert sum(map(area.contains, module)) >= 6
    assert area.top() <= 420


def test_where_more_than_a_screen_is_empty_the_layer_that_repeats_is_seen() -> None:
    boxes = [QRectF(0, 0, 120, 50)]
    boxes += [QRectF(1500, 3000 + 70 * n, 120, 50) for n in range(40)]
    heart = QRectF(1480, 3300, 160, 400)
    whole = lambda area: sum(area.contains(box) for box in boxes)  # noqa: E731
    sight = first_sight(Content(QRectF(0, 0, 3000, 6000), boxes[0], heart, whole), CANVAS)
    area = QRectF(0, 0, CANVAS.width() / sight.zoom, CANVAS.height() / sight.zoom)
    area.moveCenter(sight.center)
    assert area.contains(heart)


def test_a_joint_graph_begins_with_its_forward_though_the_backward_begins_higher() -> None:
    boxes = tuple(
        Box(lane + name, Rect(x, y, 120, 50), name, None, lane)
        for lane, x, top in (("forward", 0, 800), ("backward", 900, 0))
        for name, y in (("one", top), ("two", top + 90))
    )
    edges = tuple(
        Edge(f"{lane}one", f"{lane}two", (), array("d", (0, 0, 0, 9))) for lane in ("forward", "backward")
    )
    lanes = tuple(LaneBand(lane, Rect(0, 0, 1, 1)) for lane in ("forward", "backward"))
    assert Scene(Layout(boxes, edges, lanes=lanes)).beginning == QRectF(0, 800, 120, 50)


def test_a_graph_that_begins_with_boxes_opens_at_its_beginning(make_pane, show_graph):
    pane = make_pane(show_graph(layered_graph(layers=12, steps=12)), 684, 480)
    assert any(box.repeats > 1 for box in pane.view.scene_data.layout.boxes)
    assert {"x", "relu_0_0", "relu_0_1"} <= seen_boxes(pane)


def test_where_nothing_repeats_the_first_place_with_boxes_is_seen() -> None:
    boxes = [QRectF(0, 0, 120, 50), QRectF(0, 70, 120, 50)]
    boxes += [QRectF(1500 + 150 * (n % 5), 1800 + 80 * (n // 5), 120, 50) for n in range(40)]
    whole = lambda area: sum(area.contains(box) for box in boxes)  # noqa: E731
    bounds = QRectF(0, 0, 4000, 9000)
    sight = first_sight(Content(bounds, boxes[0], crowd=whole), CANVAS)
    area = QRectF(0, 0, CANVAS.width() / sight.zoom, CANVAS.height() / sight.zoom)
    area.moveCenter(sight.center)
    assert whole(area) >= 10
    assert area.top() < 1800, "from above, as one reads"
    full = [*boxes, *(QRectF(0, 70 * n, 120, 50) for n in range(2, 20))]
    sight = first_sight(Content(bounds, boxes[0], crowd=lambda area: sum(map(area.contains, full))), CANVAS)
    assert sight.center.y() < CANVAS.height() / sight.zoom, "a chain of boxes is a beginning"


def test_the_overview_stands_where_it_covers_no_box(make_pane, show_graph, qtbot) -> None:
    """Boxes at the right and none at the left: the overview goes there, and stays while one moves about."""
    pane = make_pane(show_graph(model_with_labels()), 684, 480)
    view = pane.view

    def covered() -> list[str]:
        return [box.id for box in view.scene_data.boxes_in(view.map_area(pane.minimap.geometry()))]

    first = to_qt(view.scene_data.boxes["l0_4"].rect)
    view.go_to(view.zoom, first.center())
    pane.minimap.refresh()
    qtbot.wait(20)
    qtbot.waitUntil(pane.minimap.isVisible)
    assert pane.minimap.geometry().center().x() > view.width() / 2, "at the right where both sides are free"
    width = view.visible_area().width()
    view.go_to(view.zoom, first.center() - QPointF(width * 0.35, 0))
    pane.minimap.refresh()
    qtbot.waitUntil(lambda: not covered())
    assert pane.minimap.geometry().center().x() < view.width() / 2
    view.go_to(view.zoom, first.center() + QPointF(width * 0.35, 0))
    qtbot.wait(20)
    assert pane.minimap.geometry().center().x() < view.width() / 2
    pane.resize(683, 480)
    qtbot.waitUntil(lambda: not covered())
