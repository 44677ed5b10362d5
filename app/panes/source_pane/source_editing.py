"""Editing the user's program in its pane: on a copy, which is tried beside the program as it is or captured at once."""

import ast
import difflib
from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QWidget

from app.session.facade.session import Session
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.text_editing_bar import TextEditingBar
from compiler.analysis.remedies import Remedy
from compiler.model.graph_breaks.remedy import replace_source, text_of


class SourceEditing(TextEditingBar):
    """The file on disk stays as it is until the person asks for it to be written, in the pane *Try a change*."""

    def __init__(
        self, session: Session, editor: CodeEditor, ended: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(editor, parent)
        self._session = session
        self._path = ""
        self._on_end = ended
        self.apply_button.setText(tr("Capture"))
        self.apply_button.setToolTip(
            tr("Capture the program with this text (Ctrl+Enter); the file stays as it is")
        )
        self.try_button = QPushButton(tr("Try"), self)
        self.try_button.setToolTip(
            tr("Capture it on a copy, beside the program as it is: breaks, results, times")
        )
        self.buttons.insertWidget(1, self.try_button)
        self.try_button.clicked.connect(self.try_it)

    def begin(self, path: str) -> None:
        """Let the text of a file that is on show be changed."""
        self._path = path
        self._begin()

    def ended(self) -> None:
        """Show what was captured."""
        self._on_end()

    def check(self) -> None:
        """Whether the text is Python, and another one than before. Nothing of it is run here."""
        super().check()
        text, before = self._editor.toPlainText(), self._before()
        fault = _fault(text)
        changed = _lines_changed(before, text)
        self._show_faults([fault] if fault else [])
        for button in (self.apply_button, self.try_button):
            button.setEnabled(fault is None and changed > 0)
        if fault is None and changed:
            self.state.say(
                tr("%n line(s) changed. The file on disk stays as it is.", None, changed),
                "good",
            )
        elif fault is None:
            self.state.say(
                tr("Change the program; it is captured with your text, the file on disk stays as it is."),
                "dim_text",
            )

    def apply(self) -> None:
        """Capture the program with the text."""
        if self._choose():
            self._session.trials.keep()

    def try_it(self) -> None:
        """Capture a copy with the text, beside the program as it is."""
        if self._choose():
            self._session.trials.start()

    def _choose(self) -> bool:
        self.check()
        capture, text = self._session.capture, self._editor.toPlainText()
        if capture is None or not self.apply_button.isEnabled():
            return False
        changed = _lines_changed(self._before(), text)
        title = f"{changed} line{'' if changed == 1 else 's'} of {self._path.rpartition('/')[2]} edited"
        remedy = Remedy(
            title, "As typed in the source pane.", replace_source(capture, self._path, text, title)
        )
        self._end()
        self._session.trials.choose(remedy)
        return True

    def _before(self) -> str:
        capture = self._session.capture
        return (text_of(capture, self._path) or "") if capture is not None else ""


def _fault(text: str) -> tuple[int, int, str] | None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 1, max((error.offset or 1) - 1, 0), error.msg or tr("This is not Python.")
    except ValueError as error:
        return 1, 0, str(error)
    return None


def _lines_changed(before: str, after: str) -> int:
    """Lines that are new or other ones, or, where lines are only gone, how many."""
    matcher = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    return sum(max(b - a, d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")
