"""Editing a text that another front end made and that can be run: torch.fx's Python, TorchScript's IR."""

import ast

from app.panes.code_pane.stage_text_editing import StageTextEditing
from app.translation.texts import tr, tr_noop
from compiler.model.edits.text_edits import ReplaceText, fingerprint
from compiler.model.ir.stage import TextStage

_SAID = {
    "python": (
        tr_noop("It is Python. When you recompile, it is traced again, run and judged."),
        tr_noop("Change what forward does; self.… are the program's own modules and parameters."),
    ),
    "torchscript": (
        tr_noop("When you recompile, it is read, run on the example and compared with the program."),
        tr_noop(
            "Change the IR; the weights are its last inputs. Faults are told with their line when it is recompiled."
        ),
    ),
}
"""By language: what is said of a changed text, and of one that is not."""


class FrontEndTextEditing(StageTextEditing):
    """What is typed takes the place of the text: one edit."""

    def check(self) -> None:
        """Read the text as it is now and say what is wrong with it."""
        super().check()
        stage = self._edited_stage()
        content = stage.content if stage is not None else None
        if not isinstance(content, TextStage):
            self._end()
            return
        text, self._edit = self._editor.toPlainText(), None
        faults = _faults(text) if content.language == "python" else []
        if not faults and text.strip() and text.strip() != content.text.strip():
            self._edit = ReplaceText(self._stage, text, content.base or fingerprint(content.text))
        self.apply_button.setEnabled(self._edit is not None)
        self._show_faults(faults)
        changed, same = _SAID["python" if content.language == "python" else "torchscript"]
        if not faults:
            words, color = (changed, "good") if self._edit is not None else (same, "dim_text")
            self.state.say(tr(words), color)


def _faults(text: str) -> list[tuple[int, int, str]]:
    try:
        parsed = ast.parse(text)
    except SyntaxError as error:
        return [(error.lineno or 1, (error.offset or 1) - 1, error.msg)]
    names = [item.name for item in parsed.body if isinstance(item, ast.FunctionDef)]
    return [] if "forward" in names else [(1, 0, tr("it must define forward(self, …)"))]
