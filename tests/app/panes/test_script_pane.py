"""TorchScript's IR as a text that is changed and run."""

import pytest

from app.panes.script_pane import ScriptPane
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.verdicts import Comparison, Difference

TEXT = "graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)"
SAME = Comparison("the IR", "the program, eager", (Difference("output 0", 1e-7, 2e-8),))


@pytest.fixture
def session(two_engine_session):
    return two_engine_session


@pytest.fixture
def pane(session, put):
    made = ScriptPane(session)
    put(made, 900, 400)
    return made


def answered(engine, answer):
    order = engine.last(RunScript)
    order.reply(answer)
    return order.body


def test_the_first_run_brings_the_programs_own_text(pane, engine):
    pane.run.click()
    assert not pane.run.isEnabled()
    asked = answered(engine, ScriptRun(TEXT, "The IR gives the program's results.", comparison=SAME))
    assert asked.text is None
    assert asked.spec.front_end == "jit.script"
    assert pane.editor.toPlainText() == TEXT
    assert "output 0" in pane.outcome.toPlainText()
    assert pane.state.text() == "The IR gives the program's results."


def test_a_changed_text_is_run_and_its_error_stands_on_its_line(pane, engine):
    pane.run.click()
    answered(engine, ScriptRun(TEXT, "Same."))
    changed = TEXT.replace("relu", "nope")
    pane.editor.setPlainText(changed)
    pane.run.click()
    problem = Problem("This torch has no operator aten::nope.", "Look for its name.", line=2)
    asked = answered(engine, ScriptRun(changed, "It does not run (line 2).", problem))
    assert asked.text == changed
    assert pane.editor.toPlainText() == changed
    assert pane.editor.textCursor().blockNumber() == 1
    assert "no operator" in pane.outcome.toPlainText()
    pane.reset.click()
    assert pane.editor.toPlainText() == TEXT


def test_what_cpp_printed_is_shown_and_a_failure_is_reported(pane, engine):
    pane.cpp.click()
    assert answered(engine, ScriptRun(TEXT, "Same.", cpp="float [2] 1 2\nThe same")).in_cpp
    assert "float [2] 1 2" in pane.outcome.toPlainText()
    pane.cpp.click()
    engine.last(RunScript).fail(Problem("There is no C++ compiler.", "Install g++ or clang."))
    assert "Install g++" in pane.state.text()
