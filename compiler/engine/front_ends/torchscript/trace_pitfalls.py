"""What a trace forgot, found as the comparison of front ends finds it: by running it beside the program on other inputs."""

from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.accuracy.differential_test import DifferentialTest
from compiler.engine.accuracy.side_effects import Side
from compiler.engine.user_program.alternate_inputs import Kind, other_calls
from compiler.engine.user_program.device_placement import device_of
from compiler.engine.user_program.loading import Program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.front_end_matrix import Judgement, Outcome
from compiler.model.ir.diagnostics import Problem, Severity

_SECONDS = 4.0
"""No further input is tried after this time."""
_REPORTED_WHEN_REFUSED = frozenset((Kind.VALUES, Kind.SIZES, Kind.MODE))
"""A trace need not take other keywords, scalars and containers than those it was made with."""
_SIZES_UNTRIED = Problem(
    "Other sizes were not tried, since a trace that reads outside of its tensors ends the GPU's context, and this process with it.",
    "Compare front ends, which tries them in processes of their own.",
    severity=Severity.NOTE,
)


def forgotten(
    program: Program, traced: Callable[..., Any], spec: CaptureSpec, decided: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """A problem for every kind of other input on which the trace does something else than the program; `decided` are the
    lines that torch said it decided while tracing.
    """
    own = (traced,) if isinstance(traced, torch.nn.Module) else ()
    judge = DifferentialTest(Side(program, traced, own), Side(program), spec.run)
    found: dict[Kind, Judgement] = {}
    on_gpu = device_of(program).type != "cpu"
    calls = (call for call in other_calls(program) if not (on_gpu and call.kind is Kind.SIZES))
    for call in judge.in_time(calls, _SECONDS):
        known = found.get(call.kind)
        if known is not None and known.outcome is Outcome.WRONG:
            continue  # one input is enough to show it
        judgement = judge.on(call)
        if judgement is None:
            continue
        refused = judgement.outcome is Outcome.REFUSED and call.kind in _REPORTED_WHEN_REFUSED
        if judgement.outcome is Outcome.WRONG or (refused and known is None):
            found[call.kind] = judgement
    problems = tuple(_problem(program, kind, judgement, decided) for kind, judgement in found.items())
    return (*problems, *([_SIZES_UNTRIED] if on_gpu else ()))


def _problem(program: Program, kind: Kind, judgement: Judgement, decided: tuple[Problem, ...]) -> Problem:
    first = decided[0] if decided and kind in (Kind.VALUES, Kind.SIZES, Kind.SCALARS) else Problem("")
    line = f" Line {first.line} was decided while tracing." if first.line else ""
    when = f"With {judgement.input}"
    if kind is Kind.MODE and program.module is not None:
        when = f"After {'eval()' if program.module.training else 'train()'}"
    if judgement.outcome is Outcome.REFUSED:
        what = f"{when} the trace fails, and the program does not: {judgement.detail}.{line}"
        return Problem(what, "", first.path, first.line, Severity.WARNING)
    return Problem(
        f"{when} the trace gives something else: {judgement.detail}.{line}",
        "Nothing warns of this when the trace runs.",
        first.path,
        first.line,
        Severity.WARNING,
    )
