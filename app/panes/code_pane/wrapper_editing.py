"""Editing a generated wrapper as text: it has to be Python while one types; what it computes is judged later."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.session.session import Session
from app.widgets.code_editor import CodeEditor
from app.widgets.text_editing_bar import TextEditingBar
from compiler.model.ids import StageId
from compiler.model.loops import WrapperCode
from compiler.model.stage import Stage, WrapperStage
from compiler.model.wrapper_edits import CPP_WRAPPER, ReplaceWrapper, fingerprint, syntax_error


def wrapper_of(stage: Stage) -> WrapperCode | None:
    """The wrapper that a stage holds."""
    return stage.content.code if isinstance(stage.content, WrapperStage) else None


def fault_of(stage: Stage) -> str:
    """Why a stage's wrapper cannot be edited; empty where it can."""
    code = wrapper_of(stage)
    return CPP_WRAPPER if code is not None and code.language != "python" else ""


class WrapperEditing(TextEditingBar):
    """What is typed is the module that torch loads: one edit puts it in the place of the generated one."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(editor, parent)
        self._session, self._on_end = session, ended
        self._stage: StageId = ""
        self._edit: ReplaceWrapper | None = None

    def begin(self, stage: StageId) -> None:
        """Let the text of a wrapper that is on show be changed."""
        self._stage = stage
        self._begin()

    def ended(self) -> None:
        """Show the wrapper again."""
        self._stage = ""
        self._on_end()

    def check(self) -> None:
        """Read the text as it is now and tell what is wrong with it."""
        super().check()
        code = self._code()
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
            self._say(
                "It is Python. When you recompile, it is loaded, run and judged against the graph.", "good"
            )
        elif fault is None:
            self._say(
                "Change what call does; kernels whose source stays are not built again. Undo restores the generated text.",
                "dim_text",
            )

    def apply(self) -> None:
        """Make the edit, if the text is Python."""
        self.check()
        edit = self._edit
        if edit is not None:
            self._end()
            self._session.make_edit(edit)

    def _code(self) -> WrapperCode | None:
        """The wrapper with the edits in force; None where its stage is gone."""
        capture = self._session.capture
        if capture is None or all(stage.id != self._stage for stage in capture.stages):
            return None
        return wrapper_of(self._session.stage_with_edits(self._stage))
