"""Guards, recompiles and the tester."""

import dataclasses

import msgspec
import pytest
from PySide6.QtCore import QModelIndex, Qt

from app.panes.guards_pane import GuardsPane, tree_page
from app.panes.guards_pane.comparing import differences
from app.panes.guards_pane.form import FormError, FormRow, change_from, describe, rows_of
from app.panes.guards_pane.guard_model import COST, LINE, WHAT, GuardModel
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.capture.guards import (
    FailedGuard,
    GuardLeaf,
    GuardNode,
    GuardTree,
    MeasuredGuards,
    RecompileRecord,
    ShapeSymbol,
    TriedEntry,
)
from compiler.model.guard_testing.guard_tests import (
    FrameInputs,
    GuardChange,
    GuardTestResult,
    NewValue,
    TensorChange,
    TestedEntry,
)
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import place
from compiler.model.protocol.messages import (
    DescribeFrame,
    MeasureGuards,
    TestGuards,
)
from compiler.model.session_file.checks import consistent
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import every_row, seen_rows

PATH = "/home/me/mlp.py"
LINES = (SourceLine(PATH, 13, "forward", "hidden = self.fc1(x)"), SourceLine(PATH, 14, "forward"))


def tree(compile_id: str, size: str = "8", symbols: tuple[ShapeSymbol, ...] = ()) -> GuardTree:
    nodes = (
        GuardNode(-1, "L", leaves=(GuardLeaf("GLOBAL_STATE", ("___check_global_state()",)),)),
        GuardNode(
            0,
            "L['x']",
            "Tensor",
            "",
            (GuardLeaf("TENSOR_MATCH", (f"check_tensor(L['x'], size=[{size}])",), 0),),
        ),
        GuardNode(0, "L['self']", "Mlp", "", (GuardLeaf("TYPE_MATCH", ("___check_type_id(L['self'])",), 0),)),
        GuardNode(
            2, "L['self'].flag", "bool", "", (GuardLeaf("TRUE_MATCH", ("L['self'].flag == True",), 1),)
        ),
        GuardNode(0, "G['SCALE']", "float", "", (GuardLeaf("EQUALS_MATCH", ("G['SCALE'] == 2.0",), 1),)),
    )
    return GuardTree(compile_id, nodes, LINES, symbols)


FAILED = FailedGuard(
    "L['x']", "TENSOR_MATCH", "check_tensor(L['x'])", "size of dimension 0: expected 8, got 9", LINES[0]
)


@pytest.fixture
def guarded(capture: Capture) -> Capture:
    """The sample capture with guards, a recompile and arguments."""
    made = msgspec.structs.replace(
        capture,
        guards=(
            tree("0/0"),
            tree("0/1", "None", (ShapeSymbol("s77", "9", "[2, ∞]", ("L['x'].size()[0]",)),)),
        ),
        recompiles=(RecompileRecord("0/1", "forward", (TriedEntry("0/0", (FAILED,)),)),),
        arguments=(
            ArgumentSpec("x", "tensor", (8, 128), "float32", "cpu"),
            ArgumentSpec("k", "value", text="3"),
        ),
    )
    assert not consistent(made)[1]
    return made


@pytest.fixture
def pane(session, engine, guarded, put):
    open_capture(session, guarded)
    made = GuardsPane(session)
    put(made, 1000, 420)
    return made


def texts(model: GuardModel, parent: QModelIndex | None = None) -> list[str]:
    found: list[str] = []
    parent = parent if parent is not None else QModelIndex()
    for row in range(model.rowCount(parent)):
        index = model.index(row, WHAT, parent)
        assert model.parent(index) == parent
        found += [model.data(index), *texts(model, index)]
    return found


def test_the_tree_shows_values_with_their_checks_and_lines(pane, session):
    model = pane.tree.model
    assert texts(model)[:4] == ["L", "GLOBAL_STATE", "L['x']", "TENSOR_MATCH"]
    assert pane.tree.count.text() == "5 guards"
    check = model.index(0, LINE, model.index(1, 0, model.index(0, 0)))
    assert model.data(check) == "mlp.py:13"
    pane.tree.view.clicked.emit(check)
    assert session.selection.pinned == place(f"source:{PATH}", "L13")


def test_filtering_keeps_the_way_to_what_is_found(pane):
    pane.tree.field.setText("TRUE_MATCH")
    pane.tree._typed.timeout.emit()
    assert texts(pane.tree.model) == ["L", "L['self']", "L['self'].flag", "TRUE_MATCH"]
    assert pane.tree.count.text() == "1 of 5 guards"
    pane.tree.field.setText("")
    pane.tree._typed.stop()


