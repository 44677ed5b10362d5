"""The pane that looks for what makes results wrong: it asks, follows every trial, shows the answer, and marks the stages."""

import msgspec
import pytest

from app.panes.cause_pane import CausePane
from app.panes.history_pane import HistoryPane
from app.panes.pipeline_pane import PipelinePane
from app.panes.pipeline_pane.states import CLEARED, SUSPECTED, WRONG, cause_states
from app.session.engine_requests.cause_requests import FAILS, SLOW
from app.session.engine_requests.cause_requests import WRONG as RESULTS_WRONG
from compiler.model.experiments.causes import EXPRESSION, CauseFound, CauseStep, CauseStepDone, FindCause
from compiler.model.experiments.costs import (
    COMPILE_TIME,
    RECOMPILES,
    CostFound,
    CostRow,
    CostTrial,
    CostTrialDone,
    FindCost,
)
from compiler.model.experiments.failures import Failure, FailureFound, FindFailure
from compiler.model.experiments.least_programs import LeastProgram, ShrinkProgram
from compiler.model.experiments.node_values import MeasureValues, NodeValue, ValuesMeasured, ValueSummary
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial, SpeedTrialDone
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import line_id, place
from compiler.model.protocol.messages import MakeCapture
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import TimingSummary
from compiler.model.timing.verdicts import Comparison, Verdict
from tests.helpers import sample_capture as sample
from tests.helpers.shown_widget import on_screen
from tests.helpers.table_reader import row_of, seen_rows

RIGHT = CauseStep("every graph op by op, as Dynamo traced it", False, 1e-7, (sample.DYNAMO,))
BAD = CauseStep("as it is compiled", True, 0.02)
UNKNOWN = CauseStep("something (RuntimeError: <b>no</b>)", None)
FOUND = CauseFound(
    "The joint pass <i>x</i> is wrong.",
    "joint pass",
    graph="0/0",
    stage=sample.JOINT,
    nodes=("relu",),
    off=0.02,
    off_eager=1e-7,
    off_without=2e-7,
    repeated=3,
    innocent=(sample.DYNAMO,),
    steps=(BAD, RIGHT, UNKNOWN),
    seconds=4.2,
)


@pytest.fixture
def pane(qtbot, open_session):
    return on_screen(qtbot, CausePane(open_session), 900, 360)


def test_every_trial_is_shown_as_it_is_reported_and_then_the_answer(pane, open_session, engine) -> None:
    assert pane.empty.isVisible()
    pane.start.click()
    asked = engine.last(FindCause)
    assert (asked.body.against, asked.body.expression, asked.body.edits) == ("float64", "", ())
    assert pane.start.text() == "Stop"
    engine.event_arrived.emit(CauseStepDone(asked.body.capture, BAD))
    engine.event_arrived.emit(CauseStepDone(asked.body.capture, RIGHT))
    assert [row.text(1) for row in seen_rows(pane.steps)] == ["✗ wrong", "✓ right"]
    assert pane.answer.isHidden()
    asked.reply(FOUND)
    assert _shown(pane)[2:] == [UNKNOWN.what]
    assert pane.answer.sentence.text() == FOUND.sentence
    assert "Off by: 2.0e-02" in pane.answer.facts.text()
    assert "3 times in turn" in pane.answer.facts.text()
    assert pane.answer.mark.text() == "✗"
    assert pane.start.text() == "Find the cause"
    pane.show_it.click()
    assert open_session.stage.id == sample.JOINT
    assert open_session.selection.pinned == place(sample.JOINT, "relu")


def test_an_expression_is_asked_for_and_sent(pane, engine) -> None:
    assert pane.expression.isHidden()
    pane.against.setCurrentIndex(2)
    assert pane.expression.isVisible()
    assert not pane.start.isEnabled()
    pane.expression.setText("outputs[0].isfinite().all()")
    pane.start.click()
    body = engine.last(FindCause).body
    assert (body.against, body.expression) == (EXPRESSION, "outputs[0].isfinite().all()")


def test_stopping_and_failing_keep_what_was_tried(pane, open_session, engine) -> None:
    pane.start.click()
    asked = engine.last(FindCause)
    engine.event_arrived.emit(CauseStepDone(asked.body.capture, BAD))
    engine.set_state("busy", "Looking for the cause")
    pane.start.click()
    assert engine.cancelled == 1
    asked.fail("Cancelled")
    engine.set_state("ready")
    assert len(_shown(pane)) == 1
    assert pane.start.text() == "Go on"
    assert any("Cancelled" in problem.what for problem in open_session.problems)


