"""The Python that torch.fx generated, changed in the code pane."""

import msgspec

from app.panes.code_pane import CodePane
from compiler.model.capture.front_ends import FX_CODE
from compiler.model.edits.edits import ReplaceText
from compiler.model.edits.text_edits import fingerprint
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import place
from compiler.model.ir.stage import Stage, StageKind, TextStage
from compiler.model.protocol.messages import CaptureMade, MakeCapture, Recompile


def test_the_text_that_was_typed_is_an_edit_like_any_other(session, engine, capture, put):
    text = "def forward(self, x):\n    return x\n"
    stage = Stage(FX_CODE, StageKind.FRONT_END_TEXT, "Generated Python", TextStage(text, "python"), "fx")
    spec = msgspec.structs.replace(capture.spec, front_end="fx")
    traced = msgspec.structs.replace(capture, id="c7", spec=spec, stages=(*capture.stages, stage))
    session.capture_target(spec)
    engine.last(MakeCapture).reply(CaptureMade(traced))
    pane = CodePane(session)
    put(pane, 500, 400)
    session.show_stage(FX_CODE)
    pane.edit.click()
    assert pane.texts.active
    assert not pane.texts.apply_button.isEnabled()
    pane.editor.setPlainText("def forward(self, x:\n")
    pane.texts.check()
    assert "Line 1" in pane.texts.state.text()
    pane.editor.setPlainText("def forward(self, x):\n    return -x\n")
    pane.texts.apply()
    assert not pane.texts.active
    (edit,) = session.edits
    assert edit == ReplaceText(FX_CODE, "def forward(self, x):\n    return -x\n", fingerprint(text))
    assert "return -x" in pane.editor.toPlainText()
    assert session.has_uncompiled_edits
    session.recompile()
    asked = engine.last(Recompile).body
    assert asked.edits == (edit,)
    fault = Problem("It is wrong (line 2).", place=place(FX_CODE, "L2"))
    engine.last(Recompile).fail(fault)
    assert session.problems_at(FX_CODE, "L2") == (fault,)
    session.undo()
    assert pane.editor.toPlainText() == text
    assert not session.has_uncompiled_edits
