"""A canvas that gets narrower or wider goes on showing what was in its middle, and all of it where all was in view."""

from array import array

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtWidgets import QGraphicsScene

from app.canvas.first_sight import Content
from app.canvas.graph_view import GraphView
from app.canvas.painting.box_measure import BoxMeasure
from app.canvas.painting.brushes import brushes
from app.canvas.scene import Scene
from app.canvas.zooming_view import ZoomingView
from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.geometry import Box, Edge, Layout, Rect
from app.theme.current import colors
from compiler.model.diagrams.diagrams import diagram
from tests.helpers.shown_widget import on_screen
from tests.helpers.transformer_graph import joint_stage

NOTHING = lambda _area: 0  # noqa: E731


@pytest.fixture
def view(qtbot) -> ZoomingView:
    made = on_screen(qtbot, ZoomingView(QGraphicsScene()), 900, 600)
    made.set_content(Content(QRectF(0, 0, 400, 3000), QRectF(), crowd=NOTHING))
    return made


def test_what_was_in_the_middle_stays_there(view: ZoomingView) -> None:
    view.go_to(1.0, QRectF(150, 1400, 100, 100).center())
    view.resize(400, 300)
    assert abs(view.center().x() - 200) < 3
    assert abs(view.center().y() - 1450) < 3


def test_what_was_in_view_as_a_whole_stays_so(view: ZoomingView) -> None:
    view.set_content(Content(QRectF(0, 0, 400, 500), QRectF(), crowd=NOTHING))
    view.go_to(1.0, QRectF(0, 0, 400, 500).center())
    view.resize(300, 250)
    assert view.visible_area().contains(QRectF(0, 0, 400, 500))


def test_a_large_content_opens_where_most_is_beside_its_beginning(view: ZoomingView) -> None:
    beginning, crowd = QRectF(1900, 0, 150, 50), [QRectF(2300 + 200 * n, 300, 150, 50) for n in range(8)]
    whole = lambda area: sum(area.contains(box) for box in crowd)  # noqa: E731
    view.set_content(Content(QRectF(0, 0, 4000, 9000), beginning, crowd=whole))
    view.open_well()
    assert view.visible_area().contains(beginning)
    assert whole(view.visible_area()) == 4, "as many as fit beside it"
    view.set_content(Content(QRectF(0, 0, 4000, 9000), beginning, crowd=NOTHING))
    view.open_well()
    assert view.center().x() == pytest.approx(beginning.center().x(), abs=2)


def test_a_low_view_shows_a_few_rows_of_a_tall_content_as_small_as_one_can_read(view: ZoomingView) -> None:
    view.resize(900, 240)
    view.open_well()
    assert view.zoom == pytest.approx(0.7)
    view.resize(900, 600)
    assert view.zoom == pytest.approx(1.0), "there is room for them as they are"


@pytest.mark.parametrize(("high", "zoom"), [(440, 0.7), (266, 0.68), (240, 0.61)])
def test_a_short_graph_opens_as_a_whole_in_a_low_view(view: ZoomingView, high: int, zoom: float) -> None:
    """Five boxes below one another: the last one is not cut for letters a little larger, nor for an empty margin."""
    graph = QRectF(0, 0, 120, 366)
    view.set_content(Content(graph))
    view.resize(600, high)
    view.open_well()
    assert view.visible_area().contains(graph)
    assert view.zoom >= zoom
    assert view.more_beyond() == ()


def test_it_says_at_which_sides_the_content_goes_on(view: ZoomingView) -> None:
    view.open_well()
    assert view.more_beyond() == (Qt.Edge.BottomEdge,)
    view.go_to(1.0, QRectF(0, 1400, 400, 200).center())
    assert view.more_beyond() == (Qt.Edge.TopEdge, Qt.Edge.BottomEdge)
    view.fit()
    assert view.more_beyond() == ()


def test_where_the_graph_goes_on_an_arrow_says_so(qtbot) -> None:
    view = on_screen(qtbot, GraphView(), 600, 300)
    view.set_layout(layout := arrange(prepare(diagram(joint_stage(60))), BoxMeasure()))
    view.open_well()
    arrow, below = brushes(colors()).color("dim_text").rgb(), QRect(290, 276, 20, 24)
    assert arrow in _colors(view, below)
    x, y = layout.bounds.center
    view.go_to(1.0, QPointF(x, y + layout.bounds.height / 2))
    assert arrow not in _colors(view, below), "the graph ends above"


def _colors(view: GraphView, area: QRect) -> set[int]:
    image = view.viewport().grab(area).toImage()
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_reading_begins_at_the_highest_box_that_leads_somewhere() -> None:
    """Not at the first of the list, which lies anywhere, nor at one that stands by itself above all others."""
    alone, low, high = (Box(name, Rect(x, y, 80, 40), name, None) for name, x, y in _PLACES)
    arrow = Edge("high", "low", (), array("d", (0.0, 0.0)))
    made = Scene(Layout((alone, low, high), (arrow,), (), (), (), Rect(0, 0, 900, 700)))
    assert made.beginning == QRectF(300, 100, 80, 40)
    assert made.whole_boxes_in(QRectF(250, 50, 200, 200)) == 1
    assert made.whole_boxes_in(QRectF(320, 50, 200, 200)) == 0, "a part of one is not enough"


_PLACES = (("alone", 0, 0), ("low", 10, 600), ("high", 300, 100))