def _stopped(pane, engine, *steps: CauseStep) -> None:
    pane.start.click()
    asked = engine.last(FindCause)
    for step in steps:
        engine.event_arrived.emit(CauseStepDone(asked.body.capture, step))
    asked.fail("Cancelled")


def _shown(pane) -> list[str]:
    return [row.text(0) for row in seen_rows(pane.steps)]


def test_a_stopped_search_goes_on_with_what_it_reported(pane, engine) -> None:
    assert pane.again.isHidden()
    _stopped(pane, engine, BAD, RIGHT)
    assert (pane.start.text(), pane.again.isHidden()) == ("Go on", False)
    pane.start.click()
    asked = engine.last(FindCause)
    assert asked.body.known == (BAD, RIGHT)
    assert (pane.start.text(), pane.again.isHidden()) == ("Stop", True)
    assert _shown(pane) == [BAD.what, RIGHT.what]
    engine.event_arrived.emit(CauseStepDone(asked.body.capture, BAD))
    assert _shown(pane) == [BAD.what, RIGHT.what], "told again, shown once"
    asked.fail("Cancelled")
    pane.start.click()
    asked = engine.last(FindCause)
    assert asked.body.known == (BAD, RIGHT), "stopped before it came so far again"
    for step in (BAD, RIGHT, UNKNOWN):
        engine.event_arrived.emit(CauseStepDone(asked.body.capture, step))
    assert _shown(pane) == [BAD.what, RIGHT.what, UNKNOWN.what]
    asked.reply(FOUND)
    assert (pane.start.text(), pane.again.isHidden()) == ("Find the cause", True)
    pane.start.click()
    assert engine.last(FindCause).body.known == ()


def test_trials_that_turn_out_otherwise_take_the_place_of_those_that_were_known(pane, engine) -> None:
    _stopped(pane, engine, BAD, RIGHT)
    pane.start.click()
    engine.event_arrived.emit(CauseStepDone(engine.last(FindCause).body.capture, UNKNOWN))
    assert _shown(pane) == [UNKNOWN.what]


def test_a_stopped_search_can_begin_again_and_another_question_does(pane, engine) -> None:
    _stopped(pane, engine, BAD)
    pane.again.click()
    assert engine.last(FindCause).body.known == ()
    assert _shown(pane) == []
    engine.event_arrived.emit(CauseStepDone(engine.last(FindCause).body.capture, BAD))
    engine.last(FindCause).fail("Cancelled")
    pane.against.setCurrentIndex(1)
    assert (pane.start.text(), pane.again.isHidden()) == ("Find the cause", True)
    pane.start.click()
    assert engine.last(FindCause).body.known == ()


def test_other_edits_are_another_question(pane, open_session, engine, monkeypatch) -> None:
    _stopped(pane, engine, BAD)
    monkeypatch.setattr(open_session.causes, "_edits", lambda: ("an edit",))
    assert not open_session.causes.can_go_on("float64")
    pane.start.click()
    assert engine.last(FindCause).body.known == ()


def test_another_program_forgets_it(pane, open_session, engine) -> None:
    pane.start.click()
    engine.last(FindCause).reply(FOUND)
    open_session.causes.forget()
    assert pane.empty.isVisible()
    assert len(_shown(pane)) == 0


def test_right_results_and_no_answer_look_different(pane, engine) -> None:
    pane.start.click()
    engine.last(FindCause).reply(CauseFound("Nothing to find.", steps=(RIGHT,)))
    assert pane.answer.mark.text() == "✓"
    assert pane.show_it.isHidden()
    pane.start.click()
    engine.last(FindCause).reply(CauseFound("Not found.", steps=(BAD,)))
    assert pane.answer.mark.text() == "?"


def test_the_pipeline_greys_what_is_proven_right(qtbot, open_session, engine) -> None:
    pipeline = PipelinePane(open_session)
    qtbot.addWidget(pipeline)
    open_session.causes.search("float64")
    asked = engine.last(FindCause)
    engine.event_arrived.emit(CauseStepDone(asked.body.capture, RIGHT))
    assert row_of(pipeline.stages, sample.DYNAMO).tooltip(1).startswith("Proven right")
    assert row_of(pipeline.stages, sample.JOINT).tooltip(1).startswith("The results are wrong, and")
    asked.reply(FOUND)
    assert row_of(pipeline.stages, sample.JOINT).tooltip(1).startswith("The first stage that is wrong")