def test_measuring_fills_the_cost_column(pane, engine):
    pane.tree.button.click()
    asked = engine.last(MeasureGuards)
    assert asked.body == MeasureGuards("capture-1", pane.tree.picked.compile_id)
    asked.reply(MeasuredGuards("0/0", 800.0, 40_000.0, ((0, 0, 100.0), (1, 0, 30.0))))
    model = pane.tree.model
    assert model.data(model.index(0, COST)) == "100 ns"
    assert "0.80 µs" in pane.tree.note.text()
    assert "GLOBAL_STATE of L 100 ns" in pane.tree.note.text()
    pane.tree.button.click()
    engine.last(MeasureGuards).fail("It went wrong.")
    assert "It went wrong." in pane.tree.note.text()


def test_recompiles_tell_every_failing_guard_and_what_differs(pane, session, click_row):
    pane.tabs.setCurrentWidget(pane.recompiles)
    assert pane.tabs.tabText(1) == "Recompiles (1)"
    rows = list(every_row(pane.recompiles.list))
    assert [row.text(0) for row in rows] == [
        "forward (0/1)",
        "0/0 did not fit: one guard fails",
        FAILED.reason,
    ]
    groups = seen_rows(pane.recompiles.diff)
    assert [group.text(0) for group in groups[:2]] == ["Guards: 1 differs of 5", "Symbolic shapes: 1 differs"]
    assert groups[0].children()[0].texts() == [
        "L['x'] TENSOR_MATCH",
        "check_tensor(L['x'], size=[8])",
        "check_tensor(L['x'], size=[None])",
    ]
    click_row(rows[2])
    assert session.selection.pinned == place(f"source:{PATH}", "L13")


def test_the_graphs_of_two_compiles_are_compared_line_by_line(guarded):
    groups = differences(guarded, "0/0", "1/0")
    graph = next(group for group in groups if group.title.startswith("Dynamo graph"))
    assert any("torch.relu" in row.before for row in graph.rows)
    assert any("_operator.mul" in row.after for row in graph.rows)
    assert all(row.before != row.after for group in groups for row in group.rows)


def test_the_form_offers_arguments_attributes_and_globals(guarded):
    rows = rows_of(guarded.arguments, guarded.guards[0])
    assert rows == (
        FormRow("tensor", "x", "8, 128", "float32"),
        FormRow("argument", "k", value="3"),
        FormRow("attribute", "self.flag", value="True"),
        FormRow("global", "SCALE", value="2.0"),
    )
    other = (
        dataclasses.replace(rows[0], shape="9, 128", dtype="float64", requires_grad=True),
        dataclasses.replace(rows[1], value="4"),
        dataclasses.replace(rows[2], value="False"),
        rows[3],
    )
    change = change_from(rows, other, True, None)
    assert change == GuardChange(
        (TensorChange("x", (9, 128), "float64", None, True),),
        (NewValue("k", "4"),),
        (NewValue("self.flag", "False"),),
        (),
        True,
    )
    assert (
        describe(change)
        == "x: shape (9, 128), dtype float64, requires_grad=True; k = 4; self.flag = False; train()"
    )
    for shape in ("9, b", "9, ²"):
        with pytest.raises(FormError, match="shape of x"):
            change_from(rows, (dataclasses.replace(rows[0], shape=shape), *rows[1:]), None, None)


def test_the_tester_asks_and_shows_every_entry(pane, engine):
    pane.tabs.setCurrentWidget(pane.tester)
    page = pane.tester
    page.table.item(0, 2).setText("9, 128")
    page.table.item(0, 5).setCheckState(Qt.CheckState.Checked)
    page.gradients.setCurrentText("off")
    page.button.click()
    asked = engine.last(TestGuards)
    assert asked.body.change == GuardChange(
        (TensorChange("x", (9, 128), requires_grad=True),), gradients=False
    )
    entries = (TestedEntry("0/1", False, "GLOBAL_STATE changed", (FAILED, FAILED)), TestedEntry("0/0", True))
    asked.reply(GuardTestResult("forward", entries, "0/0"))
    assert "0/0 runs, nothing is compiled" in page.answer.text()
    assert seen_rows(page.result)[0].text(0) == "0/1 does not fit: GLOBAL_STATE changed"
    assert len(list(every_row(page.result))) == 4
    page.table.item(0, 2).setText("nine")
    page.button.click()
    assert "whole numbers" in page.answer.text()
    page.reset.click()
    assert page.table.item(0, 2).text() == "8, 128"


