"""A kernel's source beside its instructions."""

from app.window.kernel_forms.disassembly_dialog import AssemblyDialog
from compiler.model.gpu.disassembly import AssemblyListing, Instruction
from compiler.model.ir.diagnostics import Problem


def test_lines_light_up_their_counterparts(qtbot: object) -> None:
    dialog = AssemblyDialog("cpp_fused_mul_0", "one\ntwo\nthree\n")
    rows = (
        Instruction("kernel:"),
        Instruction("    0  xor %eax,%eax", 1),
        Instruction("    2  vmulps %zmm0,%zmm0,%zmm0", 2, 512),
        Instruction("    8  vmovups %zmm0,(%rax)", 2, 512),
    )
    dialog.take(AssemblyListing(rows, "g++ -O3 kernel.cpp", 1.25))
    dialog.show()
    assert dialog.state.text().startswith("3 instructions, 2 of them on vectors")
    dialog.source.line_hovered.emit(2)
    assert dialog.code.pinned == {3, 4}
    dialog.code.line_hovered.emit(2)
    assert dialog.source.pinned == {1}
    assert dialog.code.stripes_on(3)
    assert not dialog.code.stripes_on(2)
    dialog.close()


def test_why_there_are_none_is_reported(qtbot: object) -> None:
    dialog = AssemblyDialog("cpp_fused_mul_0", "one\n")
    dialog.take(Problem("There is no objdump.", "Install binutils."))
    assert dialog.state.text() == "There is no objdump. Install binutils."
    dialog.close()
    dialog.take(Problem("later"))
    dialog.deleteLater()
