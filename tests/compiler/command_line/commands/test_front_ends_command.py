"""What is said of front ends below their table can be read, however many inputs show the same."""

from compiler.command_line.commands.front_ends_command import _remarks
from compiler.model.front_end_comparison.front_end_matrix import EXAMPLE, FrontEndCell, Judgement, Outcome
from compiler.model.ir.diagnostics import Problem


def test_what_was_given_is_reported_in_full_and_the_rest_by_name() -> None:
    found = [
        Judgement(f"x × {number}", Outcome.WRONG, f"result 0: {number}", found=True) for number in range(9)
    ]
    given = [Judgement(EXAMPLE, Outcome.SAME), Judgement("mine", Outcome.WRONG, "result 0: 7")]
    refused = Judgement("x of shape [3]", Outcome.REFUSED, "RuntimeError: no", found=True)
    cell = FrontEndCell("jit.trace", judgements=(*found[:5], refused, *given, *found[5:]))
    lines = _remarks([cell])[4:]
    assert lines == [
        "  WRONG: x × 0: result 0: 0",
        "  WRONG: x × 1: result 0: 1",
        "  WRONG: x × 2: result 0: 2",
        "  WRONG: mine: result 0: 7",
        "  WRONG, for 6 more: x × 3, x × 4, x × 5, x × 6, x × 7, x × 8",
        "  REFUSED: x of shape [3]: RuntimeError: no",
    ]


def test_what_fails_alike_in_all_is_said_once() -> None:
    problem = Problem("Could not load a.py: ModuleNotFoundError: No module named 'b'.", "Install 'b'.")
    lines = _remarks([FrontEndCell(name, problem) for name in ("eager", "fx", "make_fx")])
    assert lines[2:] == ["", "Eager, torch.fx.symbolic_trace, make_fx:", f"  {problem.message()}"]


def test_lost_gradients_are_folded_too() -> None:
    lost = tuple(
        Judgement(f"x × {number}", Outcome.SAME, no_gradients=True, found=True) for number in range(5)
    )
    lines = _remarks([FrontEndCell("jit.trace", judgements=lost)])[4:]
    label = "  NO GRADIENTS, where the program has some"
    assert lines == [
        f"{label}: x × 0",
        f"{label}: x × 1",
        f"{label}: x × 2",
        f"{label}, for 2 more: x × 3, x × 4",
    ]
