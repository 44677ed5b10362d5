"""A canvas that gets narrower or wider goes on showing what was in its middle, and all of it where all was in view."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsScene

from app.canvas.zooming_view import ZoomingView


@pytest.fixture
def view(qtbot) -> ZoomingView:
    made = ZoomingView(QGraphicsScene())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.set_content(QRectF(0, 0, 400, 3000), 0.0)
    return made


def test_what_was_in_the_middle_stays_there(view: ZoomingView) -> None:
    view.go_to(1.0, QRectF(150, 1400, 100, 100).center())
    view.resize(400, 300)
    assert abs(view.center().x() - 200) < 3
    assert abs(view.center().y() - 1450) < 3


def test_what_was_in_view_as_a_whole_stays_so(view: ZoomingView) -> None:
    view.set_content(QRectF(0, 0, 400, 500), 0.0)
    view.go_to(1.0, QRectF(0, 0, 400, 500).center())
    view.resize(300, 250)
    assert view.visible_area().contains(QRectF(0, 0, 400, 500))
