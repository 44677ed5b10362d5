"""Triton kernels below their source."""

import msgspec
import pytest

from app.panes.code_pane import CodePane
from app.panes.lowering_pane import LoweringPane
from app.session.facade.session import Session
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.gpu.lowered_stages import with_lowered
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerAnswer, LowerKernels
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile, Recompiled
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.opened_capture import open_capture
from tests.helpers.sample_capture import DYNAMO, KERNELS
from tests.helpers.table_reader import seen_rows
from tests.helpers.triton_capture import RELU_LINE, SOURCE, TRITON, answer, triton_capture, with_source

PTX = "0/0:forward:ptx"


@pytest.fixture
def gpu(session: Session, engine: FakeEngine) -> Session:
    return open_capture(session, triton_capture())


@pytest.fixture
def pane(gpu: Session, put) -> LoweringPane:
    made = LoweringPane(gpu)
    put(made, 1000, 300)
    return made


def cells(pane: LoweringPane) -> list[str]:
    return seen_rows(pane.list)[0].texts()


def test_without_triton_kernels_it_says_what_would_be_here(open_session, put):
    pane = LoweringPane(open_session)
    put(pane)
    assert pane.empty.isVisible()


def test_a_kernel_is_lowered_on_demand_and_kept_with_the_capture(pane, gpu, engine):
    assert (cells(pane)[0], cells(pane)[-1]) == ("relu+mul · model.py:6 +1", "not lowered yet")
    assert TRITON in seen_rows(pane.list)[0].tooltip(0)
    pane.one.click()
    asked = engine.last(LowerKernels)
    assert [order.name for order in asked.body.orders] == [TRITON]
    assert asked.body.device.id == "h100"
    assert cells(pane)[-1] == "being lowered…"
    assert not pane.one.isEnabled()
    pane.cancel.click()
    assert engine.cancelled == 1
    asked.reply(KernelsLowered((answer(registers=128),)))
    assert cells(pane)[1:] == ["128", "0 B", "0 B", "25%", "registers", "XBLOCK 256 · 4 warps · 1 stage"]
    assert not pane.forms["ptx"].isHidden()
    assert pane.forms["amdgcn"].isHidden()
    assert [stage.id for stage in gpu.capture.stages][-2:] == [PTX, "0/0:forward:sass"]
    assert gpu.captures == (gpu.capture,)


def test_a_line_of_ptx_lights_up_the_kernel_the_graph_and_python(pane, gpu, engine, put, click_line):
    pane.one.click()
    engine.last(LowerKernels).reply(KernelsLowered((answer(),)))
    code = CodePane(gpu)
    put(code)
    pane.forms["ptx"].click()
    assert gpu.stage.id == PTX
    assert code.stage_id == PTX
    assert "lines" in code.facts.text()
    text = code.editor.toPlainText().split("\n")
    click_line(code.editor, text.index("\tmax.f32 \t%r2, %r1, 0f00000000;") + 1)
    assert gpu.selection.pinned == place(PTX, f"{TRITON}:L3")
    assert f"{TRITON}:L{RELU_LINE}" in gpu.selection.pinned_in(KERNELS)
    assert gpu.selection.pinned_in(DYNAMO) == {"z"}
    gpu.selection.select(place(DYNAMO, "mul"))
    assert f"{TRITON}:L4" in gpu.selection.pinned_in(PTX)


def test_why_a_kernel_cannot_be_lowered_is_a_problem(pane, gpu, engine):
    pane.all.click()
    fault = Problem("Triton cannot compile it.", "Look at the detail.")
    engine.last(LowerKernels).reply(KernelsLowered((LowerAnswer(TRITON, problem=fault),)))
    assert fault in gpu.problems
    assert cells(pane)[-1] == "Triton cannot compile it."
    assert pane.one.isEnabled()


def test_an_answer_for_a_capture_that_is_no_longer_open_is_nobodys(pane, gpu, engine):
    pane.one.click()
    asked = engine.last(LowerKernels)
    gpu.capture_target(triton_capture().spec)
    other = engine.last(MakeCapture)
    other.reply(CaptureMade(with_lowered(triton_capture(), ())))
    asked.fail("Cancelled.")
    assert not gpu.capture.lowered
    assert not gpu.lowering.asking


def test_assembly_is_brought_to_the_front_once_it_is_there(pane, gpu, engine):
    gpu.lowering.show(TRITON)
    engine.last(LowerKernels).reply(KernelsLowered((answer(),)))
    assert gpu.stage.id == PTX
    assert not gpu.lowering.wanted


def test_an_edit_of_a_kernel_is_lowered_at_once_and_set_beside_what_it_was(pane, gpu, engine, qtbot):
    pane.one.click()
    engine.last(LowerKernels).reply(KernelsLowered((answer(registers=16),)))
    edited = SOURCE.replace("2.0", "3.0")
    gpu.make_edit(ReplaceKernel(KERNELS, TRITON, edited))
    qtbot.waitUntil(lambda: engine.count(Recompile) == 1)
    new = with_lowered(with_source(triton_capture(), edited), (answer(registers=40),))
    engine.last(Recompile).reply(
        Recompiled(msgspec.structs.replace(new, id="capture-2", parent="capture-1"), None)
    )
    assert cells(pane)[1] == "16 → 40"
    rows = {row.text(0): row for row in seen_rows(pane.needs)}
    assert (rows["Registers a thread"].text(1), rows["Registers a thread"].text(2)) == ("16", "40")
    gpu.undo()
    assert gpu.capture.id == "capture-1"
    assert cells(pane)[1] == "16"
    assert not gpu.has_uncompiled_edits
    gpu.redo()
    assert gpu.capture.id == "capture-2"
    assert engine.count(Recompile) == 1


def test_what_was_not_known_before_an_edit_is_lowered_for_the_comparison(pane, gpu, engine, qtbot):
    edited = SOURCE.replace("2.0", "3.0")
    gpu.make_edit(ReplaceKernel(KERNELS, TRITON, edited))
    qtbot.waitUntil(lambda: engine.count(Recompile) == 1)
    new = with_lowered(with_source(triton_capture(), edited), (answer(registers=40),))
    engine.last(Recompile).reply(
        Recompiled(msgspec.structs.replace(new, id="capture-2", parent="capture-1"), None)
    )
    asked = engine.last(LowerKernels)
    assert asked.body.orders[0].source == SOURCE
    asked.reply(KernelsLowered((answer(registers=16),)))
    assert cells(pane)[1] == "16 → 40"
    assert gpu.capture.id == "capture-2"
