"""What memory budgets cost in time: each is compiled and run."""

from collections.abc import Callable
from functools import partial

from compiler.engine.measuring.interleaved_timing import interleave
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.ir.ids import StageId
from compiler.model.ir.memory_budget_curve import MeasuredPoint
from compiler.model.ir.stage import JointStage
from compiler.model.timing.timings import summarise

_SECONDS = 3.0


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
        found = summarise(times)
        if found is not None:
            points.append(MeasuredPoint(budget, kept[budget], found.median, found.low, found.high))
    return tuple(points)


def _samples(program: EditedProgram, wanted: dict[float, tuple[Edit, ...]]) -> dict[float, list[int]]:
    """Nanoseconds of steps with each budget, interleaved, so that a noisy moment hits all."""
    base, clock = program.base, step_clock()
    with unchanged_state(base.program), program.switching() as switch:

        def step(edits: tuple[Edit, ...]) -> int:
            switch(edits)
            return base.stepper.timed(base.compiled, clock).nanoseconds

        times = interleave([partial(step, edits) for edits in wanted.values()], _SECONDS, fewest=4, most=200)
    return dict(zip(wanted, times, strict=True))
