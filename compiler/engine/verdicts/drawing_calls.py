"""By which calls a program draws random numbers, eagerly and compiled: told where they differ, since nothing can be compared then."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.rng.draw_order import Draw, NotedDraw, NotingDraws


def drawing_calls(program: EditedProgram, random: tuple[str, ...], eager: Iterable[Draw]) -> str:
    """A sentence; empty where the same operators draw as often. `random`: the graphs that are compiled to draw as eager does."""
    with program.running((), random, lambda text: None), _noting(program) as noted:
        program.base.stepper.compared_step(program.base.compiled)
    theirs, ours = _counted(eager), _counted(row.draw for row in noted)
    if theirs == ours:
        return ""
    return f"Eager draws random numbers by {_listed(theirs)}, the compiled graphs by {_listed(ours)}."


@contextlib.contextmanager
def _noting(program: EditedProgram) -> Iterator[list[NotedDraw]]:
    noted: list[NotedDraw] = []
    with contextlib.ExitStack() as stack:
        for dynamo_graph in program.base.live.dynamo_graphs:
            if dynamo_graph.function is not None:
                stack.callback(setattr, dynamo_graph, "function", dynamo_graph.function)
                dynamo_graph.function = _noted(dynamo_graph.function, noted)
        yield noted


def _noted(function: Callable[..., Any], noted: list[NotedDraw]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        with NotingDraws(noted):
            return function(*args)

    return run


def _counted(draws: Iterable[Draw]) -> Counter[str]:
    return Counter(name.rstrip("_") for name, *_ in draws)


def _listed(calls: Counter[str]) -> str:
    each = (f"{name} ({count} {'call' if count == 1 else 'calls'})" for name, count in sorted(calls.items()))
    return ", ".join(each) or "no call"
