"""Whether a step of the program gives right results, however its graphs are run: the question that every trial is asked."""

import math
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.accuracy.eager_reference import Reference, eager_reference
from compiler.engine.accuracy.tolerance import differences, near_eager
from compiler.engine.errors import EngineError, failure_from
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import edited_graphs_reference, graphs_reference
from compiler.model.edits.edits import Edit
from compiler.model.experiments.causes import EAGER, EXPRESSION, FLOAT64


class Judged:
    """One run."""

    def __init__(self, wrong: bool, off: float | None, tensor: str = "") -> None:
        self.wrong = wrong
        self.off = off
        """The largest error over the largest value of its tensor."""
        self.tensor = tensor


class RightResults:
    """What is right for one input of the program."""

    def __init__(
        self, program: EditedProgram, edits: tuple[Edit, ...], against: str, expression: str = ""
    ) -> None:
        """Runs eager and, where that is asked for, float64. Raises EngineError where nothing can be judged."""
        self._program = program
        self._against = against
        self._expression = _compiled(expression) if against == EXPRESSION else None
        self._reference = _reference(program, edits)
        why = self._reference.why_not
        if against not in (EAGER, EXPRESSION) and (self._reference.exact is None or why):
            what = f"The results cannot be judged by float64: {why or 'the program cannot run in it'}."
            remedy = "Judge against eager (--against eager), or say what is right (--check)."
            raise EngineError(what, remedy)

    @property
    def eager(self) -> Results:
        """What the program gives by itself."""
        return self._reference.eager

    @property
    def eager_off(self) -> float | None:
        """How far eager itself is from float64."""
        exact = self._reference.exact
        rows = differences(self._reference.eager, exact) if exact is not None else ()
        return max((row.max_relative for row in rows), default=None)

    def step(self) -> Judged:
        """Run the program as its graphs are now."""
        base = self._program.base
        return self.judge(base.stepper.compared_step(base.compiled))

    def judge(self, results: Results) -> Judged:
        """Results of a step."""
        reference = self._reference
        if self._expression is not None:
            return Judged(not _says(self._expression, results), None)
        if self._against == EAGER or reference.exact is None:
            worst = max(differences(results, reference.eager), key=lambda row: row.max_relative, default=None)
            wrong = any(
                (found := results.get(name)) is None or not _near(found, eager)
                for name, eager in reference.eager.tensors.items()
            )
        else:
            row = reference.judge("", results, "")
            worst, wrong = row.worst, row.agrees is False
        if worst is None:
            return Judged(wrong, None)
        return Judged(wrong, worst.max_relative if math.isfinite(worst.max_relative) else None, worst.tensor)


def _reference(program: EditedProgram, edits: tuple[Edit, ...]) -> Reference:
    if edits:
        return edited_graphs_reference(program, edits)
    whole = eager_reference(program.base.program, program.base.stepper)
    return whole if whole.exact is not None else graphs_reference(program) or whole


def _near(found: torch.Tensor, eager: torch.Tensor) -> bool:
    return found.shape == eager.shape and found.dtype == eager.dtype and near_eager(found, eager)


def _compiled(expression: str) -> Any:
    try:
        return compile(expression, "<check>", "eval")
    except (SyntaxError, ValueError) as error:
        raise failure_from(error, "The check is no expression", "Write Python.") from error


def _says(expression: Any, results: Results) -> bool:
    tensors = results.tensors
    names = {
        "torch": torch,
        "results": tensors,
        "outputs": [value for name, value in tensors.items() if name.startswith(("output ", "value "))],
        "grads": {
            name.removeprefix("grad of "): value for name, value in tensors.items() if name.startswith("grad")
        },
    }
    try:
        return bool(eval(expression, names))
    except Exception as error:
        raise failure_from(
            error, "The check could not be worked out", "Names are outputs, grads, results, torch."
        ) from error


def still_right(program: EditedProgram, edits: tuple[Edit, ...], step: Callable[[], Results]) -> bool | None:
    """Whether the program's step, run otherwise, gives right results; None where it draws, so that it cannot be judged."""
    if program.base.graphs_that_draw():
        return None
    try:
        right = RightResults(program, edits, FLOAT64)
    except EngineError:
        right = RightResults(program, edits, EAGER)
    return not right.judge(step()).wrong


def first_wrong(count: int, wrong: Callable[[int], bool | None]) -> tuple[int, int]:
    """(n, m): with n of `count` things the results are right, with m wrong, and m - n is 1 unless what lies between could not
    be tried. With none they are right, with all wrong; that is the caller's to know.
    """
    right, bad = 0, count
    skipped: set[int] = set()
    while True:
        between = [number for number in range(right + 1, bad) if number not in skipped]
        if not between:
            return right, bad
        middle = between[len(between) // 2]
        answer = wrong(middle)
        if answer is None:
            skipped.add(middle)
        elif answer:
            bad = middle
        else:
            right = middle
