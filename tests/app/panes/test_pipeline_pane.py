"""The list of stages: what it shows and what a click asks for."""

import msgspec
from PySide6.QtCore import Qt

from app.panes.pipeline_pane import PipelinePane
from app.panes.pipeline_pane.grouping import groups_of, short_title
from app.session.captures.stage_order import reading_order
from app.session.edit_builders.fusion import loops_of
from app.widgets.bar_delegate import FRACTION_ROLE
from compiler.model.edits.edits import BypassNode
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import BytecodeStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from tests.helpers.sample_capture import verdict
from tests.helpers.table_reader import every_row, menu_texts, row_of, seen_rows


def titles(pane):
    return [row.text(0) for row in every_row(pane.stages)]


def test_without_a_capture_it_says_how_to_get_one(session, put):
    pane = PipelinePane(session)
    put(pane)
    assert pane.empty.isVisible()
    assert not pane.stages.isVisible()


def test_stages_stand_in_groups_with_their_numbers(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    assert titles(pane)[:4] == ["Source files", "mlp.py", "Graph 0/0 · forward", "Bytecode"]
    assert "Graph 1/0 · line 15 on" in titles(pane)
    dynamo = row_of(pane.stages, "0/0:dynamo")
    assert dynamo.text(2) == "6"
    assert dynamo.text(3) == "120 ms"
    assert "Made by torch/_some/where.py" in dynamo.tooltip(0)
    assert "Made from Bytecode" in dynamo.tooltip(0)


def test_weights_of_graphs_are_relative_to_the_largest(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    weights = [
        row.index.siblingAtColumn(2).data(FRACTION_ROLE)
        for row in every_row(pane.stages)
        if row.text(0).startswith("Graph")
    ]
    assert weights == [1.0, 0.5]


def test_original_bytecode_without_a_compile_id_stands_with_its_frame(capture):
    moved = tuple(
        msgspec.structs.replace(stage, compile_id="") if stage.id == "0/0:bytecode" else stage
        for stage in capture.stages
    )
    groups = groups_of(msgspec.structs.replace(capture, stages=moved))
    assert [stage.id for stage in groups[1].stages][:2] == ["0/0:bytecode", "0/0:rewritten"]


def test_a_click_shows_the_stage_and_marks_it(shown, put, click_row):
    pane = PipelinePane(shown)
    put(pane)
    click_row(row_of(pane.stages, "0/0:forward:loops"))
    assert shown.stage.id == "0/0:forward:loops"
    assert row_of(pane.stages, "0/0:forward:loops").is_bold()
    assert not row_of(pane.stages, "0/0:dynamo").is_bold()


def test_a_stage_offers_what_it_can_be_laid_beside_and_a_group_nothing(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    stage = row_of(pane.stages, "0/0:dynamo")
    assert menu_texts(pane.stages, stage) == ["Show", "Compare with…", "Compare with"]
    assert menu_texts(pane.stages, seen_rows(pane.stages)[0]) == []


def test_what_is_folded_and_in_view_stays_when_stages_come(shown, engine, capture, put, qtbot):
    pane = PipelinePane(shown)
    put(pane, 400, 200)
    folded = seen_rows(pane.stages)[0]
    pane.stages.tree.collapse(folded.index)
    bar = pane.stages.tree.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 4)
    bar.setValue(bar.maximum())
    before = pane.stages.tree.indexAt(pane.stages.tree.viewport().rect().topLeft()).data()
    shown.report(Problem("Lowering failed.", place=place("0/0:forward:loops", "op0")))
    pane.fill()
    assert row_of(pane.stages, "0/0:forward:loops").text(1) == "failed"
    assert not seen_rows(pane.stages)[0].is_open()
    assert pane.stages.tree.indexAt(pane.stages.tree.viewport().rect().topLeft()).data() == before


def test_enter_shows_the_current_row(shown, put, qtbot):
    pane = PipelinePane(shown)
    put(pane)
    pane.stages.tree.setFocus()
    qtbot.keyClick(pane.stages.tree, Qt.Key.Key_Down)
    qtbot.keyClick(pane.stages.tree, Qt.Key.Key_Return)
    assert shown.stage.id == "0/0:joint"


def test_an_uncompiled_edit_makes_later_stages_stale(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    assert row_of(pane.stages, "0/0:dynamo").text(1) == "edited"
    assert row_of(pane.stages, "0/0:joint").text(1) == "stale"
    assert row_of(pane.stages, "0/0:forward:wrapper").text(1) == "stale"
    assert row_of(pane.stages, "0/0:bytecode").text(1) == "captured"
    assert row_of(pane.stages, "1/0:dynamo").text(1) == "captured"
    assert "Ctrl+R" in pane.verdict_line.text()
    shown.report(Problem("The edit does not work.", place=place("0/0:dynamo", "linear")))
    assert row_of(pane.stages, "0/0:dynamo").text(1) == "failed"
    assert row_of(pane.stages, "0/0:joint").text(1) == "stale"
    shown.undo()
    assert not pane.verdict_line.isVisible()
    assert row_of(pane.stages, "0/0:joint").text(1) == "captured"


def test_edits_that_do_not_compile_are_reported_so(shown, engine, put):
    """They were reported as not compiled yet, just after that had failed."""
    pane = PipelinePane(shown)
    put(pane)
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    shown.recompile()
    engine.last(Recompile).fail("g++ failed.")
    assert "Recompiling failed" in pane.verdict_line.text()
    assert "g++ failed." in pane.verdict_line.toolTip()
    shown.undo()
    shown.redo()
    assert "not compiled yet" in pane.verdict_line.text()


def test_a_recompile_shows_its_verdict_and_what_it_changed(shown, engine, capture, put):
    pane = PipelinePane(shown)
    put(pane)
    assert not pane.verdict_line.isVisible()
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    shown.recompile()
    stages = tuple(
        msgspec.structs.replace(stage, seconds=9.0) if stage.id == "0/0:joint" else stage
        for stage in capture.stages
    )
    again = msgspec.structs.replace(capture, id="capture-2", parent=capture.id, stages=stages)
    engine.last(Recompile).reply(Recompiled(again, verdict()))
    assert pane.verdict_line.isVisible()
    assert pane.verdict_line.text() == "✓ Right · not timed"
    assert verdict().summary in pane.verdict_line.toolTip()
    assert row_of(pane.stages, "0/0:joint").text(1) == "recompiled"
    assert row_of(pane.stages, "0/0:dynamo").text(1) == "captured"


def test_a_problem_marks_its_stage_as_failed(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    shown.report(Problem("Lowering failed.", place=place("0/0:forward:loops", "op0")))
    assert row_of(pane.stages, "0/0:forward:loops").text(1) == "failed"


def test_a_narrow_dock_keeps_names_and_signs(shown, put, qtbot):
    pane = PipelinePane(shown)
    put(pane)
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    pane.window().resize(260, 600)
    qtbot.waitUntil(lambda: pane.width() < 280)
    assert row_of(pane.stages, "0/0:dynamo").text(1) == "●"
    assert row_of(pane.stages, "0/0:dynamo").tooltip(1)
    assert pane.stages.tree.isColumnHidden(3)


def test_the_filter_keeps_groups_of_what_matches(shown, put, qtbot):
    pane = PipelinePane(shown)
    put(pane)
    qtbot.keyClicks(pane.stages.field, "loop")
    assert titles(pane) == ["Graph 0/0 · forward", "Forward", "Loop IR", "Fused loop IR"]


def test_a_frame_that_failed_is_marked(session, engine, capture, put):
    frames = (msgspec.structs.replace(capture.frames[0], error="Unsupported: print"), *capture.frames[1:])
    session.capture_target(capture.spec)
    engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(capture, frames=frames)))
    pane = PipelinePane(session)
    put(pane)
    assert row_of(pane.stages, "0/0:bytecode").text(1) == "failed"


def test_an_inlined_function_stands_with_the_graph_it_went_into(capture):
    inlined = msgspec.structs.replace(
        capture.stage("0/0:bytecode"), id="bytecode:helper", title="Bytecode of helper", compile_id=""
    )
    link = LinkTable(inlined.id, "0/0:dynamo", "traced", "torch", (("i8", "linear"),))
    made = msgspec.structs.replace(capture, stages=(*capture.stages, inlined), links=(*capture.links, link))
    group = next(group for group in groups_of(made) if group.title.startswith("Graph 0/0"))
    assert inlined in group.stages
    code = inlined.content.code
    assert short_title(inlined, made) == f"{code.name}:{code.first_line}, inlined"


def test_functions_of_one_name_can_be_distinguished_in_a_narrow_dock(session, engine, capture, put):
    """Every module has a ``forward``."""
    original = capture.stage("0/0:bytecode")
    made = [
        msgspec.structs.replace(
            original,
            id=f"bytecode:forward@{line}",
            title="Bytecode of forward",
            compile_id="",
            content=BytecodeStage(msgspec.structs.replace(original.content.code, first_line=line)),
        )
        for line in (12, 25)
    ]
    links = tuple(LinkTable(stage.id, "0/0:dynamo", "traced", "torch", (("i8", "linear"),)) for stage in made)
    session.capture_target(capture.spec)
    whole = msgspec.structs.replace(capture, stages=(*capture.stages, *made), links=(*capture.links, *links))
    engine.last(MakeCapture).reply(CaptureMade(whole))
    put(pane := PipelinePane(session), 230, 600)
    tree = pane.stages.tree
    shown = {
        tree.fontMetrics().elidedText(row_of(pane.stages, stage.id).text(0), tree.textElideMode(), 120)
        for stage in made
    }
    assert len(shown) == 2


def test_loop_ir_of_a_body_stands_below_that_of_its_graph_and_leaves_fusing_to_it(shown):
    capture = shown.capture
    loops = next(stage for stage in capture.stages if stage.id.endswith(":loops"))
    fused = next(stage for stage in capture.stages if stage.id.endswith(":fused"))
    bodies = [
        msgspec.structs.replace(stage, id=f"{stage.id}:true_graph_0", title=f"{stage.title} of true_graph_0")
        for stage in (loops, fused)
    ]
    index = capture.stages.index(loops) + 1
    stages = (*capture.stages[:index], bodies[0], *capture.stages[index:], bodies[1])
    made = msgspec.structs.replace(capture, stages=stages)
    assert [short_title(stage, made) for stage in bodies] == ["↳ true_graph_0"] * 2
    assert loops_of(made, loops) == (loops, fused)
    assert [loops_of(made, stage) for stage in bodies] == [None, None]


def test_stages_are_stepped_through_as_they_are_listed(shown, put):
    pane = PipelinePane(shown)
    put(pane)
    listed = [row.given().value for row in every_row(pane.stages)]
    assert [stage for stage in listed if stage] == list(reading_order(shown.capture))
