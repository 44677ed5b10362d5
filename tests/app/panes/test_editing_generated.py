"""The Python that torch.fx generated, changed and run from the code pane."""

import msgspec

from app.panes.code_pane import CodePane
from compiler.model.front_ends import FX_CODE
from compiler.model.messages import CaptureMade, MakeCapture
from compiler.model.stage import Stage, StageKind, TextStage


def test_the_text_that_was_typed_is_captured(session, engine, capture, put):
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
    assert pane.generated.active
    assert not pane.generated.apply_button.isEnabled()
    pane.editor.setPlainText("def forward(self, x:\n")
    pane.generated.check()
    assert "Line 1" in pane.generated.state.text()
    pane.editor.setPlainText("def forward(self, x):\n    return -x\n")
    pane.generated.apply()
    asked = engine.last(MakeCapture).body
    assert isinstance(asked, MakeCapture)
    assert asked.spec.generated == "def forward(self, x):\n    return -x\n"
    assert not pane.generated.active
