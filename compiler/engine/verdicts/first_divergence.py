"""Where compiled code and its graph part: both are run node by node, and the first result that differs is named."""

from collections.abc import Iterator
from typing import Any

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import unseen_graphs, why_unseen
from compiler.engine.stage_ids import split
from compiler.engine.user_program.stepper import Results
from compiler.engine.verdicts.reference_runs import node_results
from compiler.engine.verdicts.seen_graphs import SeenGraph, run_and_see
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import place


def first_differences(program: EditedProgram, edits: tuple[Edit, ...]) -> tuple[Problem, ...]:
    """For each compiled graph whose kernels do not do what its post-grad graph says: the first node that differs, in the
    order of the graph. Only results that stand in a buffer are seen; what is fused into a kernel is not.
    """
    try:
        seen = run_and_see(program, edits)
        found = [_first(item, item.inputs) for item in seen if item.inputs is not None]
        ran = {split(item.stage)[0] for item in seen if item.inputs is not None}
        unseen = unseen_graphs(program, edits, ran) & {split(item.stage)[0] for item in seen}
        return (*(problem for problem in found if problem is not None), *_not_seen(unseen))
    except Exception as error:  # noqa: BLE001  whatever runs here is the edited program, which is known to be wrong
        what = f"Which result differs first could not be found: {type(error).__name__}: {error}"
        return (Problem(what, severity=Severity.NOTE),)


def _not_seen(graphs: set[str]) -> Iterator[Problem]:
    if graphs:
        yield Problem(
            f"Which result differs first can't be told: {why_unseen(graphs)}.", severity=Severity.NOTE
        )


def _first(item: SeenGraph, inputs: list[Any]) -> Problem | None:
    """The first node in the graph's order whose buffer is farther from float64 than running it op by op explains."""
    buffers = item.buffers()
    narrow, wide = (node_results(item.module, inputs, wide=way) for way in (False, True))
    for name in narrow:
        got, near, exact = buffers.get(name), narrow[name], wide.get(name)
        if got is None or exact is None or not (got.value.shape == near.shape == exact.shape):
            continue
        row = judge("", Results({name: got.value}), Results({name: near}), "", Results({name: exact}))
        if row.agrees is False:
            off = row.differences[0].max_relative
            return Problem(
                f"{name} is the first result that compiled code gives otherwise than the graph: off by {off:.1e} of its "
                f"largest value ({got.name}, made by {got.maker}).",
                "Look at the kernel that makes it; what is fused into it is not seen apart.",
                place=place(item.stage, name),
            )
    return None
