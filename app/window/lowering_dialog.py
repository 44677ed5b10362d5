"""A Triton kernel and what it is lowered to, beside each other: Triton's IRs, LLVM's, PTX and SASS or AMDGCN."""

from PySide6.QtWidgets import QComboBox, QWidget

from app.session.session import Session
from app.window.assembly_dialog import AssemblyDialog
from compiler.model.lowering import FORM_TITLES, LowerAnswer, Lowered, LowerOrder
from compiler.model.problems import Problem

_PREFERRED = ("ptx", "amdgcn")


class LoweringDialog(AssemblyDialog):
    """Fills when the answer comes. Hovering a line on either side shows its counterparts."""

    def __init__(self, name: str, source: str, parent: QWidget | None = None) -> None:
        super().__init__(name, source, parent, language="triton")
        self.setWindowTitle(f"{name}, lowered")
        self.state.setText("Lowering the kernel as Inductor does…")
        self._lowered: Lowered | None = None
        self.form = QComboBox(self)
        self.form.setAccessibleName("Form")
        self.form.currentIndexChanged.connect(self._show_form)
        self.column.insertWidget(1, self.form)

    def take_lowered(self, answer: LowerAnswer | Problem) -> None:
        """Show the forms of its first configuration, or why there are none."""
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.state.setText(answer.message())
            self.code.set_code(answer.detail, "text")
            return
        row = self._lowered = answer.lowered[0]
        self.state.setText(f"{needs(row)} First of {answer.candidates} configurations: {row.configuration}")
        self.form.blockSignals(True)
        for form in row.forms:
            self.form.addItem(FORM_TITLES[form.name], form.name)
        names = [form.name for form in row.forms]
        chosen = next((name for name in _PREFERRED if name in names), names[-1] if names else "")
        self.form.setCurrentIndex(self.form.findData(chosen))
        self.form.blockSignals(False)
        self._show_form()

    def _show_form(self) -> None:
        name = self.form.currentData()
        if self._lowered is not None and name:
            form = next(form for form in self._lowered.forms if form.name == name)
            self.show_code(form.text, dict(form.lines))


def needs(row: Lowered) -> str:
    """What a configuration needs of the GPU, in a sentence."""
    registers = f"{row.registers} registers a thread, " if row.registers is not None else ""
    spilled = {None: "", 0: "nothing spilled, "}.get(
        row.spilled_bytes, f"{row.spilled_bytes} bytes spilled, "
    )
    return (
        f"{registers}{spilled}{row.shared_bytes:,} bytes of shared memory, {row.warps} warps, {row.stages} stage"
        f"{'s' if row.stages != 1 else ''}; lowered in {row.seconds:.1f} s."
    )


def show_lowering(session: Session, name: str, source: str, parent: QWidget) -> None:
    """Ask for the forms and show them."""
    dialog = LoweringDialog(name, source, parent)
    device = session.capture.spec.device if session.capture is not None else None
    session.asking.lowering(LowerOrder(name, source), device, dialog.take_lowered)
    dialog.show()
