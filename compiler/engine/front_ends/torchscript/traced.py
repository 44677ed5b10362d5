"""torch.jit.trace: one run, and the operations it saw; what it forgot is found by running it on other inputs."""

import time
import warnings
from typing import Any

import torch
from torch.jit._trace import TracerWarning

from compiler.engine.errors import EngineError
from compiler.engine.file_ownership import is_linked
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import FrontEndResult
from compiler.engine.front_ends.torchscript.stages import capture_script, side_by_side, with_more
from compiler.engine.front_ends.torchscript.trace_pitfalls import forgotten
from compiler.engine.user_program.loading import Program, argument_names, parameter_names
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.ir.diagnostics import Problem, Severity

NAME = "jit.trace"


def example_of(program: Program) -> dict[str, Any]:
    """What torch.jit.trace is given to call the program with: all by position, or all by name. Raises EngineError."""
    if not program.kwargs:
        return {"example_inputs": program.args}
    names, rest, _ = parameter_names(program)
    if rest and len(program.args) > len(names):
        what = f"torch.jit.trace takes arguments by position or by name, and the program is called with both: *{rest} has no names."
        raise EngineError(what, "Trace a function that takes all of them by position.")
    return {
        "example_kwarg_inputs": {
            **dict(zip(argument_names(program), program.args, strict=True)),
            **program.kwargs,
        }
    }


def capture(program: Program, spec: CaptureSpec, graphs: GraphHolder) -> FrontEndResult:
    """Trace, show all that is made of it, what jit.script makes of the same program, and where the trace is wrong.

    Raises what torch.jit.trace raises.
    """
    inputs = example_of(program)

    def retrace(function: Any) -> Any:
        return torch.jit.trace(function, strict=False, check_trace=False, **inputs)  # type: ignore[no-untyped-call]

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        started = time.perf_counter()
        traced = retrace(program.callable)
        seconds = time.perf_counter() - started
    decided = _decided(caught)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", TracerWarning)
        result = capture_script(NAME, traced, program, spec, retrace, seconds, graphs)
        result.problems = (*result.problems, *decided, *forgotten(program, traced, spec, _users(decided)))
        return _compared_with_script(result, program)


def _compared_with_script(result: FrontEndResult, program: Program) -> FrontEndResult:
    """With the graph that jit.script makes of the same program, or why it makes none."""
    try:
        scripted = torch.jit.script(program.callable)
        return with_more(result, side_by_side("jit.script", scripted, program, "Inlined"), ())
    except Exception as error:  # noqa: BLE001  the script compiler raises whatever it finds in the user's source
        first = str(error).strip().partition("\n")[0]
        note = Problem(
            f"torch.jit.script does not take this program, so its graph is not beside the trace: {first}",
            "Capture with torch.jit.script for the whole message.",
            severity=Severity.NOTE,
            detail=str(error),
        )
        result.problems = (*result.problems, note)
        return result


def _users(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(problem for problem in problems if is_linked(problem.path))


def _decided(caught: list[warnings.WarningMessage]) -> tuple[Problem, ...]:
    """What torch warned of while tracing, each line once; other warnings are shown as ever."""
    found: dict[tuple[str, int], Problem] = {}
    for warning in caught:
        if issubclass(warning.category, TracerWarning):
            text = str(warning.message)
            users = is_linked(warning.filename)
            found.setdefault(
                (warning.filename, warning.lineno),
                Problem(
                    f"The trace keeps what this line did once: {text.partition('. ')[0]}.",
                    "Script the function that holds it (torch.jit.script), or write it without looking at values.",
                    warning.filename,
                    warning.lineno,
                    Severity.WARNING if users else Severity.NOTE,
                    detail=text,
                ),
            )
        elif not issubclass(warning.category, DeprecationWarning):
            warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
    return tuple(found.values())
