"""Editing the source of a generated kernel."""

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.code_editor import CodeEditor
from app.widgets.form_dialog import FormDialog
from app.widgets.gutter_marks import GutterMark
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import StageId, line_of

_SIZE = (900, 640)
_BUILT = tr_noop(
    "The edit takes effect when you recompile: only this kernel is built again, run and judged against the graph. "
    "Undo restores the generated source."
)
_LOWERED = tr_noop(
    "The kernel is lowered again at once; what it needs then stands beside what it needed in GPU kernels. Nothing is run: "
    "whether it still computes the same is not judged. Undo restores the generated source."
)


def kernel_errors(problems: tuple[Problem, ...], stage: StageId, kernel: str) -> dict[int, str]:
    """What a compiler said of a kernel, by line of its source; the newest of each line."""
    found = {}
    for problem in problems:
        if problem.place is not None and problem.place.stage == stage:
            for node in problem.place.nodes:
                line = line_of(node)
                if line is not None and node.rpartition(":")[0] == kernel:
                    found[line] = problem.what
    return found


class KernelDialog(FormDialog):
    """The source, to be changed freely; nothing is built before it is recompiled."""

    def __init__(
        self,
        name: str,
        source: str,
        language: str,
        errors: dict[int, str],
        then: Callable[[str], None],
        parent: QWidget | None = None,
        lowered: bool = False,
    ) -> None:
        """`lowered`: it is for an absent GPU, so that it is lowered and not run."""
        super().__init__(tr("Edit {name}").format(name=name), parent)
        self.resize(*_SIZE)
        self._source = source
        self._then = then
        self.editor = CodeEditor(self)
        self.editor.set_code(source, language)
        self.editor.set_editable(True)
        self.editor.set_marks(
            [GutterMark(line, "stop", current.colors().error, text) for line, text in errors.items()]
        )
        note = WrappedLabel(tr(_LOWERED) if lowered else tr(_BUILT), self)
        self._add_buttons(tr("Make the edit"))
        column = QVBoxLayout(self)
        column.addWidget(note)
        for line, text in errors.items():
            reported = WrappedLabel(tr("Line {line}: {text}").format(line=line, text=text), self)
            reported.setStyleSheet(f"color: {current.colors().error}")
            column.addWidget(reported)
        column.addWidget(self.editor, 1)
        column.addWidget(self.buttons)
        self.editor.textChanged.connect(self._update)
        self._update()
        if errors:
            self.editor.go_to_line(min(errors))
        self.editor.setFocus()

    def _update(self) -> None:
        self.apply_button.setEnabled(self.editor.toPlainText() != self._source)

    def _accept(self) -> None:
        text = self.editor.toPlainText()
        self.accept()
        self._then(text)
