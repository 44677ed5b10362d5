"""Edits, captures and verdicts."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.panes.history_pane import HistoryPane
from app.panes.history_pane.verdict_texts import (
    judged_text,
    judged_tip,
    ratio_text,
    right_text,
    speed_text,
)
from compiler.analysis.text_format.times import summary_text
from compiler.model.edits.edits import BypassNode, EditGroup, SetArgument
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.protocol.messages import Recompile, Recompiled, RunTimings, TimeStates
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import TimingSettings, TimingSummary
from compiler.model.timing.verdicts import Comparison, Difference, Verdict
from tests.helpers.table_reader import every_row, menu_texts, seen_rows

SET_DIM = SetArgument("0/0:dynamo", "relu", ("kwargs", "dim"), ConstantArgument("int", "2"))
BYPASS = BypassNode("0/0:dynamo", "relu", "linear")


@pytest.fixture
def pane(shown, put):
    made = HistoryPane(shown)
    put(made, 800, 500)
    return made


def rows(pane, *columns):
    return [tuple(row.text(column) for column in columns or (0, 1)) for row in every_row(pane.states)]


def recompile(session, engine, capture, verdict, capture_id="capture-2"):
    session.recompile()
    again = msgspec.structs.replace(capture, id=capture_id, parent=capture.id, seconds=0.8)
    engine.last(Recompile).reply(Recompiled(again, verdict))


def test_edits_that_do_not_compile_are_reported_so(shown, engine, pane):
    shown.make_edit(BYPASS)
    shown.recompile()
    engine.last(Recompile).fail("g++ failed.")
    assert rows(pane)[1][1] == "recompile failed"
    shown.undo()
    assert rows(pane)[1][1] == "undone"


@pytest.mark.parametrize("wide", [320, 500, 620, 1000])
def test_no_answer_of_a_verdict_is_cut_off(shown, engine, capture, pane, qtbot, wide):
    shown.make_edit(BYPASS)
    far = Difference("grad of model.body.attn_layers.layers.1.1.ff.0.0.q_proj.weight", 1e-7, 6.1e-7)
    named = Comparison("edited", "edited graph, float64", (far,), True)
    verdict = Verdict((named,), ratio=PairedRatio(1.0, 0.96, 1.02, 12))
    recompile(shown, engine, capture, verdict)
    pane.resize(wide, 500)
    qtbot.wait(50)
    card = pane.verdict.card
    seen = card.parentWidget().parentWidget()
    for label in (card.speed, card.error, card.meaning):
        right = label.mapTo(seen, label.rect().topRight()).x()
        assert right <= seen.width(), label.text()
        assert label.width() >= label.minimumSizeHint().width()


def test_edits_are_listed_and_a_click_goes_back(shown, pane, click_row):
    shown.make_edit(SET_DIM)
    shown.make_edit(BYPASS)
    assert rows(pane)[1:] == [
        ("relu: kwargs.dim = 2", "not compiled"),
        ("Remove relu, linear takes its place", "not compiled"),
    ]
    assert rows(pane)[0][1].startswith("captured ")
    click_row(list(every_row(pane.states))[1])
    assert shown.edits == (SET_DIM,)
    assert rows(pane)[2] == ("Remove relu, linear takes its place", "undone")
    click_row(seen_rows(pane.states)[0])
    assert shown.edits == ()
    click_row(list(every_row(pane.states))[2])
    assert shown.edits == (SET_DIM, BYPASS)


def test_what_is_tried_after_going_back_is_another_branch(shown, pane, click_row):
    shown.make_edit(BYPASS)
    shown.undo()
    shown.make_edit(SET_DIM)
    (start,) = seen_rows(pane.states)
    assert [row.text(0) for row in start.children()] == [
        "Remove relu, linear takes its place",
        "relu: kwargs.dim = 2",
    ]
    shown.make_edit(BYPASS)
    (start,) = seen_rows(pane.states)
    assert start.children()[1].children()[0].text(0) == "Remove relu, linear takes its place"
    click_row(start.children()[0])
    assert shown.edits == (BYPASS,)
    shown.states.name("s2", "other dimension")
    assert rows(pane, 0)[2] == ("other dimension: relu: kwargs.dim = 2",)
    shown.states.drop("s2")
    assert rows(pane, 0) == [("As captured",), ("Remove relu, linear takes its place",)]
    assert shown.edits == (BYPASS,)
    shown.states.drop("s1")
    assert shown.edits == ()
    assert not shown.undo_stack.canRedo()


def test_a_long_edit_is_read_in_full(shown, pane, qtbot):
    """The end of it says how many layers it was made in."""
    shown.make_edit(EditGroup("The last edits of model.layers.0.self_attn in 3 equal layers", (BYPASS,)))
    _, state = seen_rows(pane.states)
    tree = pane.states.tree
    text, room = state.text(0), tree.columnWidth(0)
    lines = -(-tree.fontMetrics().horizontalAdvance(text) // room)
    assert lines > 1, "not longer than its column: nothing is tested"
    high = [tree.visualRect(tree.model().index(at, 0)).height() for at in (0, 1)]
    assert high[1] >= high[0] + (lines - 1) * tree.fontMetrics().height()


def test_a_state_is_named_in_place_and_its_menu_says_what_can_be_done(shown, pane, qtbot):
    shown.make_edit(BYPASS)
    first, state = seen_rows(pane.states)
    assert menu_texts(pane.states, first) == ["Go to this state", "Compare with the active state"]
    assert menu_texts(pane.states, state) == ["Go to this state", "Name…", "Drop it and what follows"]
    pane.states.begin_edit("s1")
    editor = pane.states.tree.findChild(QLineEdit)
    assert editor.text() == ""
    editor.setText("without relu")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(pane, 0)[1] == ("without relu: Remove relu, linear takes its place",))


def test_a_recompile_is_reported_with_its_verdict_and_gone_back_to(shown, engine, capture, pane, click_row):
    shown.make_edit(BYPASS)
    near, far = Difference("output 0", 1e-7, 2e-7), Difference("grad of fc1.weight", 1e-3, 5e-3)
    verdict = Verdict(
        (
            Comparison("edited", "edited graph, eager", (near, far), True),
            Comparison("edited", "eager", (far,), None, "another function"),
        ),
        TimingSummary(1000e3, 990e3, 1010e3, 50),
        TimingSummary(500e3, 490e3, 510e3, 50),
        recompile_seconds=0.8,
        cold_seconds=3.2,
        summary="Right and twice as fast.",
        ratio=PairedRatio(0.5, 0.48, 0.52, 50),
        notes=("Dropout off.",),
    )
    recompile(shown, engine, capture, verdict)
    assert rows(pane, 1, 2, 3)[1] == ("compiled 0.8 s", "yes", "2.00× as fast")
    assert pane.verdict.sentence.text() == "Right and twice as fast."
    assert "1.00 ms [0.99–1.01]" in pane.verdict.times.text()
    first, second = seen_rows(pane.verdict.rows)
    assert first.texts() == [
        "edited – edited graph, eager",
        "yes",
        "grad of fc1.weight",
        "1.0e-03",
        "5.0e-03",
    ]
    assert second.text(1) == "not judged"
    assert len(first.children()) == 2
    assert pane.verdict.notes.text() == "Dropout off."
    asked = engine.count(Recompile)
    click_row(seen_rows(pane.states)[0])
    assert shown.capture.id == "capture-1"
    assert not shown.has_uncompiled_edits  # what was compiled is shown again, nothing is compiled
    assert "recompile" in pane.verdict.nothing.text()
    shown.states.go_to("s1")
    assert shown.capture.id == "capture-2"
    assert engine.count(Recompile) == asked


def test_timing_after_going_back_runs_what_is_shown(shown, engine, capture, pane):
    shown.make_edit(BYPASS)
    recompile(shown, engine, capture, None)
    shown.states.go_to("")
    shown.timings.start(TimingSettings())
    request = engine.last(Recompile)
    assert (request.body.edits, request.body.id, request.body.judge) == ((), "capture-1", False)
    request.reply(Recompiled(capture, None))
    assert engine.last(RunTimings).body.capture == "capture-1"
    engine.last(RunTimings).fail("enough")


def test_two_states_are_compared(shown, engine, capture, pane):
    shown.make_edit(BYPASS)
    verdict = Verdict((), TimingSummary(1000e3, 990e3, 1010e3, 50), TimingSummary(500e3, 490e3, 510e3, 50))
    recompile(shown, engine, capture, verdict)
    seen_rows(pane.states)[0].select()
    assert pane.right.currentIndex() == 1
    view = pane.comparison
    assert "2.00× as fast, measured in the same run" in view.times.text()
    group = seen_rows(view.tree)[0]
    assert group.text(0).startswith("Edits")
    assert group.children()[0].text(0) == "Remove relu, linear takes its place"
    shown.undo()
    shown.make_edit(SET_DIM)
    pane.states.compared.emit("s1", "s2")
    assert view.headline.text() == "Not compiled: the second"


def test_two_states_are_timed_by_turns(shown, engine, capture, pane):
    shown.make_edit(BYPASS)
    recompile(shown, engine, capture, None)
    seen_rows(pane.states)[0].select()
    turns = pane.comparison.timing
    turns.button.click()
    assert not turns.button.isEnabled()
    asked = engine.last(TimeStates)
    assert (asked.body.first, asked.body.second) in (((), (BYPASS,)), ((BYPASS,), ()))
    fast, slow = TimingSummary(500e3, 490e3, 510e3, 50), TimingSummary(1000e3, 990e3, 1010e3, 50)
    asked.reply(StateTimes(fast, slow, slow, PairedRatio(2.0, 1.9, 2.1, 50)))
    assert "the first is 2.00× faster than the second" in turns.words.text()
    assert "eager 1.00 ms" in turns.words.text()
    turns.button.click()
    engine.last(TimeStates).reply(StateTimes(fast, slow, slow, PairedRatio(1.0, 0.9, 1.1, 50)))
    assert "the first cannot be told apart from the second" in turns.words.text()
    assert turns.button.isEnabled()


def test_the_verdict_says_whether_steps_can_be_distinguished(shown, engine, capture, pane):
    shown.make_edit(BYPASS)
    times = TimingSummary(1000e3, 990e3, 1010e3, 50)
    ratios = {"ratio": PairedRatio(1.0, 0.9, 1.1, 50), "eager_ratio": PairedRatio(2.0, 1.9, 2.1, 50)}
    recompile(shown, engine, capture, Verdict((), times, times, times, **ratios))
    text = pane.verdict.times.text()
    assert "the program before cannot be told apart from after" in text
    assert "the program after is 2.00× faster than eager" in text


def test_a_verdict_speaks_by_its_paired_steps():
    wide = TimingSummary(100, 50, 150, 50)
    reported = Verdict((), wide, wide, ratio=PairedRatio(0.8, 0.78, 0.82, 50))
    assert speed_text(reported) == "1.25× as fast"
    assert speed_text(Verdict((), wide, wide, ratio=PairedRatio(0.8, 0.6, 1.1, 50))) == "no clear change"


def test_speeds_that_overlap_are_no_change():
    same = TimingSummary(100, 90, 110, 50)
    assert ratio_text(same, TimingSummary(105, 95, 115, 50)) == "no clear change"
    assert ratio_text(same, TimingSummary(200, 190, 210, 50)) == "2.00× as slow"
    assert ratio_text(same, TimingSummary(200, 200, 200, 1)) == "too few steps to compare"
    assert speed_text(Verdict(())) == "not timed"
    assert speed_text(Verdict((), same, same)) == "too few steps to compare"
    assert summary_text(None) == "–"


def test_torchs_own_judgement_stands_beside_ours_where_it_is_another():
    row = Comparison("edited", "float64", (), False, "A note.", True)
    assert judged_text(row) == "no (torch: yes)"
    assert "torch._dynamo.utils.same" in judged_tip(row)
    assert judged_tip(row).endswith("A note.")
    assert judged_text(msgspec.structs.replace(row, torch_agrees=False)) == "no"
    assert judged_text(msgspec.structs.replace(row, agrees=None)) == "not judged"


@pytest.mark.parametrize(("edited", "reported"), [(None, "not judged"), (False, "no"), (True, "yes")])
def test_an_edit_is_as_right_in_the_list_as_on_its_card(edited: bool | None, reported: str) -> None:
    """What torch made without it is judged too, and the list said yes of an edit that nobody had judged."""
    rows = (Comparison("unedited", "float64", (), True), Comparison("edited", "edited graph", (), edited))
    assert right_text(Verdict(rows)) == reported
