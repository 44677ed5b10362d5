"""The dispatcher pane: tables that follow the selection, a trace that lights lines, lessons."""

import pytest

from app.panes.dispatcher_pane import DispatcherPane
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.operators.dispatching import (
    CodePlace,
    DispatchCall,
    DispatchTrace,
    KernelRow,
    ListOperators,
    OperatorNames,
    OperatorTable,
    Registration,
    ShowOperator,
    TraceDispatch,
)
from compiler.model.operators.lessons import LessonRun, LessonStep, OperatorChange, RunLesson
from tests.app.panes.conftest import SOURCE, line
from tests.helpers.table_reader import current_row, seen_rows

RULE = CodePlace("aten/src/ATen/functorch/BatchRulesUnaryOps.cpp", 63)
BUILT = CodePlace("build/aten/src/ATen/RegisterCPU_1.cpp", 7)
TABLE = OperatorTable(
    "aten::relu",
    "aten::relu(Tensor self) -> Tensor",
    (
        KernelRow("FuncTorchBatched", "kernel", RULE),
        KernelRow("AutocastCPU", "backend fallback", RULE, True),
        KernelRow("AutogradCUDA", "autograd kernel", BUILT),
        KernelRow("AutogradCPU", "autograd kernel", BUILT),
    ),
    (Registration("CPU", BUILT),),
    "abc",
)


@pytest.fixture
def pane(shown, put) -> DispatcherPane:
    made = DispatcherPane(shown)
    put(made, 1000, 600)
    return made


def test_operators_are_listed_and_found(pane, engine) -> None:
    engine.last(ListOperators).reply(OperatorNames(("aten::add.Tensor", "aten::relu", "prims::add")))
    page = pane.operators
    page.field.setText("relu")
    assert page.found.rowCount() == 1
    assert page.count.text() == "1 of 3 operators"
    page.list.setCurrentIndex(page.found.index(0, 0))
    assert engine.last(ShowOperator).body == ShowOperator("aten::relu")


def test_a_selected_node_shows_its_operator(pane, shown, engine) -> None:
    shown.selection.select(place("0/0:joint", "relu_1"), None)
    assert engine.last(ShowOperator).body == ShowOperator("aten::relu")
    engine.last(ShowOperator).reply(TABLE)
    page = pane.operators
    assert page.schema.text() == TABLE.schema
    called, registered = (row.children() for row in seen_rows(page.table))
    assert [row.text(0) for row in called] == [
        "FuncTorchBatched",
        "AutogradCPU and 1 more",
    ]
    assert registered[0].text(2) == "build/aten/src/ATen/RegisterCPU_1.cpp:7"
    page.all_keys.click()
    assert len(seen_rows(page.table)[0].children()) == 3
    opened = []
    page.open_url = opened.append
    page.table.tree.activated.emit(seen_rows(page.table)[0].children()[0].index)
    assert [url.toString() for url in opened] == [
        "https://github.com/pytorch/pytorch/blob/abc/aten/src/ATen/functorch/BatchRulesUnaryOps.cpp#L63"
    ]


def test_an_operator_that_is_not_there_is_reported(pane, engine) -> None:
    pane.operators.show_operator("aten::nothing")
    engine.last(ShowOperator).fail(Problem("No operator is named that.", "Write another."))
    assert "No operator is named that." in pane.operators.schema.text()


def test_a_traced_call_lights_its_line_and_a_line_finds_its_calls(pane, shown, engine, click_row) -> None:
    pane.tabs.setCurrentWidget(pane.trace)
    pane.trace.button.click()
    assert engine.last(TraceDispatch).body.spec == shown.capture.spec
    assert not pane.trace.button.isEnabled()
    calls = (
        DispatchCall(0, "aten::linear", "AutogradCPU", "math kernel", BUILT, line=line(13)),
        DispatchCall(1, "aten::addmm", "CPU", "kernel", BUILT, line=line(13)),
        DispatchCall(0, "aten::relu", "AutogradCPU", "autograd kernel", BUILT, line=line(14)),
        DispatchCall(0, "aten::mm", "AutogradCPU", "kernel", BUILT, line=line(13), backward=True),
    )
    engine.last(TraceDispatch).reply(DispatchTrace(calls, (), 5, 4, 20))
    assert "all 5 results are those of an untraced step" in pane.trace.summary.text()
    groups = seen_rows(pane.trace.tree)
    assert [group.text(0) for group in groups[:3]] == [
        "mlp.py:13  hidden = self.fc1(x)",
        "mlp.py:14  hidden = torch.relu(hidden)",
        "Backward of mlp.py:13  hidden = self.fc1(x)",
    ]
    pane.trace.tree.tree.setExpanded(groups[0].index, True)
    pane.trace.tree.tree.doItemsLayout()
    (inner,) = groups[0].children()[0].children()
    assert inner.text(0) == "aten::addmm"
    click_row(inner)
    assert shown.selection.pinned == place(SOURCE, "L13")
    shown.selection.select(place(SOURCE, "L14"), None)
    assert current_row(pane.trace.tree).text(0) == groups[1].text(0)
    pane.trace.tree.tree.activated.emit(inner.index)
    assert pane.tabs.currentWidget() is pane.operators
    assert pane.operators.name == "aten::addmm"


def test_a_difference_is_reported(pane, engine) -> None:
    pane.trace.button.click()
    engine.last(TraceDispatch).reply(DispatchTrace((), ("output 0",), 2))
    assert "results differ from an untraced step: output 0" in pane.trace.summary.text()


def test_a_lesson_shows_what_each_step_registered(pane, engine) -> None:
    pane.tabs.setCurrentWidget(pane.lessons)
    page = pane.lessons
    assert "torch.library.define" in page.code.toPlainText()
    page.button.click()
    asked = engine.last(RunLesson)
    assert asked.body == RunLesson("custom_operator")
    entry = Registration("CPU", CodePlace("/x/custom_operator.py", 5))
    steps = (
        LessonStep("A name", 3, "x = 1", "printed this"),
        LessonStep("A kernel", 5, "y = 2", changes=(OperatorChange("lab::scale", (entry,)),)),
    )
    asked.reply(LessonRun("custom_operator", "", "/x/custom_operator.py", steps))
    assert page.steps.count() == 3
    assert "printed this" in page.outcome.plain()
    assert page.code.isReadOnly()
    page.steps.setCurrentRow(2)
    assert page.code.toPlainText() == "y = 2"
    assert "Registered for lab::scale" in page.outcome.plain()


def test_a_lesson_is_changed_and_run_so(pane, engine) -> None:
    pane.tabs.setCurrentWidget(pane.lessons)
    page = pane.lessons
    assert not page.reset.isEnabled()
    whole = page.code.toPlainText()
    page.code.setPlainText(whole + "\nprint(1)\n")
    assert page.reset.isEnabled()
    page.button.click()
    assert engine.last(RunLesson).body == RunLesson("custom_operator", whole + "\nprint(1)\n")
    page.choice.setCurrentIndex(1)
    assert not page.reset.isEnabled()
    assert page.code.toPlainText() != whole
    page.choice.setCurrentIndex(0)
    assert page.code.toPlainText().endswith("print(1)\n")
    page.reset.click()
    assert page.code.toPlainText() == whole
    engine.last(RunLesson).fail(Problem("It was ended by signal 8.", "Change it."))
    assert page.button.isEnabled()
    page.button.click()
    assert engine.last(RunLesson).body == RunLesson("custom_operator")
