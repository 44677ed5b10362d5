"""Timing two states of the edited program, and the eager one, interleaved, so that a noisy moment hits all alike."""

from collections.abc import Callable
from functools import partial

import torch

from compiler.engine.errors import EngineError
from compiler.engine.measuring.interleaved_timing import interleave
from compiler.engine.measuring.machine_load import MachineLoad
from compiler.engine.measuring.step_clock import step_clock
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import edited_ids, ran_in_later_steps, why_unseen
from compiler.engine.user_program.stepper import unchanged_state
from compiler.model.edits.edits import Edit
from compiler.model.timing.paired_ratio import paired_ratio
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import summarise

Edits = tuple[Edit, ...]
_GOES_ON = "Call the program once before it is captured, so that it has done by then what it does at its first call only."


def interleaved(
    program: EditedProgram, first: Edits, second: Edits, seconds: float
) -> tuple[list[int], list[int], list[int]]:
    """Nanoseconds of steps (first, second, eager), interleaved; both states must be compiled."""
    stepper, compiled = program.base.stepper, program.base.compiled
    clock = step_clock()
    with unchanged_state(program.base.program), program.switching() as switch:

        def step(state: Edits | None) -> int:
            if state is not None:
                switch(state)
            function = compiled if state is not None else program.base.program.callable
            return stepper.timed(function, clock).nanoseconds

        samplers = [partial(step, state) for state in (first, second, None)]
        early, late, eager = interleave(samplers, seconds, warm_up=5, fewest=12, most=1000)
    return early, late, eager


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
    unseen = edited_ids((*first, *second)) - ran_in_later_steps(program, second or first)
    if unseen:
        raise EngineError(f"There are no times of these edits: {why_unseen(unseen)}.", _GOES_ON)
    report_progress("Timing both interleaved")
    load = MachineLoad()
    early, late, eager = interleaved(program, first, second, seconds)
    others = load.others()
    rows = summarise(early), summarise(late), summarise(eager)
    if rows[0] is None or rows[1] is None or rows[2] is None:
        raise EngineError("No step was timed.", "Time them again.")
    return StateTimes(
        rows[0],
        rows[1],
        rows[2],
        paired_ratio(early, late, others),
        paired_ratio(early, eager, others),
        paired_ratio(late, eager, others),
        torch.get_num_threads(),
    )
