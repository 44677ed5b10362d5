"""A kernel's source and the instructions made of it, beside each other: hovering a line shows its counterparts."""

from PySide6.QtWidgets import QWidget

from app.theme import current
from app.translation.texts import tr
from app.widgets.code_editor import CodeEditor
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column, split_of
from compiler.model.gpu.disassembly import AssemblyListing
from compiler.model.ir.diagnostics import Problem

_SIZE = (1180, 720)


class AssemblyDialog(FormDialog):
    """Fills when the answer comes; stays open beside the window. Lines with vector instructions have a stripe."""

    def __init__(self, name: str, source: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Assembly of {name}").format(name=name), parent)
        self.resize(*_SIZE)
        self._by_source: dict[int, list[int]] = {}
        self._by_code: dict[int, int] = {}
        self.state = WrappedLabel(tr("Compiling the kernel as Inductor does…"), self)
        self.source, self.code = CodeEditor(self), CodeEditor(self)
        self.source.set_code(source, "cpp")
        split = split_of(self.source, self.code, parent=self)
        set_column(self, self.state, (split, 1))
        self.source.line_hovered.connect(self._from_source)
        self.code.line_hovered.connect(self._from_code)
        self.source.line_clicked.connect(lambda line, _: self._from_source(line, go=True))
        self.code.line_clicked.connect(lambda line, _: self._from_code(line, go=True))

    def take(self, answer: AssemblyListing | Problem) -> None:
        """Show the instructions, or why there are none."""
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.state.setText(answer.message())
            return
        colors = current.colors()
        total, vectors = answer.counted
        self.state.setText(
            tr(
                "{total} instructions, {vectors} of them on vectors (striped). Compiled in "
                "{seconds:.1f} s with the command that Inductor uses; a line is what the compiler's "
                "debug information says."
            ).format(total=total, vectors=vectors, seconds=answer.seconds)
        )
        self.state.setToolTip(answer.command)
        self._show_code(
            "\n".join(row.text for row in answer.instructions),
            {number: row.line for number, row in enumerate(answer.instructions, 1) if row.line is not None},
        )
        wide = {number for number, row in enumerate(answer.instructions, 1) if row.bits}
        self.code.set_stripes(dict.fromkeys(wide, (colors.fused,)))
        self.source.set_stripes(
            {self._by_code[number]: (colors.fused,) for number in wide if number in self._by_code}
        )
        self.code.set_tooltips(
            lambda number: (
                tr("{bits}-bit vectors").format(bits=answer.instructions[number - 1].bits)
                if number in wide
                else ""
            )
        )

    def _show_code(self, text: str, lines: dict[int, int]) -> None:
        """Show instructions; `lines` leads from their lines to the source's."""
        self.code.set_code(text, "asm")
        self._by_code, self._by_source = lines, {}
        for number, line in lines.items():
            self._by_source.setdefault(line, []).append(number)

    def _from_source(self, line: int, go: bool = False) -> None:
        numbers = self._by_source.get(line, [])
        self._outline(line, numbers)
        if go and numbers:
            self.code.show_line(numbers[0])

    def _from_code(self, number: int, go: bool = False) -> None:
        line = self._by_code.get(number, 0)
        self._outline(line, self._by_source.get(line, []))
        if go and line:
            self.source.show_line(line)

    def _outline(self, line: int, numbers: list[int]) -> None:
        self.source.set_outlined({line} if line else (), ())
        self.code.set_outlined(set(numbers), ())
