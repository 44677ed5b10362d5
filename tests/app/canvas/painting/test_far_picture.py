"""From far away thousands of boxes are drawn as pixels of one picture: each box in its place and colour."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize

from app.canvas import graph_item
from app.canvas.box_colors import by_kind
from app.canvas.far_geometry import FarGeometry
from app.canvas.graph_view import GraphView
from app.canvas.marks import Marks
from app.canvas.painting.box_measure import BoxMeasure
from app.canvas.painting.brushes import brushes
from app.canvas.painting.far_picture import CROWD
from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.geometry import Box, Layout
from app.theme.current import colors
from compiler.model.diagrams.diagrams import diagram
from tests.helpers.shown_widget import on_screen
from tests.helpers.transformer_graph import joint_stage


@pytest.fixture(scope="module")
def layout() -> Layout:
    return arrange(prepare(diagram(joint_stage(2000))), BoxMeasure())


@pytest.fixture
def view(qtbot, layout: Layout) -> GraphView:
    made = on_screen(qtbot, GraphView(), 900, 1000)
    made.set_layout(layout)
    made.fit()
    return made


@pytest.mark.thorough
def test_every_box_in_view_has_its_pixel(layout: Layout):
    scale = 0.15
    width, height = int(layout.bounds.width * scale) + 1, int(layout.bounds.height * scale) + 1
    pixels = np.zeros((height, width), dtype=np.uint32)
    colors_ = np.arange(1, len(layout.boxes) + 1, dtype=np.uint32)
    FarGeometry(layout).draw_boxes(pixels, layout.bounds.x, layout.bounds.y, (scale, scale), colors_)
    for number, box in enumerate(layout.boxes, start=1):
        x, y = box.rect.center
        location = pixels[int((y - layout.bounds.y) * scale), int((x - layout.bounds.x) * scale)]
        assert location == number


def test_lines_stay_inside_the_picture_and_on_their_way(layout: Layout):
    for left, top, scale in ((0.0, 0.0, 0.05), (-500.0, 3000.0, 0.13), (200.0, 9000.0, 1.0)):
        pixels = np.zeros((300, 200), dtype=np.uint32)
        FarGeometry(layout).draw_lines(pixels, left, top, scale, 7)
        assert set(np.unique(pixels)) <= {0, 7}
        assert (pixels == 7).any()


def test_a_crowd_is_painted_with_what_is_selected_over_it(view: GraphView, layout: Layout):
    assert len(layout.boxes) > CROWD
    box = next(box for box in layout.boxes if box.node is not None and box.node.title == "relu")
    location = view.mapFromScene(box.rect.x + box.rect.width / 2, box.rect.y + box.rect.height / 2)
    plain = view.viewport().grab().toImage()
    view.item.set_marks(Marks(pinned=frozenset((box.id,))))
    marked = view.viewport().grab().toImage()
    pinned = brushes(colors()).color("pinned")
    assert any(marked.pixelColor(near) == pinned for near in _around(location))
    assert not any(plain.pixelColor(near) == pinned for near in _around(location))


@pytest.mark.parametrize("painted", [True, False])
def test_a_box_far_away_has_one_colour_alone_and_in_a_crowd(
    view: GraphView, layout: Layout, painted: bool, monkeypatch: pytest.MonkeyPatch
):
    nodes = [node for box in layout.boxes for node in box.members]
    kinds = {node: node.partition("_")[0] for node in nodes[::2]}
    tints = {node: number % 7 for number, node in enumerate(nodes[::3])}
    view.item.set_marks(
        Marks(tints=tints, painting=by_kind(kinds, colors().links, "#808080") if painted else None)
    )
    view.go_to(0.1, view.center())
    area = view.visible_area().adjusted(90, 500, -90, -90)  # modules have their titles over the upper edge
    seen = [box for box in view.scene_data.boxes_in(area) if area.contains(QPointF(*box.rect.center))]
    crowd, alone = ([_seen_color(view, box, most, monkeypatch) for box in seen] for most in (0, CROWD))
    assert 10 < len(seen) < CROWD
    assert len(set(alone)) > 3
    assert crowd == alone
    if painted:
        line = colors().line
        assert alone == [view.item.marks.fills.get(box.id, line) for box in seen]


def _seen_color(view: GraphView, box: Box, most: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """The colour in the middle of a box where more than `most` boxes are a crowd."""
    monkeypatch.setattr(graph_item, "CROWD", most)
    image = view.viewport().grab(QRect(view.mapFromScene(*box.rect.center), QSize(1, 1))).toImage()
    return image.pixelColor(0, 0).name()


def test_the_picture_follows_the_view(view: GraphView):
    before = view.viewport().grab().toImage()
    view.zoom_by(1.5, QPoint(450, 500))
    assert view.viewport().grab().toImage() != before


def _around(location: QPoint) -> list[QPoint]:
    return [location + QPoint(across, down) for across in range(-3, 4) for down in range(-3, 4)]
