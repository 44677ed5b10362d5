"""By which calls a program draws random numbers, eagerly and compiled: reported where they differ, since nothing can be compared then."""

from collections import Counter
from collections.abc import Iterable

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import around_graphs
from compiler.engine.rng.draw_order import Draw, NotedDraw, NotingDraws


def drawing_calls(program: EditedProgram, random: tuple[str, ...], eager: Iterable[Draw]) -> str:
    """A sentence; empty where the same operators draw as often. `random`: the graphs that are compiled to draw as eager does."""
    noted: list[NotedDraw] = []
    with (
        program.running((), random, lambda text: None),
        around_graphs(program, lambda name: NotingDraws(noted)),
    ):
        program.base.stepper.compared_step(program.base.compiled)
    theirs, ours = _counted(eager), _counted(row.draw for row in noted)
    if theirs == ours:
        return ""
    return f"Eager draws random numbers by {_listed(theirs)}, the compiled graphs by {_listed(ours)}."


def _counted(draws: Iterable[Draw]) -> Counter[str]:
    return Counter(name.rstrip("_") for name, *_ in draws)


def _listed(calls: Counter[str]) -> str:
    each = (f"{name} ({count} {'call' if count == 1 else 'calls'})" for name, count in sorted(calls.items()))
    return ", ".join(each) or "no call"
