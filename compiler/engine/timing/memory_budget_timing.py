"""What memory budgets cost in time: each is compiled and run."""

import time
from collections.abc import Callable

from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing.cpu_timing import step_clock
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.ir.ids import StageId
from compiler.model.ir.memory_budget_curve import MeasuredPoint
from compiler.model.ir.stage import JointStage
from compiler.model.timing.timings import summarise

_SECONDS, _MOST_TURNS, _WARM_UP = 3.0, 200, 3


def measure_budgets(
    program: EditedProgram,
    stage: StageId,
    budgets: tuple[float, ...],
    edits: tuple[Edit, ...],
    report_progress: Callable[[str], None],
) -> tuple[MeasuredPoint, ...]:
    """Time a step with each budget, beside edits already made; at the end what ran before runs again. Raises EngineError."""
    before = program.edits
    others = tuple(edit for edit in edits if not isinstance(edit, ChooseMemoryBudget) or edit.stage != stage)
    wanted = {budget: (*others, ChooseMemoryBudget(stage, budget)) for budget in budgets}
    kept: dict[float, int | None] = {}
    try:
        for number, (budget, all_edits) in enumerate(wanted.items(), 1):
            report_progress(f"Compiling memory budget {budget:g} ({number} of {len(budgets)})")
            capture = program.recompile(all_edits, "measured", lambda text: None)
            content = capture.stage(stage).content
            partition = content.partition if isinstance(content, JointStage) else None
            kept[budget] = partition.saved_bytes if partition is not None else None
        report_progress("Timing the memory budgets in turn")
        samples = _samples(program, wanted)
    finally:
        program.recompile(before, "measured", lambda text: None)
    points = []
    for budget, times in samples.items():
        found = summarise(times[_WARM_UP:])
        if found is not None:
            points.append(MeasuredPoint(budget, kept[budget], found.median, found.low, found.high))
    return tuple(points)


def _samples(program: EditedProgram, wanted: dict[float, tuple[Edit, ...]]) -> dict[float, list[int]]:
    """Nanoseconds of steps with each budget, interleaved, so that a noisy moment hits all."""
    base, clock = program.base, step_clock()
    samples: dict[float, list[int]] = {budget: [] for budget in wanted}
    with unchanged_state(base.program), program.switching() as switch:
        started = time.perf_counter()
        for turn in range(_MOST_TURNS):
            for budget, edits in wanted.items():
                switch(edits)
                begin = clock()
                base.stepper.step(base.compiled)
                samples[budget].append(clock() - begin)
            if turn > 2 * _WARM_UP and time.perf_counter() - started > _SECONDS:
                break
    return samples
