"""Edits, captures and verdicts."""

import msgspec
import pytest

from app.panes.history_pane import HistoryPane
from app.panes.history_pane.verdict_texts import speed_text, time_text
from compiler.model.arguments import ConstantArgument
from compiler.model.edits import BypassNode, SetArgument
from compiler.model.messages import Recompile, Recompiled
from compiler.model.timings import TimingSummary
from compiler.model.verdicts import Comparison, Difference, Verdict

SET_DIM = SetArgument("0/0:dynamo", "relu", ("kwargs", "dim"), ConstantArgument("int", "2"))
BYPASS = BypassNode("0/0:dynamo", "relu", "linear")


@pytest.fixture
def pane(shown, put):
    made = HistoryPane(shown)
    put(made, 800, 500)
    return made


def edits(pane):
    return [(item.text(0), item.text(1)) for item in pane.edits.items()]


def recompile(session, engine, capture, verdict):
    session.recompile()
    again = msgspec.structs.replace(capture, id="capture-2", parent=capture.id, seconds=0.8)
    engine.last(Recompile).reply(Recompiled(again, verdict))


def test_edits_are_listed_and_a_click_goes_back(shown, pane, click_row):
    shown.make_edit(SET_DIM)
    shown.make_edit(BYPASS)
    assert edits(pane) == [
        ("As captured", ""),
        ("relu: kwargs.dim = 2", "not compiled"),
        ("Remove relu, linear takes its place", "not compiled"),
    ]
    click_row(list(pane.edits.items())[1])
    assert shown.edits == (SET_DIM,)
    assert edits(pane)[2] == ("Remove relu, linear takes its place", "undone")
    click_row(next(iter(pane.edits.items())))
    assert shown.edits == ()
    click_row(list(pane.edits.items())[2])
    assert shown.edits == (SET_DIM, BYPASS)


def test_a_recompile_is_listed_with_its_verdict(shown, engine, capture, pane, click_row):
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
        notes=("Dropout off.",),
    )
    recompile(shown, engine, capture, verdict)
    assert edits(pane)[1][1] == "compiled"
    rows = list(pane.captures.items())
    assert [rows[1].text(column) for column in range(4)] == [
        "Recompile 1",
        "0.8 s",
        "yes",
        "2.00× as fast",
    ]
    assert pane.verdict.sentence.text() == "Right and twice as fast."
    assert "1 ms [0.99–1.01]" in pane.verdict.times.text()
    first = pane.verdict.rows.tree.topLevelItem(0)
    assert [first.text(column) for column in range(5)] == [
        "edited – edited graph, eager",
        "yes",
        "grad of fc1.weight",
        "1.00e-03",
        "5.00e-03",
    ]
    assert pane.verdict.rows.tree.topLevelItem(1).text(1) == "not judged"
    assert first.childCount() == 2
    assert pane.verdict.notes.text() == "Dropout off."
    click_row(rows[0])
    assert shown.capture.id == "capture-1"
    assert "recompile" in pane.verdict.sentence.text()


def test_speeds_that_overlap_are_no_change():
    same = TimingSummary(100, 90, 110, 50)
    assert speed_text(Verdict((), same, TimingSummary(105, 95, 115, 50))) == "no clear change"
    assert speed_text(Verdict((), same, TimingSummary(200, 190, 210, 50))) == "2.00× as slow"
    assert speed_text(Verdict(())) == "not timed"
    assert time_text(None) == "–"
