"""A program loaded and run once as it is, so that its own errors are told as its own."""

import dataclasses
from collections.abc import Callable

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.user_program.alternate_inputs import own_copy
from compiler.engine.user_program.device_placement import moved
from compiler.engine.user_program.loading import Program, load_program, require_values
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.protocol.progress import Doing, Phase, Step

ReportProgress = Callable[[str], None]


def loaded(spec: CaptureSpec, report_progress: ReportProgress) -> Program:
    """The program, on its device and in its mode, after one run of it as it is, so that its own errors are told as its own.

    Raises EngineError.
    """
    report_progress(Doing(f"Loading {spec.target.name}", Step(Phase.LOADING)))
    require_values(spec)
    program = load_program(spec.target, spec.run.seed)
    moved(program, spec.run_on)
    set_mode(program, spec.run)
    report_progress(Doing("Running the program once as it is", Step(Phase.RUNNING)))
    try:
        args, kwargs = own_copy((program.args, program.kwargs))  # it may write to them
        tried = dataclasses.replace(program, args=args, kwargs=kwargs)
        Stepper(tried, spec.run).compared_step(program.callable)
    except Exception as error:
        raise EngineError(
            problem_from(error, "The program fails by itself", "Correct it or its inputs.")
        ) from error
    return program
