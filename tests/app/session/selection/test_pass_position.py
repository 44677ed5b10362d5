"""Stepping through the passes of a stage."""

import pytest

from app.session.facade.displayed_stage import stage_in_view
from compiler.model.ir.ids import place
from tests.helpers import sample_capture as sample
from tests.helpers.opened_capture import open_capture

POST = sample.POST_GRAD


@pytest.fixture
def opened(session, engine):
    capture = sample.with_passes()
    open_capture(session, capture)
    session.show_stage(POST)
    return session


def names(session, stage):
    shown = stage_in_view(session, stage)
    return [node.id for node in shown.graph.nodes]


def test_a_stage_is_looked_at_as_it_is(opened):
    assert opened.passes.position(POST) is None
    assert opened.passes.step_shown(POST) is None
    assert stage_in_view(opened, POST) == opened.capture.stage(POST)
    assert opened.passes.stops(sample.DYNAMO) == [None]


def test_steps_stop_where_something_changed(opened, qtbot):
    passes = opened.passes
    assert passes.stops(POST) == [0, 2, 3, None]
    seen = []
    for _ in range(4):
        passes.step(POST, -1)
        seen.append(passes.position(POST))
    assert seen == [3, 2, 0, 0]
    assert "alias" in names(opened, POST)
    passes.step(POST, 1)
    assert passes.step_shown(POST).name == "remove_noop_ops"
    assert "alias" not in names(opened, POST)
    with qtbot.waitSignal(passes.changed):
        passes.every = True
    assert passes.stops(POST) == [0, 1, 2, 3, None]


def test_from_a_hidden_pass_one_steps_to_the_next_that_counts(opened):
    opened.passes.every = True
    opened.passes.go_to(POST, 1)
    opened.passes.every = False
    opened.passes.step(POST, 1)
    assert opened.passes.position(POST) == 2
    opened.passes.go_to(POST, 1)
    opened.passes.step(POST, -1)
    assert opened.passes.position(POST) == 0


def test_the_selection_follows(opened):
    opened.selection.select(place(POST, "relu"))
    opened.passes.go_to(POST, 3)
    assert opened.selection.pinned == place(POST, "relu")
    opened.passes.go_to(POST, 2)
    assert opened.selection.pinned == place(POST, "clamp_min", after=2)
    assert opened.passes.carried == (("relu",), ("clamp_min",))
    opened.passes.go_to(POST, None)
    assert opened.selection.pinned == place(POST, "relu")
    opened.passes.go_to(POST, 0)
    opened.selection.select(opened.passes.at(POST, "alias"))
    opened.passes.step(POST, 1)
    assert opened.selection.pinned == place(POST, "mm", after=2)


def test_a_selection_of_another_stage_lights_up_what_it_was_then(opened):
    opened.selection.select(place(sample.FORWARD, "relu"))
    opened.passes.go_to(POST, 0)
    assert opened.passes.pinned_in(POST) == {"clamp_min"}
    opened.selection.hover(place(sample.FORWARD, "relu"))
    assert opened.passes.hovered_in(POST) == {"clamp_min"}
    assert opened.passes.ends_as(POST) == {"clamp_min": ("relu",), "alias": ("mm",)}
    assert opened.selection.pinned == place(sample.FORWARD, "relu")


def test_another_capture_and_edits_end_it(opened):
    opened.passes.go_to(POST, 0)
    opened.passes.leave()
    assert opened.passes.position(POST) is None
    opened.passes.go_to(POST, 0)
    opened.passes.show(sample.capture("capture-2"))
    assert opened.passes.position(POST) is None
    assert opened.passes.replay(POST) is None
    opened.passes.go_to(POST, 1)
    assert opened.passes.position(POST) is None


def test_histories_of_nodes_that_are_gone(opened):
    opened.passes.go_to(POST, 0)
    events = opened.passes.history(opened.passes.at(POST, "alias"))
    assert [event.by for event in events if event.kind == "merged"] == ["remove_noop_ops"]
    assert opened.passes.removed_by(POST, "alias") == "remove_noop_ops"


def test_nodes_picked_after_a_pass_light_up_what_they_link_to(opened):
    opened.selection.select(place(POST, "relu"))
    meant = {stage: there.nodes for stage, there in opened.selection.everywhere().items()}
    assert len(meant) > 2
    opened.selection.clear()
    opened.passes.go_to(POST, 2)
    opened.selection.select(opened.passes.at(POST, "clamp_min"))
    assert {stage: there.nodes for stage, there in opened.selection.everywhere().items()} == meant
    assert opened.selection.pinned_in(POST) == {
        "relu"
    }  # in the stage itself, which edits and counts are about
    assert opened.passes.pinned_in(POST) == {"clamp_min"}


def test_what_was_picked_after_a_pass_is_found_again_there(opened):
    opened.passes.go_to(POST, 0)
    opened.selection.select(opened.passes.at(POST, "alias"))
    opened.selection.select(opened.passes.at(POST, "clamp_min"))
    opened.passes.go_to(POST, None)
    opened.selection.go_back()
    opened.selection.go_back()
    assert opened.selection.pinned == place(POST, "alias", after=0)
    assert opened.passes.pinned_in(POST) == {"mm"}
    opened.passes.go_to(POST, 0)
    assert opened.passes.pinned_in(POST) == {"alias"}


def test_nothing_stays_picked_after_a_pass_that_is_not_looked_at(opened):
    opened.passes.go_to(POST, 0)
    opened.selection.select(opened.passes.at(POST, "clamp_min"))
    opened.passes.leave()
    assert opened.selection.pinned == place(POST, "relu")