def test_states_without_a_search_are_as_they_were() -> None:
    states = {"0/0:dynamo": "captured", "0/0:joint": "captured", "1/0:dynamo": "captured"}
    assert cause_states(states, (), "", False) is states
    now = cause_states(states, ("0/0:dynamo",), "", True)
    assert now == {"0/0:dynamo": CLEARED, "0/0:joint": SUSPECTED, "1/0:dynamo": "captured"}
    assert cause_states(states, ("0/0:dynamo",), "0/0:joint", False)["0/0:joint"] == WRONG


def test_a_failing_verdict_offers_it(qtbot, open_session) -> None:
    history = on_screen(qtbot, HistoryPane(open_session), 800, 300)
    wrong = Verdict((Comparison("edited", "float64", (), False),))
    history.verdict.show_verdict(wrong, "")
    assert history.verdict.find_cause.isVisible()
    with qtbot.waitSignal(open_session.causes.wanted):
        history.verdict.find_cause.click()
    history.verdict.show_verdict(Verdict((Comparison("edited", "float64", (), True),)), "")
    assert history.verdict.find_cause.isHidden()


def test_the_least_program_and_the_report_are_written(pane, open_session, engine, tmp_path) -> None:
    assert pane.hand_over.isHidden()
    pane.start.click()
    engine.last(FindCause).reply(FOUND)
    assert pane.hand_over.isVisible()
    pane.hand_over.write_least(tmp_path / "least.py")
    asked = engine.last(ShrinkProgram)
    assert asked.body.found == FOUND
    asked.reply(LeastProgram("import torch\n", 7, 1, 9))
    assert (tmp_path / "least.py").read_text() == "import torch\n"
    assert any("1 operation of 7" in problem.what for problem in open_session.problems)
    pane.hand_over.write_report(tmp_path / "report.md")
    assert engine.count(ShrinkProgram) == 1  # it is known already
    report = (tmp_path / "report.md").read_text()
    assert FOUND.sentence in report
    assert "import torch" in report
    open_session.wait_for_files()
    assert (tmp_path / "report.loupe").exists()  # with the stages
    pane.hand_over.write_least(tmp_path / "nowhere" / "least.py")
    assert any("could not be written" in problem.what for problem in open_session.problems)


def test_values_that_were_looked_at_colour_the_graph(open_session, engine) -> None:
    open_session.causes.values.look()
    value = ValueSummary(4, "float32", None, None, None, nans=4)
    engine.last(MeasureValues).reply(ValuesMeasured((NodeValue("0/0:inference:post_grad", "relu", value),)))
    assert open_session.views.coloring == "values"
    assert open_session.causes.values.of("0/0:inference:post_grad")["relu"].value.nans == 4
    assert open_session.causes.values.of("0/0:dynamo") == {}


def test_a_report_is_written_without_a_least_program_too(pane, open_session, engine, tmp_path) -> None:
    pane.start.click()
    engine.last(FindCause).reply(FOUND)
    pane.hand_over.write_report(tmp_path / "report.md")
    engine.last(ShrinkProgram).fail("It is right by itself.")
    assert "### The least program" not in (tmp_path / "report.md").read_text()
    assert any("right by itself" in problem.what for problem in open_session.problems)


SLOWNESS = SlownessFound(
    "A compiled step takes 1.50 times as long as an eager one (1.40–1.60). It is 2.00 times as fast with <b>x</b>.",
    True,
    ratio=PairedRatio(1.5, 1.4, 1.6, 40),
    step=TimingSummary(2e6, 1.9e6, 2.1e6, 40),
    trials=(
        SpeedTrial(
            "<b>x</b>",
            "fusion",
            PairedRatio(0.5, 0.48, 0.52, 30),
            PairedRatio(0.5, 0.48, 0.52, 30),
            True,
            stage=sample.JOINT,
            nodes=("relu",),
        ),
        SpeedTrial("kernels on one thread", "setting", PairedRatio(1.3, 1.2, 1.4, 30)),
        SpeedTrial('mode="x"', "mode", problem="it cannot be compiled"),
    ),
    seconds=12.0,
)


