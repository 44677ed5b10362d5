"""What memory budgets cost in time: each is compiled and run."""

import time
from collections.abc import Callable

from compiler.engine.recompiling import EditedProgram
from compiler.engine.running import unchanged_state
from compiler.engine.timing import step_clock
from compiler.model.edits import Edit
from compiler.model.ids import StageId
from compiler.model.partition_curves import MeasuredPoint
from compiler.model.partition_edits import ChooseMemoryBudget
from compiler.model.stage import JointStage
from compiler.model.timings import summarise

_SECONDS, _MOST_STEPS, _WARM_UP = 0.7, 200, 3


def measure_budgets(
    program: EditedProgram,
    stage: StageId,
    budgets: tuple[float, ...],
    edits: tuple[Edit, ...],
    say: Callable[[str], None],
) -> tuple[MeasuredPoint, ...]:
    """Time a step with each budget, beside edits already made; at the end what ran before runs again. Raises EngineError."""
    before = program.edits
    others = tuple(edit for edit in edits if not isinstance(edit, ChooseMemoryBudget) or edit.stage != stage)
    points = []
    try:
        for number, budget in enumerate(budgets, 1):
            say(f"Compiling memory budget {budget:g} ({number} of {len(budgets)})")
            capture = program.recompile(
                (*others, ChooseMemoryBudget(stage, budget)), "measured", lambda text: None
            )
            content = capture.stage(stage).content
            kept = (
                content.partition.saved_bytes
                if isinstance(content, JointStage) and content.partition
                else None
            )
            say(f"Timing memory budget {budget:g} ({number} of {len(budgets)})")
            found = summarise(_steps(program))
            if found is not None:
                points.append(MeasuredPoint(budget, kept, found.median, found.low, found.high))
    finally:
        program.recompile(before, "measured", lambda text: None)
    return tuple(points)


def _steps(program: EditedProgram) -> list[int]:
    base, clock = program.base, step_clock()
    samples = []
    with unchanged_state(base.program.module):
        started = time.perf_counter()
        for _ in range(_MOST_STEPS):
            begin = clock()
            base.stepper.step(base.compiled)
            samples.append(clock() - begin)
            if len(samples) > 2 * _WARM_UP and time.perf_counter() - started > _SECONDS:
                break
    return samples[_WARM_UP:]
