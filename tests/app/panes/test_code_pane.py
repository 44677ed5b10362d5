"""Stages as programs."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.panes.code_pane import CodePane
from compiler.model.edits.edits import BypassNode
from compiler.model.ir.ids import place
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import KernelStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture
from tests.helpers import sample_capture as sample
from tests.helpers.opened_capture import open_capture


def line_with(pane, text):
    lines = pane.editor.toPlainText().split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_it_follows_the_stage_in_front(shown, put):
    pane = CodePane(shown)
    put(pane)
    assert "torch.relu(linear, dim=1)" in pane.editor.toPlainText()
    assert "6 nodes" in pane.facts.text()
    assert "120.0 ms" in pane.facts.text()
    shown.show_stage("0/0:forward:post")
    assert "aten.addmm.default" in pane.editor.toPlainText()


def test_a_stage_picked_here_is_held(shown, put, qtbot):
    pane = CodePane(shown)
    put(pane)
    pane.picker.setCurrentIndex(pane.picker.findData("0/0:forward:kernels"))
    pane.picker.activated.emit(pane.picker.currentIndex())
    assert not pane.follow.isChecked()
    assert "#pragma omp" in pane.editor.toPlainText()
    shown.show_stage("0/0:joint")
    assert "#pragma omp" in pane.editor.toPlainText()
    pane.follow.click()
    assert "aten.le.Scalar" in pane.editor.toPlainText()


def test_the_kernels_are_counted_in_the_singular_and_the_plural(session, engine, put):
    for most, reported in ((1, "1 kernel"), (2, "All 2 kernels")):
        whole = sample.capture()
        stage = whole.stage("0/0:forward:kernels")
        some = [kernel for kernel in stage.kernels if kernel.source][:1] * most
        kernels = KernelSet(tuple(msgspec.structs.replace(some[0], id=f"cpp_{at}") for at in range(most)))
        fewer = msgspec.structs.replace(stage, content=KernelStage(kernels))
        stages = tuple(fewer if other is stage else other for other in whole.stages)
        session.capture_target(whole.spec)
        engine.last(MakeCapture).reply(CaptureMade(msgspec.structs.replace(whole, stages=stages)))
        session.show_stage(stage.id)
        pane = CodePane(session)
        put(pane)
        assert pane.kernel_picker.itemText(0) == reported


def test_one_kernel_can_be_shown_alone(shown, put):
    shown.show_stage("0/0:forward:kernels")
    pane = CodePane(shown)
    put(pane)
    assert pane.kernel_picker.isVisible()
    assert "library call" in pane.editor.toPlainText()
    pane.kernel_picker.setCurrentIndex(pane.kernel_picker.findData("cpp_fused_relu_0"))
    pane.kernel_picker.activated.emit(pane.kernel_picker.currentIndex())
    assert "library call" not in pane.editor.toPlainText()
    assert "clamp_min" in pane.editor.toPlainText()


def test_a_click_on_a_line_selects_its_node(shown, put, click_line):
    pane = CodePane(shown)
    put(pane)
    click_line(pane.editor, line_with(pane, "relu ="))
    assert shown.selection.pinned == place("0/0:dynamo", "relu")


def test_a_click_in_a_kernel_without_line_links_selects_the_kernel(shown, put, click_line):
    shown.show_stage("0/0:forward:kernels")
    pane = CodePane(shown)
    put(pane)
    click_line(pane.editor, line_with(pane, "clamp_min"))
    assert shown.selection.pinned == place("0/0:forward:kernels", "cpp_fused_relu_0")


def test_the_selection_is_outlined(shown, put):
    pane = CodePane(shown)
    put(pane)
    shown.selection.select(place("source:/home/me/mlp.py", "L13"))
    assert pane.editor.pinned == {line_with(pane, "linear =")}
    shown.selection.hover(place("source:/home/me/mlp.py", "L14"))
    assert pane.editor.hovered == {line_with(pane, "relu =")}


def test_edits_show_at_once(shown, put):
    pane = CodePane(shown)
    put(pane)
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    assert "relu" not in pane.editor.toPlainText().split("def graph")[1].replace("torch.relu(hidden)", "")
    assert "not compiled yet" in pane.facts.text()


def test_copy_takes_the_whole_program(shown, put):
    pane = CodePane(shown)
    put(pane)
    pane.copy.click()
    assert QGuiApplication.clipboard().text() == pane.editor.toPlainText()


def test_an_edit_leaves_the_text_where_it_was_scrolled_to(shown, put):
    pane = CodePane(shown)
    put(pane, 500, 140)
    bar = pane.editor.verticalScrollBar()
    bar.setValue(4)
    shown.make_edit(BypassNode("0/0:dynamo", "relu", "linear"))
    assert bar.value() == min(4, bar.maximum()) > 0


def test_it_shows_the_pass_that_is_looked_at(session, engine, put, qtbot):
    capture = sample.with_passes()
    open_capture(session, capture)
    session.show_stage(sample.POST_GRAD)
    pane = CodePane(session)
    put(pane)
    assert "aten.relu.default" in pane.editor.toPlainText()
    session.passes.go_to(sample.POST_GRAD, 2)
    assert "aten.clamp_min.default" in pane.editor.toPlainText()
    assert "aten.relu.default" not in pane.editor.toPlainText()
    assert pane.facts.text().startswith("after remove_noop_ops · ")
    assert not pane.edit.isEnabled()
    line = line_with(pane, "aten.clamp_min.default")
    pane.editor.line_clicked.emit(line, Qt.KeyboardModifier.NoModifier)
    assert session.selection.pinned == place(sample.POST_GRAD, "clamp_min", after=2)
    assert line in pane.editor.pinned
    session.passes.go_to(sample.POST_GRAD, None)
    assert line_with(pane, "aten.relu.default") in pane.editor.pinned
    assert pane.edit.isEnabled()
