"""What is looked for in a program that is held: causes of wrong results and of slow steps, and what it costs."""

from collections.abc import Callable
from typing import Any, TypeAlias

from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.slow_search import find_slowness
from compiler.engine.costs.find_cost import find_cost
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.experiments.causes import CauseFound, FindCause
from compiler.model.experiments.costs import CostFound, FindCost
from compiler.model.experiments.slowness import FindSlowness, SlownessFound

Search: TypeAlias = FindCause | FindSlowness | FindCost
Answer: TypeAlias = CauseFound | SlownessFound | CostFound


def search(
    program: EditedProgram,
    request: Search,
    report_progress: Callable[[str], None],
    emit: Callable[[Any], None],
) -> Answer:
    """`emit` is given each trial as it is made. Raises EngineError."""
    match request:
        case FindCause():
            return find_cause(program, request, report_progress, emit)
        case FindSlowness():
            return find_slowness(program, request, report_progress, emit)
        case FindCost():
            return find_cost(program, request, report_progress, emit)
