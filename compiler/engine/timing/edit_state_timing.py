"""Timing two states of the edited program, and the eager one, interleaved, so that a noisy moment hits all alike."""

import time
from collections.abc import Callable

import torch

from compiler.engine.errors import EngineError
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.timing.cpu_timing import step_clock
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import summarise

Edits = tuple[Edit, ...]
_WARM_UP = 5
_FEWEST_ROUNDS = 12
_MOST_ROUNDS = 1000


def interleaved(
    program: EditedProgram, first: Edits, second: Edits, seconds: float
) -> tuple[list[int], list[int], list[int]]:
    """Nanoseconds of steps (first, second, eager), a round at a time; both states must be compiled. Every second round
    goes the other way round, so that none always comes right after the same one.
    """
    stepper, compiled = program.base.stepper, program.base.compiled
    clock = step_clock()
    found: tuple[list[int], list[int], list[int]] = ([], [], [])
    with unchanged_state(program.base.program), program.switching() as switch:

        def timed(which: int) -> None:
            if which < 2:
                switch((first, second)[which])
            begin = clock()
            stepper.step(compiled if which < 2 else program.base.program.callable)
            found[which].append(clock() - begin)

        started = time.perf_counter()
        for turn in range(_MOST_ROUNDS):
            for which in (0, 1, 2) if turn % 2 == 0 else (2, 1, 0):
                timed(which)
            if turn >= _WARM_UP + _FEWEST_ROUNDS and time.perf_counter() - started > seconds:
                break
    return found[0][_WARM_UP:], found[1][_WARM_UP:], found[2][_WARM_UP:]


def time_states(
    program: EditedProgram,
    first: Edits,
    second: Edits,
    seconds: float,
    report_progress: Callable[[str], None],
) -> StateTimes:
    """Compile what was not compiled yet, time both, and let run again what ran. Raises EngineError."""
    before = program.edits
    try:
        for edits in (first, second):
            program.recompile(edits, "", report_progress)
    finally:
        program.recompile(before, "", report_progress)
    report_progress("Timing both interleaved")
    load = MachineLoad()
    early, late, eager = interleaved(program, first, second, seconds)
    others = load.others()
    rows = summarise(early), summarise(late), summarise(eager)
    if rows[0] is None or rows[1] is None or rows[2] is None:
        raise EngineError(Problem("No step was timed.", "Time them again."))
    return StateTimes(
        rows[0],
        rows[1],
        rows[2],
        paired_ratio(early, late, others),
        paired_ratio(early, eager, others),
        paired_ratio(late, eager, others),
        torch.get_num_threads(),
    )
