"""The time axis of steps and runs answers the mouse."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.widgets.axes.zoomed_axis import CLICK, RIGHT, ZoomedAxis
from tests.helpers.shown_widget import on_screen


class Axis(ZoomedAxis):
    LEFT = 20
    _length = 50.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__(None, "an axis")
        self.clicks: list[QPointF] = []

    def _clicked(self, location: QPointF) -> None:
        self.clicks.append(location)


@pytest.fixture
def axis(qtbot: QtBot) -> Axis:
    return on_screen(qtbot, Axis(), 20 + 400 + RIGHT, 60)


def test_what_is_under_the_mouse_stays_there(axis: Axis) -> None:
    at = axis._x(12.5)
    axis.zoom(4.0, at)
    assert axis.shown == pytest.approx((9.375, 21.875))
    assert axis._x(12.5) == pytest.approx(at)
    axis.zoom(1e9, at)
    axis.zoom(1e-9, at)
    assert axis.shown == (0.0, 50.0)


def test_dragging_moves_to_the_ends_and_no_further(axis: Axis) -> None:
    axis.zoom(2.0, 20)
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, pos=QPoint(300, 30))
    QTest.mouseMove(axis, QPoint(200, 30))
    assert axis.shown == pytest.approx((6.25, 31.25))
    QTest.mouseMove(axis, QPoint(-9000, 30))
    assert axis.shown == pytest.approx((25.0, 50.0))
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert not axis.clicks
    QTest.mouseDClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(200, 30))
    assert axis.shown == (0.0, 50.0)


@pytest.mark.parametrize(("moved", "clicks"), [(0, 1), (CLICK, 1), (CLICK + 1, 0)])
def test_a_click_is_one_that_hardly_moves(axis: Axis, moved: int, clicks: int) -> None:
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, pos=QPoint(100, 30))
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, pos=QPoint(100 + moved, 30))
    assert len(axis.clicks) == clicks
