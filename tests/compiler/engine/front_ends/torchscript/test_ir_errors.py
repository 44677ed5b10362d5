"""What torch says of a wrong TorchScript text, in plain words and on its line."""

import pytest
import torch

from compiler.engine.front_ends.torchscript.ir_errors import problem_of
from compiler.engine.torch_internals.torchscript.script_text_running import function_of
from compiler.model.ir.diagnostics import Problem

pytestmark = pytest.mark.engine

HEAD = "graph(%x : Tensor):\n"


def problem_with(text: str) -> Problem:
    with pytest.raises(RuntimeError) as caught:
        function_of(text)[0](torch.ones(2, 3))
    return problem_of(caught.value, text)


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (HEAD + "  %y : Tensor = aten::nope(%x)\n  return (%y)", "no operator aten::nope", 2),
        (HEAD + "  %y : Tensor = aten::add(%x)\n  return (%y)", "aten::add does not take these arguments", 2),
        (HEAD + "  return (%z)", "Cannot find a variable with name 'z'", 2),
        (HEAD + "  %y : int = aten::mm(%x, %x)\n  return (%y)", "Annotated type int does not match", 2),
        ("graph(%x : Foo):\n  return (%x)", "unknown type specifier", 1),
        ("graph(", "expected % but found 'eof'", 1),
        (HEAD + "  %y : Tensor = aten::mm(%x, %x)\n  return (%y)", "mat1 and mat2 shapes cannot be", 2),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(text: str, words: str, line: int):
    problem = problem_with(text)
    assert words.lower() in problem.what.lower()
    assert problem.line == line
    assert "INTERNAL ASSERT" not in problem.what


class _Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        return x * 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_function_in_python_is_named():
    """Whose text torch writes and does not read: a program that nobody changed was answered `Change the text`."""
    text = str(torch.jit.trace(lambda x: _Doubled.apply(x) + 1, (torch.ones(2, 3),), check_trace=False).graph)
    problem = problem_with(text)
    assert problem.what.startswith("_Doubled is a torch.autograd.Function")
    assert problem.line is not None
    assert "^_Doubled" in text.split("\n")[problem.line - 1]


def test_the_line_is_that_of_the_second_of_two_equal_ones():
    text = HEAD + "  %a : Tensor = aten::relu(%x)\n  %b : Tensor = aten::tanh(%a)\n  return (%c)"
    assert problem_with(text).line == 4
