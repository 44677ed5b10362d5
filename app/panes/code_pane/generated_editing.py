"""Editing the Python that torch.fx generated: it is traced again and run beside the program."""

import ast

import msgspec

from app.panes.code_pane.stage_text_editing import StageTextEditing
from compiler.model.stage import Stage, TextStage


def generated_text(stage: Stage) -> str:
    """What a stage holds as text."""
    return stage.content.text if isinstance(stage.content, TextStage) else ""


class GeneratedEditing(StageTextEditing):
    """What is typed takes the place of the generated Python: the program is captured again with it."""

    def check(self) -> None:
        """Read the text as it is now and tell what is wrong with it."""
        super().check()
        stage = self._edited_stage()
        if stage is None:
            self._end()
            return
        text = self._editor.toPlainText()
        faults = _faults(text)
        changed = text.strip() != generated_text(stage).strip()
        self.apply_button.setText("Run")
        self.apply_button.setToolTip("Make a GraphModule of it, run it, and compare (Ctrl+Enter)")
        self.apply_button.setEnabled(changed and not faults)
        self._show_faults(faults)
        if not faults:
            self._say(
                "It is Python. Run makes a GraphModule of it and compares its result with the program's."
                if changed
                else "Change what forward does; self.… are the program's own modules and parameters.",
                "good" if changed else "dim_text",
            )

    def apply(self) -> None:
        """Capture with this text, if it is Python."""
        self.check()
        capture, text = self._session.capture, self._editor.toPlainText()
        if self.apply_button.isEnabled() and capture is not None:
            self._end()
            self._session.capture_target(msgspec.structs.replace(capture.spec, generated=text))


def _faults(text: str) -> list[tuple[int, int, str]]:
    try:
        parsed = ast.parse(text)
    except SyntaxError as error:
        return [(error.lineno or 1, (error.offset or 1) - 1, error.msg)]
    names = [item.name for item in parsed.body if isinstance(item, ast.FunctionDef)]
    return [] if "forward" in names else [(1, 0, "it must define forward(self, …)")]