def test_another_frame_is_tried_with_the_values_it_is_called_with(pane, engine):
    pane.tabs.setCurrentWidget(pane.tester)
    page = pane.tester
    assert [page.picker.itemText(row)[:3] for row in range(page.picker.count())] == ["0/0", "0/1"]
    page.picker.setCurrentIndex(1)
    asked = engine.last(DescribeFrame)
    assert asked.body.compile_id == "0/1"
    assert not page.button.isEnabled()
    inputs = (ArgumentSpec("hidden", "tensor", (4,), "float32", "cpu"),)
    asked.reply(FrameInputs("0/1", "forward", inputs, ("self", "hidden"), "As 0/2 was called."))
    assert [page.table.item(row, 1).text() for row in range(3)] == ["hidden", "self.flag", "SCALE"]
    assert page.answer.text() == "As 0/2 was called."
    page.table.item(0, 2).setText("5")
    page.button.click()
    tried = engine.last(TestGuards)
    assert tried.body.compile_id == "0/1"
    assert tried.body.change == GuardChange((TensorChange("hidden", (5,)),))
    tried.reply(GuardTestResult("forward", (TestedEntry("0/1", False, "size"),), "", "Told."))
    assert page.answer.text().endswith("would be compiled again. Told.")
    page.picker.setCurrentIndex(0)
    assert page.table.item(0, 1).text() == "x"
    assert page.button.isEnabled()
    page.picker.setCurrentIndex(1)
    engine.last(DescribeFrame).fail("It does not run.")
    assert "It does not run." in page.answer.text()
    assert not page.button.isEnabled()


def test_globals_of_other_modules_and_of_objects_are_offered():
    def fixed(source: str, code: str) -> GuardNode:
        return GuardNode(0, source, "", "", (GuardLeaf("EQUALS_MATCH", (code,)),))

    nodes = (
        fixed("G['__import_my_dot_settings'].SHIFT", "G['__import_my_dot_settings'].SHIFT == 2"),
        fixed("G['config'].depth", "G['config'].depth == 3"),
        fixed("G['__builtins_dict___5']", "x == 1"),
    )
    rows = rows_of((), GuardTree("1/0", nodes))
    assert rows == (
        FormRow("global", "my.settings.SHIFT", value="2"),
        FormRow("global", "config.depth", value="3"),
    )


def test_without_guards_it_says_so(session, put, shown):
    made = GuardsPane(shown)
    put(made)
    assert made.empty.isVisible()
    assert "No guards" in made.empty.headline.text()


def large_tree(count: int) -> GuardTree:
    nodes = [GuardNode(-1, "L")]
    while len(nodes) < count:
        parent = len(nodes) // 8
        source = f"L['self']._modules['layer{len(nodes)}']"
        code = f"___check_type_id({source}, 94739166766144), type=<class 'torch.nn.modules.linear.Linear'>"
        nodes.append(
            GuardNode(
                parent, source, "Linear", f"DictGetItem({len(nodes)})", (GuardLeaf("TYPE_MATCH", (code,), 0),)
            )
        )
    return GuardTree("0/0", tuple(nodes), LINES)


def test_five_thousand_guards_open_at_once_and_stay_small(
    session, engine, guarded, put, qapp, monkeypatch: pytest.MonkeyPatch
):
    """Rows are asked for where they are seen: the whole tree would be some 100,000 questions."""
    capture = msgspec.structs.replace(guarded, guards=(large_tree(5000),))
    assert not consistent(capture)[1]
    assert len(msgspec.json.encode(capture.guards)) < 1_500_000
    asked = [0]

    class Counted(GuardModel):
        def data(self, *args, **kwargs):
            asked[0] += 1
            return super().data(*args, **kwargs)

    monkeypatch.setattr(tree_page, "GuardModel", Counted)
    open_capture(session, capture)
    put(made := GuardsPane(session), 1000, 420)
    qapp.processEvents()
    assert 0 < asked[0] < 2_000
    made.tree.model.set_filter("layer4999")
    qapp.processEvents()
    assert asked[0] < 4_000
    assert made.tree.model.shown == 1


def test_a_dimension_is_tried_as_dynamic(shown, pane, qtbot):
    pane.tabs.setCurrentWidget(pane.dynamic)
    page = pane.dynamic
    page.argument.setCurrentIndex(0)
    page.dimension.setCurrentIndex(0)
    page.sizes.setText("nonsense")
    page.button.click()
    assert "Write one to" in page.state.text()
    page.sizes.setText("4, 8")
    with qtbot.waitSignal(shown.trials.chosen):
        page.button.click()
    proposal = shown.trials.proposal
    assert proposal.dimension.sizes == (4, 8)
    assert proposal.remedy.change.dimension == 0
