"""Equal layers in a wrapper are folded in the code pane, and selections reach into them."""

import msgspec
import pytest

from app.panes.code_pane import CodePane
from compiler.model.ir.ids import line_id, place
from compiler.model.ir.stage import StageKind, WrapperStage
from tests.helpers.layered_wrapper import layered_wrapper
from tests.helpers.opened_capture import open_capture

COUNT = 12


@pytest.fixture
def pane(session, engine, capture, qtbot):
    """The code pane with a wrapper of twelve equal layers."""
    text, _ = layered_wrapper(COUNT)
    wrapper = next(stage for stage in capture.stages if stage.kind is StageKind.WRAPPER)
    code = msgspec.structs.replace(wrapper.content.code, text=text)
    large = msgspec.structs.replace(wrapper, content=WrapperStage(code))
    stages = tuple(large if stage is wrapper else stage for stage in capture.stages)
    made = msgspec.structs.replace(capture, stages=stages, links=(), readings=())
    open_capture(session, made)
    pane = CodePane(session)
    qtbot.addWidget(pane)
    pane.resize(700, 500)
    with qtbot.waitExposed(pane):
        pane.show()
    session.show_stage(wrapper.id)
    qtbot.waitUntil(lambda: bool(pane.editor.folds.runs))
    yield pane
    pane.editor._repeats.wait()


def test_equal_layers_are_one_and_a_row(pane):
    (run,) = pane.editor.folds.runs
    assert run.repeats == COUNT
    row = pane.editor.folds.row_on(run.first_of(1))
    assert (row.first, row.last) == (1, COUNT - 1)
    assert pane.editor.toPlainText().count("\n") > run.last


def test_what_is_selected_in_a_layer_opens_that_layer(pane, session):
    (run,) = pane.editor.folds.runs
    line = run.first_of(7) + 3
    session.selection.select(place(session.stage.id, line_id(line)), None)
    assert pane.editor.is_line_visible(line)
    assert pane.editor.pinned == {line}
    assert sorted((row.first, row.last) for row in pane.editor.folds._rows.values()) == [(1, 6), (8, 11)]


def test_a_glance_is_shown_on_the_row(pane, session):
    (run,) = pane.editor.folds.runs
    line = run.first_of(7) + 3
    session.selection.hover(place(session.stage.id, line_id(line)), None)
    assert pane.editor.hovered == {line}
    assert pane.editor.folds.line_seen(line) == run.first_of(1)
    assert pane.editor.is_line_visible(run.first_of(1))


def test_the_row_stands_for_no_line(pane, session):
    (run,) = pane.editor.folds.runs
    pane.editor.line_hovered.emit(run.first_of(1))
    assert not session.selection.hovered
    assert pane.editor._nodes_on(run.first_of(1) + 1)


def test_what_is_selected_before_it_is_found_stays_in_sight(pane, session, qtbot):
    (run,) = pane.editor.folds.runs
    other = next(stage.id for stage in session.capture.stages if stage.graph is not None)
    wrapper = session.stage.id
    session.show_stage(other)
    session.selection.select(place(wrapper, line_id(run.first_of(5) + 2)), None)
    session.show_stage(wrapper)
    qtbot.waitUntil(lambda: bool(pane.editor.folds.runs))
    assert pane.editor.is_line_visible(run.first_of(5) + 2)
    assert pane.editor.folds.row_on(run.first_of(1)) is not None


def test_a_wrapper_that_is_edited_is_whole_and_folded_again(pane, session, qtbot):
    (run,) = pane.editor.folds.runs
    pane.begin_editing()
    assert pane.editing.active
    assert not pane.editor.folds.runs
    assert pane.editor.document().findBlockByNumber(run.last - 2).isVisible()
    pane.editing.cancel() if hasattr(pane.editing, "cancel") else pane.editing.discard()
    qtbot.waitUntil(lambda: bool(pane.editor.folds.runs))


def test_what_is_copied_is_whole(pane, qapp):
    pane.copy.click()
    assert qapp.clipboard().text() == pane.editor.shown.code.text
