"""What is selected, in full."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QScrollArea

from app.panes.inspector_pane import InspectorPane
from app.theme import current
from compiler.model.capture.probe_readings import ProbeReading
from compiler.model.edits.edits import BypassNode, SetArgument, apply_graph_edit
from compiler.model.edits.subgraphs import extract_submodule
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.stage import FxStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from tests.helpers import sample_capture as sample
from tests.helpers.opened_capture import open_capture
from tests.helpers.table_reader import row_of, seen_rows


@pytest.fixture
def pane(shown, put):
    made = InspectorPane(shown)
    put(made, 420, 800)
    return made


def pick(session, stage, *nodes):
    session.selection.select(place(stage, *nodes))


def test_nothing_selected_shows_a_guide(pane):
    assert pane.empty.isVisible()


def test_a_node_is_reported_in_full(shown, pane):
    pick(shown, "0/0:dynamo", "linear")
    text = pane.top.plain()
    for part in ("linear", "torch._C._nn.linear", "f32[32, 256]", "32.0 KiB", "fc1", "(Linear)", "relu"):
        assert part in text
    assert "mlp.py:13" in pane.bottom.plain()
    assert pane.buttons["edit.replace_target"].isVisible()


def test_the_history_names_every_stage_it_reaches(shown, pane):
    pick(shown, "0/0:dynamo", "relu")
    text = pane.history.plain()
    for part in ("line 14", "18 CALL 1", "relu_1", "op1", "cpp_fused_relu_0", "line 6"):
        assert part in text


def test_a_link_of_the_history_goes_there(shown, pane):
    pick(shown, "0/0:dynamo", "relu")
    locations = [pane._story.place_of(number) for number in range(len(pane._story._places))]
    number = locations.index(place("0/0:forward:kernels", "cpp_fused_relu_0"))
    pane.history.link_hovered.emit(number)
    assert shown.selection.hovered.stage == "0/0:forward:kernels"
    pane.history.link_clicked.emit(number)
    assert shown.selection.pinned == place("0/0:forward:kernels", "cpp_fused_relu_0")
    assert shown.stage.id == "0/0:forward:kernels"
    assert "wrapper line 6" in pane.top.plain()


def argument(pane, path):
    return row_of(pane.arguments, ("relu", path))


def type_over(qtbot, pane, path, text):
    tree = pane.arguments.tree
    location = argument(pane, path).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=location)
    qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=location)
    editor = tree.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def test_a_constant_typed_over_is_an_edit(shown, pane, qtbot):
    pick(shown, "0/0:dynamo", "relu")
    with qtbot.waitSignal(shown.edits_changed):
        type_over(qtbot, pane, ("kwargs", "dim"), "2")
    assert shown.edits == (
        SetArgument("0/0:dynamo", "relu", ("kwargs", "dim"), ConstantArgument("int", "2")),
    )
    assert argument(pane, ("kwargs", "dim")).text(1) == "2"
    assert "edited" in pane.top.plain()


def test_what_is_no_constant_is_refused_with_the_reason(shown, pane, qtbot):
    pick(shown, "0/0:dynamo", "relu")
    type_over(qtbot, pane, ("kwargs", "dim"), "os.system")
    qtbot.waitUntil(pane.arguments.reason.isVisible)
    assert "is not a number" in pane.arguments.reason.text()
    assert argument(pane, ("kwargs", "dim")).text(1) == "1"
    assert shown.edits == ()


def test_an_argument_that_is_a_node_leads_to_it(shown, pane, qtbot):
    pick(shown, "0/0:dynamo", "relu")
    tree = pane.arguments.tree
    location = argument(pane, ("args", "0")).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=location)
    assert shown.selection.pinned == place("0/0:dynamo", "linear")


def test_stages_that_cannot_be_edited_offer_no_edit(shown, pane):
    pick(shown, "0/0:joint", "relu_1")
    assert pane.buttons["edit.remove"].isVisible()
    pick(shown, "0/0:forward:wrapper", "L2")
    assert not pane.buttons["edit.remove"].isVisible()
    pick(shown, "0/0:dynamo", "x")
    assert not pane.buttons["edit.remove"].isVisible()


def test_buttons_ask_for_actions(shown, pane, qtbot):
    pick(shown, "0/0:dynamo", "relu")
    for action, button in pane.buttons.items():
        with qtbot.waitSignal(pane.action_requested) as asked:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert asked.args == [action]


def test_several_nodes_are_a_table(shown, pane, click_row, qtbot):
    pick(shown, "0/0:dynamo", "relu", "linear")
    assert pane.table.isVisible()
    rows = [row.text(0) for row in seen_rows(pane.table.rows)]
    assert rows == ["linear", "relu"]
    for action, button in pane.buttons_of_many.items():
        with qtbot.waitSignal(pane.action_requested) as asked:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert asked.args == [action]
    click_row(next(row for row in seen_rows(pane.table.rows) if row.text(0) == "relu"))
    assert shown.selection.pinned == place("0/0:dynamo", "relu")


def test_several_loops_are_a_table_without_empty_columns(shown, pane):
    """What they compute, make and move: no printed line, which repeats the name, and no head above nothing."""
    pick(shown, "0/0:forward:loops", "op0", "op1")
    table = pane.table.rows
    columns = range(table.tree.model().columnCount())
    assert [table.tree.model().headerData(at, Qt.Orientation.Horizontal) for at in columns] == [
        "Name",
        "Is",
        "Makes",
        "Moves",
    ]
    rows = [[row.text(at) for at in columns] for row in seen_rows(table)]
    assert [row[0] for row in rows] == ["op0", "op1"]
    for name, is_a, makes, _moves in rows:
        assert name not in is_a
        assert is_a
        assert makes
    pick(shown, "0/0:bytecode", "i18", "i20")
    columns = range(table.tree.model().columnCount())
    assert [table.tree.model().headerData(at, Qt.Orientation.Horizontal) for at in columns] == ["Name", "Is"]
    pick(shown, "0/0:dynamo", "relu", "linear")
    assert [row.text(2) for row in seen_rows(table)] == ["f32[32, 256]"] * 2


def test_loops_instructions_and_lines_are_reported(shown, pane):
    pick(shown, "0/0:forward:loops", "op1")
    assert "buf0[c0]" in pane.top.plain()
    assert "8,192 FLOP" in pane.top.plain()
    assert "ops.relu" in pane.bottom.plain()
    pick(shown, "0/0:bytecode", "i18")
    assert "CALL 1" in pane.top.plain()
    assert "mlp.py:14" in pane.top.plain()
    pick(shown, "source:/home/me/mlp.py", "L14")
    assert "torch.relu(hidden)" in pane.bottom.plain()


def test_a_node_that_an_edit_took_away_says_so(shown, pane):
    pick(shown, "0/0:dynamo", "relu")
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    assert "relu   taken out by an edit, not compiled yet\n" in pane.top.plain()


def test_an_edit_that_is_refused_brings_the_old_constant_back(shown, pane, qtbot, monkeypatch):
    pick(shown, "0/0:dynamo", "relu")
    monkeypatch.setattr(shown, "make_edit", lambda edit: shown.report(Problem("It does not fit.")))
    with qtbot.waitSignal(shown.problems_changed):
        type_over(qtbot, pane, ("kwargs", "dim"), "7")
    assert argument(pane, ("kwargs", "dim")).text(1) == "1"


def test_news_from_elsewhere_does_not_close_a_cell_being_typed_in(shown, pane, qtbot):
    pick(shown, "0/0:dynamo", "relu")
    pane.arguments.begin_edit(("relu", ("kwargs", "dim")))
    editor = pane.arguments.tree.findChild(QLineEdit)
    qtbot.keyClicks(editor, "4")
    shown.report(Problem("Something else went wrong."))
    pane.arguments._shown = None
    pane.fill()
    assert pane.arguments.tree.findChild(QLineEdit) is editor
    assert editor.text().endswith("4")


@pytest.fixture
def passed(session, engine):
    capture = sample.with_passes()
    open_capture(session, capture)
    session.show_stage(sample.POST_GRAD)
    return session


def test_the_history_says_passes_and_proofs(passed, put):
    pane = InspectorPane(passed)
    put(pane, 420, 500)
    pick(passed, sample.POST_GRAD, "relu")
    text = pane.history.plain()
    for part in (
        "relu  made from clamp_min by pass_pattern_1 (clamp_to_relu)",
        "op1 and op2 fused into it: round 1",
        "what it was · same node, by name",
        "carried by our mark",
        "○ same node, by name",
    ):
        assert part in text
    passed.passes.ask_history()
    bar = pane.findChild(QScrollArea).verticalScrollBar()
    assert bar.value() == min(pane.history.y(), bar.maximum()) > 0


def test_an_event_of_a_pass_leads_to_that_pass(passed, put):
    pane = InspectorPane(passed)
    put(pane, 420, 800)
    pick(passed, sample.POST_GRAD, "relu")
    story = pane._story
    number = [
        index
        for index, location in enumerate(story._places)
        if location == place(sample.POST_GRAD, "clamp_min")
    ][-1]
    pane.history.link_clicked.emit(number)
    assert passed.passes.position(sample.POST_GRAD) == 2
    assert passed.selection.pinned == place(sample.POST_GRAD, "clamp_min")
    assert "aten.clamp_min.default" in pane.top.plain()
    assert not pane.buttons["edit.replace_target"].isVisible()
    passed.passes.leave()
    assert "taken out by pass_pattern_1" in pane.top.plain()


def test_a_guess_looks_like_one(passed, put):
    capture = passed.capture
    links = tuple(
        msgspec.structs.replace(table, proof="guess") if table.kind == "partitioned" else table
        for table in capture.links
    )
    passed._store.shown = msgspec.structs.replace(capture, links=links)
    passed._show_shown()
    pane = InspectorPane(passed)
    put(pane, 420, 800)
    pick(passed, sample.POST_GRAD, "relu")
    assert "? z  what it was · a guess" in pane.history.plain()
    assert current.colors().warning in pane.history._content.html()


def test_what_a_probe_saw_and_what_a_node_holds_is_reported(shown, pane, engine, capture):
    reading = ProbeReading(
        "0/0:dynamo", "relu", "histogram", "f32[2]", 2, 1, 0, 0.0, 1.0, 0.5, 0.5, "0, 1", (1, 0, 1)
    )
    stages = []
    for stage in capture.stages:
        if stage.id == "0/0:dynamo":
            graph = stage.graph
            edited, _ = apply_graph_edit(graph, extract_submodule(stage.id, graph, ("linear",), "block"))
            stage = msgspec.structs.replace(stage, content=FxStage(edited))
        stages.append(stage)
    links = tuple(row for row in capture.links if "0/0:dynamo" not in (row.source, row.target))
    probed = msgspec.structs.replace(capture, readings=(reading,), stages=tuple(stages), links=links)
    shown.capture_target(capture.spec)
    engine.last(MakeCapture).reply(CaptureMade(probed))
    pick(shown, "0/0:dynamo", "relu")
    assert "min 0  mean 0.5  max 1" in pane.bottom.plain()
    assert "1 NaN" in pane.bottom.plain()
    pick(shown, "0/0:dynamo", "block")
    assert "def block(x, weight, bias):" in pane.bottom.plain()


def test_an_undo_to_what_was_compiled_is_read_once(shown, pane, engine, monkeypatch):
    """It tells of edits, of the preview that goes, of passes, a capture and its problems."""
    pick(shown, "0/0:dynamo", "relu")
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    shown.recompile()
    again = msgspec.structs.replace(shown.capture, id="capture-2")
    engine.last(Recompile).reply(Recompiled(again, None))
    fills = []
    fill = pane._show_one
    monkeypatch.setattr(pane, "_show_one", lambda *given: fills.append(given) or fill(*given))
    for go in (shown.undo, shown.redo):
        fills.clear()
        go()
        assert len(fills) == 1
    assert shown.capture.id == "capture-2"
