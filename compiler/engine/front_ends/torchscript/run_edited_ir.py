"""TorchScript's IR as text, run in place of the program; and the saved program, run by C++."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.accuracy.tolerance import compare
from compiler.engine.errors import EngineError, failure_from
from compiler.engine.front_ends.torchscript.cpp_runner import run_in_cpp
from compiler.engine.front_ends.torchscript.ir_errors import problem_of
from compiler.engine.front_ends.torchscript.standalone_ir import in_eval, standalone_text
from compiler.engine.front_ends.torchscript.traced import example_of
from compiler.engine.torch_internals.torchscript.script_text_running import function_of, save_lite
from compiler.engine.user_program.checked_loading import loaded
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Results
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import find_front_end
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.ir.diagnostics import Problem
from compiler.model.timing.verdicts import Comparison

ReportProgress = Callable[[str], None]

_SAME = 1e-4
"""Relative: fused multiply-adds and another order of sums stay below it in float32."""


def run_script(order: RunScript, report_progress: ReportProgress) -> ScriptRun:
    """Load, script or trace, run. Raises EngineError where the program itself cannot be scripted or traced."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = in_eval(loaded(order.spec, report_progress).program)
        report_progress("Compiling with TorchScript")
        scripted = _scripted(program, order.spec)
        expected = _results(program.callable, program.args, program.kwargs, order.spec)
        own, weights = standalone_text(scripted)
        text = own if order.text is None else order.text
        report_progress("Running the IR")
        answer = _run_text(text, program, weights, expected, order.spec)
        notes: tuple[str, ...] = ()
        cpp = ""
        if order.save:
            notes = _save(scripted, Path(order.save))
        if order.in_cpp:
            cpp = run_in_cpp(scripted, program.args, program.kwargs, expected, report_progress)
    return ScriptRun(*answer, cpp, notes)


def _scripted(program: Program, spec: CaptureSpec) -> Any:
    title = find_front_end(spec.front_end).title
    try:
        if spec.front_end == "jit.script":
            return torch.jit.script(program.callable)
        if spec.front_end == "jit.trace":
            return torch.jit.trace(program.callable, strict=False, check_trace=False, **example_of(program))  # type: ignore[no-untyped-call]
    except Exception as error:
        other = "torch.jit.trace" if spec.front_end == "jit.script" else "torch.jit.script"
        raise failure_from(error, f"{title} does not take this program", f"Try {other}.") from error
    raise EngineError(f"{title} makes no TorchScript.", "Choose jit.script or jit.trace.")


def _run_text(
    text: str, program: Program, weights: list[torch.Tensor], expected: Results, spec: CaptureSpec
) -> tuple[str, str, Problem | None, Comparison | None]:
    """The text, a sentence on what came of it, and either why it failed or how its results compare."""
    try:
        function, _ = function_of(text)
        given = [*program.args, *program.kwargs.values(), *weights]
        results = _results(function, tuple(given), {}, spec)
    except RuntimeError as error:
        problem = problem_of(error, text)
        where = f" (line {problem.line})" if problem.line else ""
        return text, f"It does not run{where}: {problem.what}", problem, None
    comparison = compare("the IR", results, "the program, eager", expected)
    return text, describe(comparison, "The IR"), None, comparison


def describe(comparison: Comparison, who: str) -> str:
    """Whether results are those of the program, with the largest difference."""
    worst = comparison.worst
    if worst is None:
        return f"{who} gives no tensors to compare."
    if worst.unlike:
        return f"{who} gives another result than the program: {worst.sentence}."
    if worst.max_relative <= _SAME:
        exact = "exactly" if worst.max_absolute == 0 else f"to {worst.max_absolute:.1e}"
        return f"{who} gives the program's results, {exact}."
    return (
        f"{who} gives other results than the program: {worst.tensor} differs by up to {worst.max_absolute:.4g}, "
        f"{worst.max_relative:.2g} of its largest value."
    )


def _results(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], spec: CaptureSpec
) -> Results:
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(spec.run.seed)
        args, kwargs = pytree.tree_map(
            lambda value: value.detach().clone() if isinstance(value, torch.Tensor) else value, (args, kwargs)
        )
        leaves = pytree.tree_leaves(function(*args, **kwargs))
    tensors = (value for value in leaves if isinstance(value, torch.Tensor))
    return Results({f"output {index}": value for index, value in enumerate(tensors)})


def _save(scripted: Any, path: Path) -> tuple[str, ...]:
    """Write the ``.pt`` file, and beside it the file of the lite interpreter where this torch makes it."""
    try:
        torch.jit.save(scripted, str(path))
    except (OSError, RuntimeError) as error:
        raise failure_from(error, f"{path} could not be written", "Choose another place.") from error
    notes = [f"Wrote {path} ({path.stat().st_size:,} bytes), in eval mode."]
    lite = path.with_suffix(".ptl")
    try:
        save_lite(scripted, lite)
        notes.append(
            f"Wrote {lite} ({lite.stat().st_size:,} bytes) for the mobile lite interpreter, which torch calls "
            "deprecated in favour of ExecuTorch."
        )
    except (AttributeError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0]
        notes.append(f"This torch makes no file for the mobile lite interpreter of it: {first}")
    return tuple(notes)