def test_what_is_slow_is_asked_and_shown(pane, open_session, engine) -> None:
    open_session.causes.want(SLOW)
    assert pane.asked == SLOW
    assert pane.against.isHidden()
    assert "quiet machine" in pane.empty.text.text()
    pane.limit.setText("two")
    assert not pane.start.isEnabled()
    pane.limit.setText("2ms")
    pane.anyway.setChecked(True)
    pane.start.click()
    asked = engine.last(FindSlowness)
    assert (asked.body.limit, asked.body.anyway, asked.body.edits) == (2_000_000, True, ())
    assert pane.start.text() == "Stop"
    assert not pane.question.isEnabled()
    engine.event_arrived.emit(SpeedTrialDone(asked.body.capture, SLOWNESS.trials[1]))
    assert [row.text(2) for row in seen_rows(pane.speed.trials)] == ["slower"]
    asked.reply(SLOWNESS)
    assert [row.text(2) for row in seen_rows(pane.speed.trials)] == ["✓ faster", "slower", "– not run"]
    assert pane.speed.answer.sentence.text() == SLOWNESS.sentence
    assert pane.speed.answer.mark.text() == "✗"
    pane.show_it.click()
    assert open_session.stage.id == sample.JOINT
    assert open_session.selection.pinned == place(sample.JOINT, "relu")
    open_session.causes.want()
    assert pane.asked == RESULTS_WRONG
    assert pane.against.isVisible()
    assert pane.empty.isVisible()


def test_a_failed_search_for_what_is_slow_leaves_what_was_tried(pane, open_session, engine) -> None:
    open_session.causes.want(SLOW)
    pane.start.click()
    asked = engine.last(FindSlowness)
    assert asked.body.limit == 0
    engine.event_arrived.emit(SpeedTrialDone(asked.body.capture, SLOWNESS.trials[1]))
    asked.fail(Problem("It raised.", "Correct it."))
    assert len(seen_rows(pane.speed.trials)) == 1
    assert pane.start.text() == "Find the cause"
    open_session.causes.forget()
    assert pane.speed.trials.isHidden() or pane.empty.isVisible()


