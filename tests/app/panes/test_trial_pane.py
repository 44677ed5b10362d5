"""Trying a change: chosen in another pane, tried by an engine of its own, kept or dropped."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QGuiApplication

from app.panes.trial_pane import TrialPane
from app.session.edit_history.write_source import save_patch, write_to_file
from compiler.analysis.remedies import Remedy, remedies_for
from compiler.model.capture.program_changes import ReplaceSource, SetConfig
from compiler.model.experiments.trials import Trial, TrialSide
from compiler.model.protocol.messages import CaptureMade, MakeCapture, TryChanges
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import seen_rows

SWITCH = SetConfig("torch._dynamo.config.capture_scalar_outputs", value=True)
REMEDY = Remedy("Set capture_scalar_outputs", "It helps.", SWITCH)


@pytest.fixture
def session(two_engine_session):
    return two_engine_session


@pytest.fixture
def pane(session, put):
    made = TrialPane(session)
    put(made, 900, 300)
    return made


def trial_of(capture, ratio=(0.8, 0.7, 0.9), breaks=0):
    times = TimingSummary(1000.0, 900.0, 1100.0, 50)
    fewer = msgspec.structs.replace(capture, breaks=capture.breaks[:breaks])
    return Trial(
        (SWITCH,), TrialSide(1, 2, 5, 4, 2, 1.0, times), TrialSide(breaks, 1, 5, 3, 1, 0.9, times), fewer, capture,
        PairedRatio(*ratio, 50),
    )  # fmt: skip


def table(pane):
    rows = seen_rows(pane.proposal.result.table)
    return {row.text(0): (row.text(1), row.text(2)) for row in rows}


def test_a_remedy_of_a_break_is_tried_by_an_engine_of_its_own(session, engine, second_engine, pane, capture):
    session.trials.choose(REMEDY)
    assert "torch._dynamo.config.capture_scalar_outputs = True" in pane.proposal.change.toPlainText()
    assert second_engine.count(TryChanges) == 0
    pane.proposal.try_button.click()
    body = second_engine.last(TryChanges).body
    assert (body.spec, body.changes) == (capture.spec, (SWITCH,))
    assert engine.count(TryChanges) == 0
    assert pane.proposal.cancel_button.isVisibleTo(pane)
    second_engine.last(TryChanges).reply(trial_of(capture))
    assert table(pane)["Graph breaks"] == ("1", "0")
    words = pane.proposal.result.words.plain()
    assert "1 graph break gone: mlp.py:15." in words
    assert "One step is 1.25× faster (95 %: 1.11–1.43)." in words


def test_an_interval_around_one_says_nothing(session, second_engine, pane, capture):
    session.trials.choose(REMEDY)
    pane.proposal.try_button.click()
    second_engine.last(TryChanges).reply(trial_of(capture, (0.98, 0.9, 1.1), breaks=1))
    words = pane.proposal.result.words.plain()
    assert "about as long as before" in words
    assert "No graph break went away." in words


def test_a_trial_that_fails_or_is_cancelled_leaves_everything(session, second_engine, pane, capture):
    session.trials.choose(REMEDY)
    pane.proposal.try_button.click()
    pane.proposal.cancel_button.click()
    assert second_engine.cancelled == 1
    second_engine.last(TryChanges).fail("Cancelled.", cancelled=True)
    assert pane.proposal.state.text().startswith("Cancelled.")
    assert pane.proposal.try_button.isVisibleTo(pane)
    assert session.capture is capture


def test_an_answer_for_another_proposal_is_dropped(session, second_engine, pane, capture):
    session.trials.choose(REMEDY)
    session.trials.start()
    older = second_engine.last(TryChanges)
    session.trials.choose(Remedy("Another", "It helps too.", SetConfig("torch._dynamo.config.x", value=1)))
    older.reply(trial_of(capture))
    assert session.trials.result is None


def test_keeping_captures_with_the_change_and_taking_it_out_without(session, engine, pane, capture, qtbot):
    session.trials.choose(REMEDY)
    with qtbot.waitSignal(session.trials.kept) as kept:
        pane.proposal.keep_button.click()
    (spec,) = kept.args
    assert spec.changes == (SWITCH,)
    session.capture_target(spec)
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, spec=spec)))
    assert session.trials.proposal is None
    assert "capture_scalar_outputs = True" in pane.kept.words.plain()
    pane.kept.words.link_clicked.emit(0)
    assert QGuiApplication.clipboard().text() == "torch._dynamo.config.capture_scalar_outputs = True"
    with qtbot.waitSignal(session.trials.kept) as fewer:
        pane.kept.words.link_clicked.emit(1)
    assert fewer.args[0].changes == ()


def test_kept_or_dropped_by_hand_it_leads_back_to_what_offered_it(session, engine, pane, capture):
    back: list[str] = []
    session.trials.left.connect(back.append)
    session.trials.choose(REMEDY, offered_by="breaks")
    pane.proposal.drop_button.click()
    assert back == ["breaks"]
    assert session.trials.proposal is None
    session.trials.choose(REMEDY, offered_by="breaks")
    pane.proposal.keep_button.click()
    assert back == ["breaks", "breaks"]
    open_capture(session, capture)
    assert session.trials.proposal is None
    assert back == ["breaks", "breaks"], "another program is looked at where one is"


def test_an_edit_of_the_source_is_shown_as_a_diff(session, pane, capture):
    (stopped,) = capture.breaks
    remedy = next(item for item in remedies_for(capture, stopped) if item.title == "Remove print")
    session.trials.choose(remedy)
    lines = pane.proposal.change.toPlainText().split("\n")
    assert any(line.startswith("-") and "print(" in line for line in lines)
    assert pane.proposal.patch_button.isVisibleTo(pane)
    assert not pane.proposal.copy_button.isVisibleTo(pane)


def test_a_file_is_written_only_while_it_is_what_was_captured(tmp_path: Path, session, capture):
    from compiler.model.capture.program_changes import fingerprint

    path = tmp_path / "model.py"
    path.write_bytes(b"one\r\ntwo\r\n")
    change = ReplaceSource(str(path), "one\n2\n", "two is 2", fingerprint("one\ntwo\n"))
    assert write_to_file(change) is None
    assert path.read_bytes() == b"one\r\n2\r\n"
    problem = write_to_file(change)
    assert "changed since it was captured" in problem.what
    assert path.read_bytes() == b"one\r\n2\r\n"
    path.write_text("one\ntwo\n")
    assert save_patch(capture, change, tmp_path / "model.patch") is None
    assert "-two\n+2" in (tmp_path / "model.patch").read_text()
    assert write_to_file(msgspec.structs.replace(change, path=str(tmp_path / "none.py"))) is not None
