"""What compiling, memory or recompiles of a program go to, and what would save some of it."""

import contextlib
import io
import time

import msgspec

from compiler.engine.causes.trials import bring, quiet
from compiler.engine.costs.compile_time import compile_time
from compiler.engine.costs.copies import Copies, Emit, ReportProgress
from compiler.engine.costs.recompiles import recompiles
from compiler.engine.costs.step_memory import step_memory
from compiler.engine.errors import EngineError, failing_as
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.experiments.costs import COMPILE_TIME, COSTS, MEMORY, CostFound, FindCost


def find_cost(
    program: EditedProgram,
    request: FindCost,
    report_progress: ReportProgress,
    emit: Emit = lambda trial: None,
) -> CostFound:
    """What runs at the end is what ran before. Raises EngineError where the program cannot be run or the cost is none."""
    if request.what not in COSTS:
        raise EngineError(f"{request.what} is no cost.", f"Ask for {', '.join(COSTS)}.")
    started = time.perf_counter()
    before = program.edits
    try:
        with failing_as("The program failed while it was measured"):
            bring(program, request.edits, report_progress)
            copies = Copies(program, request.edits, report_progress)
            with contextlib.redirect_stdout(io.StringIO()), quiet():
                if request.what == COMPILE_TIME:
                    found = compile_time(copies, emit)
                elif request.what == MEMORY:
                    found = step_memory(copies, emit)
                else:
                    found = recompiles(copies, request.sizes, emit)
    finally:
        bring(program, before, report_progress)
    return msgspec.structs.replace(found, seconds=time.perf_counter() - started)