def test_code_is_hidden_where_that_is_wanted(pane, open_session, engine, tmp_path) -> None:
    pane.start.click()
    engine.last(FindCause).reply(FOUND)
    pane.hand_over.hide_code.setChecked(True)
    pane.hand_over.write_least(tmp_path / "least.py")
    engine.last(ShrinkProgram).reply(LeastProgram("import secret", 3, 1, 4, hidden="import torch"))
    assert (tmp_path / "least.py").read_text() == "import torch"
    pane.hand_over.write_report(tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text()
    assert "import torch" in report
    assert "secret" not in report
    open_session.wait_for_files()
    assert not (tmp_path / "report.loupe").exists()  # it would hold the program's text
    assert FOUND.sentence not in report


def test_what_cannot_be_hidden_is_not_written(pane, open_session, engine, tmp_path) -> None:
    pane.start.click()
    engine.last(FindCause).reply(FOUND)
    pane.hand_over.hide_code.setChecked(True)
    pane.hand_over.write_least(tmp_path / "least.py")
    engine.last(ShrinkProgram).reply(LeastProgram("x", 3, 1, 4, why_not_hidden="the inputs are your own"))
    assert not (tmp_path / "least.py").exists()
    assert "the inputs are your own" in open_session.problems[-1].what


LINE = 3
COST = CostFound(
    COMPILE_TIME,
    "A cold compile takes 4.0 s. The costliest line is <b>x</b>.py:3 with 2.00 s (50%).",
    4.0,
    (
        CostRow("<b>x</b>.py:3", 2.0, (("building kernels", 1.5), ("lowering", 0.5)), sample.PATH, LINE),
        CostRow("whole graphs, of no single line", 2.0, (("whole graphs", 2.0),)),
    ),
    (CostRow("layers.0 (Block)", 1.0, (("lowering", 1.0),)),),
    (
        CostTrial(
            "the 2 Block compiled once",
            (4.0, 4.1, 4.2),
            (3.0, 3.1, 3.2),
            PairedRatio(1.0, 0.9, 1.1, 30),
            True,
        ),
        CostTrial("a setting", (4.0,), (4.0,)),
        CostTrial("another", problem="it cannot be compiled"),
    ),
    seconds=12.0,
)


def test_what_compiling_costs_is_asked_and_shown(pane, open_session, engine) -> None:
    open_session.causes.want(COMPILE_TIME)
    assert pane.asked == COMPILE_TIME
    assert pane.start.text() == "Find out"
    for widget in (pane.against, pane.limit, pane.anyway, pane.sizes, pane.hand_over):
        assert widget.isHidden()
    assert "cold compile" in pane.empty.text.text()
    pane.start.click()
    asked = engine.last(FindCost)
    assert (asked.body.what, asked.body.sizes) == (COMPILE_TIME, None)
    engine.event_arrived.emit(CostTrialDone(asked.body.capture, COST.trials[1]))
    assert [row.text(0) for row in seen_rows(pane.costs.rows)[0].children()] == ["· a setting"]
    asked.reply(COST)
    tried, lines, modules = (row.children() for row in seen_rows(pane.costs.rows))
    assert [row.text(0) for row in tried] == ["✓ the 2 Block compiled once", "· a setting", "– another"]
    assert [tried[0].text(column) for column in (1, 2)] == ["1.00 s", "25%"]
    assert "3 times each" in tried[0].tooltip(3)
    assert tried[0].text(3).startswith("its step takes 1.00×")
    assert tried[2].text(3) == "it cannot be compiled"
    assert lines[0].text(3) == "building kernels 1.50 s, lowering 0.50 s"
    assert lines[1].text(3) == ""
    assert modules[0].text(2) == "25%"
    assert pane.costs.answer.sentence.text() == COST.sentence
    pane.costs.rows.tree.activated.emit(lines[0].index)
    assert open_session.selection.pinned == place(sample.SOURCE, line_id(LINE))
    pane.costs.rows.tree.activated.emit(seen_rows(pane.costs.rows)[1].index)
    pane.question.setCurrentIndex(4)
    assert pane.empty.isVisible()  # that was not asked
    open_session.causes.forget()
    pane.question.setCurrentIndex(3)
    assert pane.empty.isVisible()


def test_sizes_are_read_and_a_failure_leaves_what_was_tried(pane, open_session, engine) -> None:
    open_session.causes.want(RECOMPILES)
    assert pane.sizes.isVisible()
    pane.sizes.setText("x=3")
    assert not pane.start.isEnabled()
    pane.sizes.setText("x:0=3,4")
    pane.start.click()
    asked = engine.last(FindCost)
    assert asked.body.sizes == DimensionTrial("x", 0, (3, 4))
    assert not pane.sizes.isEnabled()
    engine.event_arrived.emit(CostTrialDone(asked.body.capture, COST.trials[0]))
    asked.fail(Problem("It raised.", "Correct it."))
    assert len(seen_rows(pane.costs.rows)[0].children()) == 1
    assert pane.start.text() == "Find out"


LEAST = LeastProgram(
    "print('least')\n", 9, 2, 14, seconds=3.0, shows="It raises in a fresh process.", hidden="print()\n"
)
FAILED = FailureFound(
    "Inductor <b>raises</b> KeyError in _inductor/lowering.py: cat.",
    Failure("raises", "KeyError", "_inductor/lowering.py: cat", message="'<i>x</i>'"),
    "",
    (CauseStep("with Dynamo alone", False), CauseStep("with its own backend", True)),
    LEAST,
    seconds=12.0,
)


def test_why_it_does_not_compile_is_looked_for_and_handed_over(pane, open_session, engine, tmp_path) -> None:
    open_session.causes.want(FAILS)
    assert pane.question.currentText() == "It does not compile"
    assert pane.start.isEnabled(), "of the program that was opened, too"
    spec = msgspec.structs.replace(sample.capture().spec, front_end="dynamo")
    open_session.capture_target(spec)
    engine.last(MakeCapture).fail("It broke.")
    pane.start.click()
    asked = engine.last(FindFailure)
    assert asked.body.spec == spec
    assert pane.start.text() == "Stop"
    asked.reply(FAILED)
    assert [row.text(1) for row in seen_rows(pane.steps)] == ["✓ runs", "✗ fails"]
    assert pane.answer.sentence.text() == FAILED.sentence
    assert "2 operations of 9" in pane.answer.facts.text()
    assert pane.show_it.isHidden()
    assert pane.hand_over.isVisible()
    pane.hand_over.write_least(tmp_path / "least.py")
    assert (tmp_path / "least.py").read_text() == LEAST.text
    pane.hand_over.hide_code.setChecked(True)
    pane.hand_over.write_report(tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text()
    assert "print()" in report
    assert LEAST.text not in report
    pane.question.setCurrentIndex(0)
    assert len(_shown(pane)) == 0
    assert pane.hand_over.isHidden()
