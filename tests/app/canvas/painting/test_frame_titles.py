"""A group's title is in sight for as long as a part of the group is, and is what one clicks where it is drawn."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from app.canvas.graph_view import GraphView
from app.canvas.painting.brushes import brushes
from app.canvas.painting.frame_titles import TitlePlace, title_places
from app.canvas.scene import Scene
from app.graph_layout.geometry import Box, Frame, LaneBand, Layout, Rect
from app.theme.current import colors
from tests.helpers.shown_widget import on_screen

OUTER = Frame("model", "model", Rect(0, 0, 3000, 4000), 0, ("model",))
INNER = Frame("model.layers", "layers", Rect(30, 40, 2900, 3900), 1, ("model", "layers"))
SMALL = Frame("model.layers.0", "0", Rect(60, 1000, 400, 300), 2, ("model", "layers", "0"))
VIEW = QRectF(1200, 1500, 800, 500)


def scene(*frames: Frame, lanes: tuple[LaneBand, ...] = (), boxes: tuple[Box, ...] = ()) -> Scene:
    return Scene(Layout(boxes, (), (), frames, lanes, Rect(0, 0, 3000, 4000)))


def titles(view: QRectF, *frames: Frame, **more: tuple) -> list[TitlePlace]:
    return title_places(scene(*frames, **more), view, 1.0)


def test_a_title_scrolled_out_is_held_at_the_edge_of_the_view() -> None:
    found = titles(VIEW, OUTER, INNER, SMALL)
    assert [place.frame.title for place in found] == ["model", "layers"], (
        "0 is out of view with all of its group"
    )
    model, layers = (place.plate for place in found)
    assert VIEW.contains(model)
    assert VIEW.contains(layers)
    assert model.right() < layers.left(), "side by side, the outermost first"
    assert model.top() == layers.top() < VIEW.top() + 10


def test_a_title_in_its_corner_stays_there() -> None:
    view = QRectF(-20, -20, 800, 500)
    found = titles(view, OUTER, INNER)
    assert {place.frame.title: place.plate.topLeft() for place in found} == {
        "model": QPointF(6, 5),
        "layers": QPointF(36, 45),
    }
    assert not any(place.held for place in found)


def test_a_held_title_does_not_leave_its_group_nor_cover_a_lane() -> None:
    found = titles(QRectF(60, 1290, 800, 500), SMALL)
    assert not found, "ten pixels of the group have no room for it"
    lane = LaneBand("forward", Rect(0, 0, 3000, 4000))
    (beside,) = titles(VIEW, OUTER, lanes=(lane,))
    (alone,) = titles(VIEW, OUTER)
    assert beside.plate.left() > alone.plate.left() + 40 or beside.plate.top() > alone.plate.top() + 20


@pytest.mark.parametrize("zoom", [0.2, 1.0, 2.0])
def test_what_is_clicked_is_the_title_and_not_the_box_behind_it(qtbot, zoom: float) -> None:
    boxes = tuple(
        Box(f"{x}-{y}", Rect(x, y, 100, 60), "box", None)
        for x in range(0, 2900, 100)
        for y in range(40, 3900, 60)
    )
    view = on_screen(qtbot, GraphView(), 800, 500)
    view.set_scene(scene(OUTER, boxes=boxes))
    view.go_to(zoom, QPointF(1600, 2000))
    (place,) = view.titles()
    middle = view.mapFromScene(place.plate.center())
    assert view.hit_at(middle).frame == OUTER
    assert view.hit_at(middle + QPoint(0, 120)).box is not None
    with qtbot.waitSignal(view.toggled) as reported:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert reported.args == ["model"]
    image = view.viewport().grab(view.rect_in_view(place.plate).toRect().adjusted(3, 3, -3, -3)).toImage()
    painted = [image.pixel(x, y) for x in range(image.width()) for y in range(image.height())]
    ground = brushes(colors()).canvas.rgb()
    assert painted.count(ground) > len(painted) / 2, "a plate hides what is behind"
    assert set(painted) - {ground}, "with the title on it"
