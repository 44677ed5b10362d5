"""Of which nodes a line has its colour."""

from app.linked_text.shown_program import ShownProgram
from compiler.analysis.text_format.printer import CodeText
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import FxStage, LoweredStage, Stage, StageKind

CODE = CodeText("a\nb\nc", "python", (("kernel", "kernel:L3"), ("kernel",), ()))


def test_a_line_has_the_colour_of_the_most_exact_first() -> None:
    shown = ShownProgram(Stage("g", StageKind.JOINT_GRAPH, "Joint", FxStage(Graph(()))), CODE)
    assert list(shown.colored_by()) == [("kernel:L3", "kernel"), ("kernel",), ()]


def test_below_a_kernel_only_what_a_line_was_made_of_colours_it() -> None:
    shown = ShownProgram(Stage("k", StageKind.PTX, "PTX", LoweredStage(())), CODE)
    assert list(shown.colored_by()) == [("kernel:L3",), (), ()]
