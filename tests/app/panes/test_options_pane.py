"""The torch.compile pane: searching, choosing, measuring and taking over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.panes.options_pane import OptionsPane
from app.session.facade.session import Session
from compiler.model.capture.program_changes import SetCompileArgument, SetCompileOption
from compiler.model.experiments.compile_choices import (
    ChoiceOutcome,
    ChoicesMeasured,
    CodeChange,
    CompileChoice,
    MeasureChoices,
)
from compiler.model.experiments.dynamic_shape_trial import (
    MeasureStances,
    StanceCall,
    StanceRow,
    StancesMeasured,
)
from compiler.model.experiments.torch_compile_api import (
    AskCompileInterface,
    Backend,
    BackendTried,
    CompileArgument,
    CompileInterface,
    CompileMode,
    CompileOption,
    OptionSets,
    TryBackend,
)
from compiler.model.experiments.trials import DimensionTrial, TrialSide
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.timing.paired_ratio import PairedRatio
from compiler.model.timing.timings import summarise
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.table_reader import SeenRow, every_row, seen_rows

KNOWN = CompileInterface(
    "2.13.0",
    (
        CompileArgument("dynamic", "None", "Use dynamic shape tracing."),
        CompileArgument("mode", "None", "How hard."),
    ),
    (CompileMode("reduce-overhead", (("triton.cudagraphs", "True"),)),),
    (Backend("eager", ("debug",)), Backend("tvm")),
    (
        CompileOption("max_fusion_size", "int", "64", "how many nodes to allow into a single fusion"),
        CompileOption("size_asserts", "bool", "True", "put correctness assertions in generated code"),
        CompileOption(
            "numerics",
            "Literal['default', 'strict']",
            "'default'",
            values=("default", "strict"),
            sets=(OptionSets("'strict'", (("emulate_precision_casts", "True"),)),),
        ),
        CompileOption("emulate_precision_casts", "bool", "False", set_by=(("numerics", "'strict'", "True"),)),
        CompileOption("cpp.cxx", "tuple", "(None, 'g++')", simple=False),
    ),
)
REDUCE = CompileChoice("mode='reduce-overhead'", (SetCompileArgument("mode", "reduce-overhead"),))
SMALL = CompileChoice("max_fusion_size=128", (SetCompileOption("max_fusion_size", 128),))
BROKEN = CompileChoice("nope=1", (SetCompileOption("nope", 1),))


@pytest.fixture
def second_engine(qapp: QApplication) -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def session(
    engine: FakeEngine, second_engine: FakeEngine, tmp_path: Path, qapp: QApplication
) -> Iterator[Session]:
    made = Session(engine, journals=tmp_path / "journals", trial_engine=lambda: second_engine)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def pane(shown: Session, engine: FakeEngine, put: Callable[..., None]) -> OptionsPane:
    made = OptionsPane(shown)
    put(made, 1200, 420)
    engine.last(AskCompileInterface).reply(KNOWN)
    return made


def outcome(choice: CompileChoice, **more: object) -> ChoiceOutcome:
    side = TrialSide(0, 1, 3, 2, 1, 1.0, summarise([1_000_000] * 9))
    made = ChoiceOutcome(choice, side, calls=(1_000_000_000, 2_000_000), ratio=PairedRatio(1.0, 0.9, 1.1, 50))
    return msgspec.structs.replace(made, **more)


def results(session: Session) -> ChoicesMeasured:
    note = Problem(
        "Skipping cudagraphs due to cpu device (x).", path="/home/me/mlp.py", line=13, severity=Severity.NOTE
    )
    wrapper = CodeChange(wrappers=1, text="--- a\n+++ b\n-    assert_size_stride(x)")
    return ChoicesMeasured(
        session.capture.spec,
        outcome(CompileChoice("as it is", ()), ratio=None),
        (
            outcome(REDUCE, code=wrapper, ratio=PairedRatio(0.5, 0.4, 0.6, 50), notes=(note,)),
            outcome(SMALL),
            ChoiceOutcome(BROKEN, problem=Problem("Unexpected optimization option nope.")),
        ),
        summarise([2_000_000] * 9),
    )


def visible(pane: OptionsPane) -> list[str]:
    return [row.text(0) for row in every_row(pane.tree) if not row.children()]


def test_search_looks_into_torchs_words(pane: OptionsPane):
    assert "max_fusion_size" in visible(pane)
    pane.tree.field.setText("correctness assertions")
    assert visible(pane) == ["size_asserts"]
    assert pane.tree.make_current("size_asserts")
    assert "put correctness assertions" in pane.setting.words.plain()
    assert pane.setting.value.currentText() == "False"


def test_what_an_option_sets_besides_is_reported_from_both_sides(pane: OptionsPane):
    pane.tree.make_current("numerics")
    assert "'strict' sets emulate_precision_casts=True." in pane.setting.words.plain()
    assert pane.setting.value.currentText() == "strict"
    assert pane.setting.value.count() == 1  # without the default
    assert pane.setting.choice() == CompileChoice(
        "numerics='strict'", (SetCompileOption("numerics", "strict"),)
    )
    pane.tree.make_current("emulate_precision_casts")
    assert "numerics='strict' sets it to True, whatever it is given." in pane.setting.words.plain()


def test_a_value_that_cannot_be_typed_is_not_offered(pane: OptionsPane):
    pane.tree.make_current("cpp.cxx")
    assert not pane.setting.add.isEnabled()
    assert "cannot be written down" in pane.setting.words.plain()
    pane.tree.make_current("mode")
    assert not pane.setting.add.isEnabled()


def test_rows_become_choices_that_are_measured(pane: OptionsPane, shown: Session, second_engine: FakeEngine):
    pane.tree.make_current("max_fusion_size")
    pane.setting.add.click()
    pane.tree.make_current("reduce-overhead")
    pane.setting.add.click()
    assert shown.choices.chosen == (SMALL, REDUCE)
    pane.page.measure.click()
    request = second_engine.last(MeasureChoices)
    assert request.body.choices == (SMALL, REDUCE)
    assert not pane.page.measure.isVisible()
    request.reply(results(shown))
    rows = {item.text(0): item for item in rows_of(pane)}
    assert rows["max_fusion_size=128"].text(1) == "nothing"
    assert rows["mode='reduce-overhead'"].text(1) == "wrapper only"
    assert rows["mode='reduce-overhead'"].text(2).endswith("faster")
    assert "Changes nothing here" in pane.page.words.plain()


def rows_of(pane: OptionsPane) -> list[SeenRow]:
    return seen_rows(pane.page.table)


def test_a_choice_has_its_diff_its_note_and_its_way_into_the_capture(
    pane: OptionsPane, shown: Session, second_engine: FakeEngine, qtbot: QtBot
):
    shown.choices.choose(REDUCE, BROKEN)
    shown.choices.measure()
    second_engine.last(MeasureChoices).reply(results(shown))
    rows_of(pane)[1].select()
    assert "assert_size_stride" in pane.page.diff.toPlainText()
    assert "Skipping cudagraphs" in pane.page.words.plain()
    assert "compiling has paid off after" in pane.page.words.plain()
    pane.page.words.link_clicked.emit(0)
    assert shown.selection.pinned_in("source:/home/me/mlp.py") == frozenset({"L13"})
    with qtbot.waitSignal(shown.trials.kept) as kept:
        pane.page.take.click()
    assert kept.args[0].compile.mode == "reduce-overhead"
    pane.page.table.tree.clearSelection()
    rows_of(pane)[2].select()
    assert "Does not work here: Unexpected optimization option" in pane.page.words.plain()


def test_two_choices_together_are_one(pane: OptionsPane, shown: Session):
    shown.choices.choose(REDUCE, SMALL)
    for row in rows_of(pane):
        row.select()
    pane.page.join.click()
    joined = shown.choices.chosen[-1]
    assert joined.changes == (*REDUCE.changes, *SMALL.changes)


def test_backends_are_tried_one_after_another(pane: OptionsPane, shown: Session, second_engine: FakeEngine):
    pane.backends.click()
    assert pane.stop.isVisible()
    second_engine.last(TryBackend).reply(BackendTried("eager", True, seconds=0.5))
    second_engine.last(TryBackend).reply(BackendTried("tvm", False, "ImportError: Please install apache-tvm"))
    assert pane.backends.isVisible()
    pane.tree.make_current("tvm")
    assert "does not work here: ImportError" in pane.setting.words.plain()


def test_measures_of_another_program_are_not_shown(
    pane: OptionsPane, shown: Session, second_engine: FakeEngine
):
    shown.choices.choose(SMALL)
    shown.choices.measure()
    other = results(shown)
    second_engine.last(MeasureChoices).reply(
        msgspec.structs.replace(other, spec=msgspec.structs.replace(other.spec, front_end="fx"))
    )
    assert shown.choices.measured is None
    assert isinstance(pane, QWidget)


def test_changing_sizes_are_a_table(pane: OptionsPane, shown: Session, second_engine: FakeEngine):
    page = pane.page.sizes
    page.field.setText("nonsense")
    page.measure.click()
    assert "no series of sizes" in page.state.text()
    page.field.setText("x:0=3,4")
    page.measure.click()
    request = second_engine.last(MeasureStances)
    assert request.body.dimension == DimensionTrial("x", 0, (3, 4))
    assert not page.measure.isVisibleTo(page)
    rows = (
        StanceRow("dynamic=False", (StanceCall(3, "compiled", 1), StanceCall(4, "compiled", 2))),
        StanceRow(
            'set_stance("fail_on_recompile")', (StanceCall(3, "failed", problem="Detected recompile"),)
        ),
    )
    request.reply(StancesMeasured(shown.capture.spec, request.body.dimension, rows))
    first, second = seen_rows(page.table)
    assert first.texts() == [
        "dynamic=False",
        "compiled",
        "compiled 2 frames",
        "3",
    ]
    assert second.tooltip(1) == "Detected recompile"
    assert page.measure.isVisibleTo(page)


def test_no_button_is_cut_off_in_a_narrow_dock(pane: OptionsPane, qtbot: QtBot) -> None:
    dock = QWidget()
    qtbot.addWidget(dock)
    page = pane.page
    page.setParent(dock)
    page.setGeometry(0, 0, 300, 300)
    dock.show()
    page.show()
    qtbot.wait(10)
    buttons = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert page.common in buttons
    assert all(button.width() >= button.sizeHint().width() for button in buttons)
    page.setParent(pane)
