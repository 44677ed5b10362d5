"""Editing a generated wrapper as text: it has to be Python while one types; what it computes is judged later."""

from app.panes.code_pane.stage_text_editing import StageTextEditing
from app.translation.texts import tr
from compiler.model.edits.wrapper_edits import CPP_WRAPPER, ReplaceWrapper, fingerprint, syntax_error
from compiler.model.ir.loop_ir import WrapperCode
from compiler.model.ir.stage import Stage, WrapperStage


def wrapper_of(stage: Stage) -> WrapperCode | None:
    """The wrapper that a stage holds."""
    return stage.content.code if isinstance(stage.content, WrapperStage) else None


def fault_of(stage: Stage) -> str:
    """Why a stage's wrapper cannot be edited; empty where it can."""
    code = wrapper_of(stage)
    return CPP_WRAPPER if code is not None and code.language != "python" else ""


class WrapperEditing(StageTextEditing):
    """What is typed is the module that torch loads: one edit puts it in the place of the generated one."""

    def check(self) -> None:
        """Read the text as it is now and say what is wrong with it."""
        super().check()
        stage = self._edited_stage()
        code = wrapper_of(stage) if stage is not None else None
        if code is None:
            self._end()
            return
        text = self._editor.toPlainText()
        fault, self._edit = syntax_error(text), None
        if fault is None and text.rstrip("\n") != code.text.rstrip("\n"):
            self._edit = ReplaceWrapper(self._stage, text, code.base or fingerprint(code.text))
        self.apply_button.setEnabled(self._edit is not None)
        self._show_faults([(fault[0], 0, fault[1])] if fault is not None else [])
        if self._edit is not None:
            self.state.say(
                tr("It is Python. When you recompile, it is loaded, run and judged against the graph."),
                "good",
            )
        elif fault is None:
            self.state.say(
                tr(
                    "Change what call does; kernels whose source stays are not built again. Undo restores the generated text."
                ),
                "dim_text",
            )
