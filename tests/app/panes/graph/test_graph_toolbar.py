"""The row above the canvas where there is little room: the title stays whole, what wheel and keys do too goes first."""

import pytest
from PySide6.QtCore import Qt

from app.panes.graph.graph_toolbar import GraphToolbar
from app.theme.colors import DARK, LIGHT
from app.theme.palette import apply


@pytest.fixture
def toolbar(put):
    made = GraphToolbar()
    put(made, 900, 40)
    made.set_title("Dynamo graph of normalise")
    made.set_counts("4 nodes")
    made.set_zoom(0.8)
    return made


def _whole(toolbar):
    return toolbar.title.width() >= toolbar.title.fontMetrics().horizontalAdvance(toolbar.title.text())


def _worded(toolbar):
    return toolbar.color_button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon


@pytest.mark.parametrize("width", [900, 604, 500, 400, 270])
def test_the_title_is_whole(toolbar, width, qtbot):
    toolbar.resize(width, 40)
    qtbot.waitUntil(lambda: _whole(toolbar))
    assert toolbar.filter_button.isVisible()


def test_what_goes_comes_back(toolbar, qtbot):
    assert all(part.isVisible() for part in (toolbar.counts, toolbar.zoom))
    assert _worded(toolbar)
    for width in range(890, 250, -10):  # how narrow depends on the letters that there are
        toolbar.resize(width, 40)
        qtbot.wait(1)
        if not toolbar.zoom.isVisible():
            break
    assert not toolbar.zoom.isVisible()
    assert not _worded(toolbar)
    toolbar.set_title("Joint")
    assert toolbar.zoom.isVisible()
    toolbar.resize(900, 40)
    qtbot.waitUntil(lambda: _worded(toolbar))
    assert toolbar.counts.isVisible()


def test_where_there_is_no_room_beside_the_buttons_it_has_a_line_of_its_own(toolbar, qtbot):
    toolbar.resize(270, 60)
    qtbot.waitUntil(lambda: toolbar.title.y() + toolbar.title.height() <= toolbar.filter_button.y())
    toolbar.resize(900, 60)
    qtbot.waitUntil(lambda: toolbar.title.geometry().bottom() > toolbar.filter_button.y())


def test_the_row_is_arranged_again_only_where_something_changed(toolbar, monkeypatch, qtbot):
    """A recompile shows its stage again with each of its partial results."""
    tries = []
    whether = toolbar._drop_until_it_fits
    monkeypatch.setattr(
        toolbar, "_drop_until_it_fits", lambda wanted: tries.append(wanted) or whether(wanted)
    )
    toolbar.set_title(toolbar.title.text())
    toolbar.set_counts(toolbar.counts.text())
    toolbar.set_drawn(True)
    assert not tries
    toolbar.set_counts("12,345 nodes of very many")
    assert tries
    tries.clear()
    toolbar.setStyleSheet("* { font-size: 22px }")
    qtbot.waitUntil(lambda: bool(tries))


def test_another_look_does_not_arrange_the_row_again(toolbar, monkeypatch, qtbot, qapp):
    """Its style sheet is taken off and put on, and each trial asked all buttons for their sizes: a fifth of the change's time."""
    apply(qapp, LIGHT)
    qtbot.wait(20)
    tries = []
    monkeypatch.setattr(toolbar, "_arrange", lambda: tries.append(1))
    apply(qapp, DARK)
    qtbot.wait(20)
    apply(qapp, LIGHT)
    qtbot.wait(20)
    assert not tries
