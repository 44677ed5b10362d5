"""Front ends beside one another: cells come one by one from an engine of their own."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.panes.front_ends_pane import FrontEndsPane
from compiler.model.capture.front_ends import COMPARED
from compiler.model.front_end_comparison.comparison_checkpoint import UnfinishedCell, write_unfinished
from compiler.model.front_end_comparison.front_end_matrix import (
    FrontEndCell,
    JudgeFrontEnd,
    Judgement,
    Outcome,
)
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.stage import StageKind
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary
from tests.helpers.changed_capture import with_source
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import row_of, seen_rows


@pytest.fixture
def session(two_engine_session):
    return two_engine_session


@pytest.fixture
def pane(session, put):
    made = FrontEndsPane(session)
    put(made, 900, 400)
    return made


def cell(name, *judgements):
    times = TimingSummary(41_000.0, 40_000.0, 42_000.0, 50)
    return FrontEndCell(name, None, 1, 8, 0.132, times, PairedRatio(1.3, 1.2, 1.4, 50), 4096, judgements)


SAME = Judgement("the example", Outcome.SAME)
BAKED = Judgement("x of shape [5, 2]", Outcome.WRONG, "3, eager gives 10", found=True)


def text_at(pane, front_end: str, title: str) -> str:
    """What stands in a cell."""
    model = pane.table.tree.model()
    titles = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    return row_of(pane.table, front_end).text(titles.index(title))


def test_every_front_end_is_asked_for_one_after_the_other(pane, session, second_engine):
    pane.alternates.setText("torch.ones(3); eval: torch.ones(4)")
    pane.compare.click()
    asked = []
    while session.front_ends.busy:
        order = second_engine.last(JudgeFrontEnd)
        asked.append(order.body.spec.front_end)
        order.reply(cell(asked[-1], SAME))
    assert asked == [row.name for row in COMPARED]
    given = order.body.alternates
    assert [(one.text, one.training) for one in given] == [("torch.ones(3)", None), ("torch.ones(4)", False)]
    assert text_at(pane, "make_fx", "Example") == "ok"
    assert text_at(pane, "make_fx", "Run (median)") == "41.0 µs"


def test_a_silent_wrong_answer_is_red_and_reported_with_its_input(pane, session, second_engine):
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).reply(cell(COMPARED[0].name, SAME, BAKED))
    assert text_at(pane, COMPARED[0].name, "Other inputs") == "WRONG (x of shape [5, 2])"
    red = seen_rows(pane.table)[0].background(2)
    assert red.red() > 2 * red.green()
    pane.table.make_current(COMPARED[0].name)
    assert "3, eager gives 10" in pane.details.plain()


def test_a_cell_that_dies_is_a_message_and_the_next_one_comes(pane, session, second_engine):
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).fail("The process was killed.")
    name = COMPARED[0].name
    assert text_at(pane, name, "Example") == "not captured"
    assert text_at(pane, name, "Other inputs") == "The process was killed."
    assert session.front_ends.running == COMPARED[1].name


def test_cancelling_keeps_what_is_there(pane, session, second_engine):
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).reply(cell(COMPARED[0].name, SAME))
    pane.cancel.click()
    assert second_engine.cancelled == 1
    second_engine.last(JudgeFrontEnd).fail("Cancelled.", cancelled=True)
    assert not session.front_ends.busy
    assert list(session.front_ends.cells) == [COMPARED[0].name]


def test_one_that_takes_too_long_is_skipped_and_what_it_found_out_stays(pane, session, second_engine):
    pane.compare.click()
    order = second_engine.last(JudgeFrontEnd)
    first, second = COMPARED[0].name, COMPARED[1].name
    write_unfinished(order.body.folder, UnfinishedCell(cell(first, SAME), "x × 8"))
    pane.skip.click()
    assert second_engine.cancelled == 1
    order.fail("Cancelled.", cancelled=True)
    assert session.front_ends.running == second
    assert text_at(pane, first, "Example") == "ok"
    assert text_at(pane, first, "Other inputs") == "dies (x × 8)"
    assert pane.state.text().startswith(f"2 of {len(COMPARED)}, {COMPARED[1].title}: ")
    pane.skip.click()
    second_engine.last(JudgeFrontEnd).fail("Cancelled.", cancelled=True)
    assert text_at(pane, second, "Example") == "skipped"
    session.front_ends.cancel()
    assert pane.state.text().startswith("1 of 1 capture it")


def test_an_input_without_gradients_is_reported_by_itself(pane, second_engine):
    pane.compare.click()
    why = "backward raises RuntimeError: sizes"
    without = Judgement("x of shape [5, 4]", Outcome.SAME, why, found=True, no_gradients=True)
    more = Judgement("x × 8", Outcome.SAME, found=True)
    second_engine.last(JudgeFrontEnd).reply(cell(COMPARED[0].name, SAME, more, without))
    assert text_at(pane, COMPARED[0].name, "Example") == "ok"
    assert text_at(pane, COMPARED[0].name, "Other inputs") == "ok, no gradients (x of shape [5, 4])"
    pane.table.make_current(COMPARED[0].name)
    reported = pane.details.plain()
    assert "x of shape [5, 4]" in reported
    assert why in reported
    assert "1 give what eager gives: x × 8" in reported


def test_cells_of_a_source_that_was_saved_since_are_not_shown(pane, session, engine, second_engine, capture):
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).reply(cell(COMPARED[0].name, SAME))
    text = capture.of_kind(StageKind.SOURCE)[0].content.file.text
    saved = with_source(capture, text=text + "\n# more\n")
    open_capture(session, msgspec.structs.replace(saved, id="c9"))
    assert text_at(pane, COMPARED[0].name, "Example") == ""


def test_a_cell_opens_that_capture(pane, session, second_engine):
    pane.compare.click()
    wanted = []
    session.front_ends.wanted.connect(wanted.append)
    pane.table.make_current(COMPARED[5].name)
    pane.open.click()
    assert wanted == [COMPARED[5].name]


def test_what_a_cell_kept_is_shown_and_not_captured_again(pane, session, engine, second_engine, capture):
    pane.compare.click()
    folder = second_engine.last(JudgeFrontEnd).body.folder
    assert Path(folder).is_dir()
    while session.front_ends.busy:
        name = second_engine.last(JudgeFrontEnd).body.spec.front_end
        kept = f"{folder}/{name}.capture" if name == "fx" else ""
        second_engine.last(JudgeFrontEnd).reply(msgspec.structs.replace(cell(name, SAME), kept=kept))
    session.front_ends.show("fx")
    asked = engine.last(MakeCapture).body
    assert (asked.kept, asked.spec.front_end) == (f"{folder}/fx.capture", "fx")
    assert asked.spec.target == session.capture.spec.target
    shown = msgspec.structs.replace(capture, id=asked.id, spec=asked.spec)
    engine.last(MakeCapture).reply(CaptureMade(shown))
    assert session.front_ends.shown == "fx"
    pane.table.make_current("fx")
    assert not pane.open.isEnabled()
    pane.compare.click()
    assert not Path(folder).exists()


def test_what_could_not_be_kept_says_that_it_is_captured_again(pane, session, engine, second_engine):
    pane.compare.click()
    live = msgspec.structs.replace(cell(COMPARED[0].name, SAME), not_kept="its live graphs are needed")
    second_engine.last(JudgeFrontEnd).reply(live)
    session.front_ends.cells["fx"] = FrontEndCell("fx", Problem("No."))
    pane.fill()
    pane.table.make_current("fx")
    assert not pane.open.isEnabled()
    assert session.front_ends.shown == COMPARED[0].name
    session.front_ends.show(COMPARED[0].name)
    assert engine.last(MakeCapture).body.kept == ""


def test_cells_of_another_program_are_not_shown(pane, session, engine, second_engine, capture):
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).reply(cell(COMPARED[0].name, SAME))
    other = msgspec.structs.replace(
        capture, id="c9", spec=msgspec.structs.replace(capture.spec, front_end="fx")
    )
    open_capture(session, other)
    assert text_at(pane, COMPARED[0].name, "Example") == "ok"
    target = msgspec.structs.replace(capture.spec.target, name="else.py:Other")
    stranger = msgspec.structs.replace(
        capture, id="c10", spec=msgspec.structs.replace(capture.spec, target=target)
    )
    open_capture(session, stranger)
    assert text_at(pane, COMPARED[0].name, "Example") == ""


def test_the_line_of_an_error_leads_to_the_source(pane, session, second_engine, capture):
    source = capture.of_kind(StageKind.SOURCE)[0]
    problem = Problem("X does not take this program: TraceError: no.", path=source.content.file.path, line=3)
    pane.compare.click()
    second_engine.last(JudgeFrontEnd).reply(FrontEndCell(COMPARED[0].name, problem))
    assert text_at(pane, COMPARED[0].name, "Other inputs") == "TraceError: no."
    pane.table.make_current(COMPARED[0].name)
    pane.details.link_clicked.emit(0)
    assert session.selection.pinned_in(source.id) == {"L3"}
