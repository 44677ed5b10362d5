"""The main job: capture, see every stage linked, edit, recompile, judge, time, undo."""

from importlib.metadata import version

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.widgets.code_editor import CodeEditor
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.ids import place
from compiler.model.ir.stage import StageKind
from tests.end_to_end.conftest import EXAMPLES, Desk
from tests.helpers.table_reader import row_of

DYNAMO, POST_GRAD, KERNELS = "0/0:dynamo", "0/0:forward:post_grad", "0/0:forward:kernels"
RELU_LINE = 14
OTHERS = (
    "GRAPH_PART",
    "BODY",
    "FRONT_END_GRAPH",
    "FRONT_END_TEXT",
    "LOG_TEXT",
    "TRITON_IR",
    "TRITON_GPU_IR",
    "LLVM_IR",
    "PTX",
    "SASS",
    "AMDGCN",
)
PIPELINE = {kind for kind in StageKind if kind.name not in OTHERS}
if [int(number) for number in version("torch").split(".")[:2]] < [2, 13]:
    PIPELINE.remove(StageKind.RUNTIME_WRAPPERS)  # torch does not generate them
"""What torch.compile makes of a program on the CPU."""


def click_line(qtbot: QtBot, editor: CodeEditor, line: int) -> None:
    top, height = next((top, height) for number, top, height in editor.visible_lines() if number == line)
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(80, round(top + height / 2)))


def targets(capture: Capture, stage: str) -> list[str]:
    graph = capture.stage(stage).graph
    return [node.target for node in graph.nodes]


def node_calling(capture: Capture, stage: str, target: str) -> str:
    graph = capture.stage(stage).graph
    return next(node.id for node in graph.nodes if node.target == target)


def recompiled(desk: Desk) -> None:
    count = len(desk.session.captures)
    desk.act("edit.recompile")
    desk.until(lambda: len(desk.session.captures) > count and desk.settled())


def test_from_a_source_line_to_a_judged_edit_and_back(desk: Desk, qtbot: QtBot) -> None:
    session = desk.session
    desk.capture("mlp.py:MLP", EXAMPLES)
    capture = session.capture
    assert desk.window.pages.currentWidget() is desk.window.dock_area
    kinds = {stage.kind for stage in capture.stages}
    assert kinds == PIPELINE
    pipeline = desk.pane("pipeline")
    assert all(row_of(pipeline.stages, stage.id).text(0) for stage in capture.stages)

    click_line(qtbot, desk.pane("source").editor, RELU_LINE)
    relu = node_calling(capture, DYNAMO, "torch.relu")
    assert relu in session.selection.pinned_in(DYNAMO)
    assert session.selection.pinned_in(KERNELS)
    assert session.color_index(DYNAMO, relu) == session.color_index(
        session.selection.pinned.stage, f"L{RELU_LINE}"
    )
    seen = [session.stage.id]
    for _ in capture.stages:
        session.step_stage(1)
        seen.append(session.stage.id)
    assert len(set(seen)) > 10
    session.show_stage(DYNAMO)

    session.selection.select(place(DYNAMO, relu))
    desk.act("edit.this_relu_to_gelu")
    assert session.has_uncompiled_edits
    desk.until(desk.settled)
    recompiled(desk)
    assert all(item.agrees is not False for item in session.verdict.comparisons)
    assert any(item.agrees for item in session.verdict.comparisons)
    assert "torch.nn.functional.gelu" in targets(session.capture, DYNAMO)

    times_arrive(desk)

    session.undo()
    assert not session.has_uncompiled_edits
    assert targets(session.capture, KERNELS.replace("kernels", "post_grad")) == targets(capture, POST_GRAD)


def times_arrive(desk: Desk) -> None:
    timings, recorder = desk.pane("timings"), desk.session.timings
    timings.controls.start.click()
    desk.until(lambda: bool(recorder.kernels) and len(recorder.samples(0)) > 20)
    desk.until(lambda: recorder.eager_summary() is not None)
    timings.controls.start.click()
    desk.until(lambda: not recorder.running and desk.settled())
    timings.draw_now()
    assert "Compiled step" in timings.headline.text()


@pytest.mark.thorough
def test_a_post_grad_edit_after_a_compiled_dynamo_edit(desk: Desk) -> None:
    session = desk.session
    desk.capture("mlp.py:MLP", EXAMPLES)
    original = session.capture
    assert original is not None
    session.selection.select(place(DYNAMO, node_calling(original, DYNAMO, "torch.relu")))
    desk.act("edit.this_relu_to_gelu")
    recompiled(desk)
    erf = session.stage_with_edits(POST_GRAD).graph.node(
        node_calling(session.capture, POST_GRAD, "aten.erf.default")
    )
    tanh = ReplaceTarget(POST_GRAD, erf.id, "call_function", "aten.tanh.default", erf.args)
    session.make_edit(tanh)
    assert session.problems == ()
    recompiled(desk)
    assert session.compiled_edits[-1] == tanh
    assert "aten.tanh.default" in targets(session.capture, POST_GRAD)
    assert session.problems == ()

    session.undo()
    assert session.stage_with_edits(POST_GRAD).graph.node(erf.id).target == "aten.erf.default"
    session.redo()
    session.undo()
    session.undo()
    assert not session.has_uncompiled_edits
    assert targets(session.capture, POST_GRAD) == targets(original, POST_GRAD)
    assert session.problems == ()
