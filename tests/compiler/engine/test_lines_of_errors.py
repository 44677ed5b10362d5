"""Which line of the program is told of what torch fails at."""

import operator
import traceback
from pathlib import Path

import pytest
import torch
import torch._inductor.lowering

from compiler.engine.accuracy.differential_test import describe
from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import problem_from, summary
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, TargetSpec
from compiler.model.capture.frames import BreakCategory
from compiler.model.ir.diagnostics import Severity
from tests.links.quick_captures import nothing_built

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]
_FOLDER = Path(__file__).parent / "breaking_programs"
_LINES = (_FOLDER / "programs.py").read_text().split("\n")


def _line(word: str) -> int:
    return next(i for i, text in enumerate(_LINES, 1) if text.endswith(f"# {word}"))


def _failed_line(name: str, backend: str) -> int | None:
    """The line told of what torch fails at, which is the same among the breaks and the problems."""
    target = TargetSpec(f"programs.py:{name}", str(_FOLDER))
    options = CompileOptions(backend=backend)
    with nothing_built():
        capture = make_capture(CaptureSpec(target, options), "capture-1", lambda text: None).capture
    failed = [item.where for item in capture.breaks if item.sort is BreakCategory.FAILURE]
    lines = {where.line if where is not None else None for where in failed}
    lines |= {problem.line for problem in capture.problems if problem.severity is Severity.ERROR}
    assert len(lines) == 1
    return lines.pop()


def test_an_error_inside_dynamo_is_reported_with_the_line_it_was_tracing() -> None:
    """Torch says it in its message alone; before, the line where the function began to run was reported."""
    assert _failed_line("fails_inside_dynamo", "eager") == _line("inside")


def test_an_error_while_a_node_is_lowered_is_reported_with_the_nodes_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(torch._inductor.lowering.lowerings, torch.ops.aten.round.default, operator.index)
    assert _failed_line("fails_while_lowered", "inductor") == _line("lowered")


class CompilationError(Exception):
    """As Triton has it."""


class SubprocException(Exception):  # noqa: N818
    """As Inductor has it."""


def _refused() -> CompilationError:
    return CompilationError(
        "at 3:4:\ndef k(X):\n    x = eps.to(tl.float32)\n    ^\n'float' object has no attribute 'to'"
    )


def test_why_triton_refuses_a_kernel_is_reported() -> None:
    """The first line has the place alone, and of another process nothing but that there was one."""
    why = "CompilationError: at 3:4: 'float' object has no attribute 'to'."
    assert problem_from(_refused(), "It fails", "").what == f"It fails: {why}"
    try:
        raise _refused()
    except CompilationError as error:
        rows = "".join(traceback.format_exception(error))
    there = SubprocException(f"An exception occurred in a subprocess:\n\nName=fused_0\n{rows}")
    reported = problem_from(there, "It fails", "").what
    assert reported == f"It fails: SubprocException: An exception occurred in a subprocess: fused_0: {why}"
    assert problem_from(ValueError("one\ntwo"), "It fails", "").what == "It fails: ValueError: one."


def test_what_fails_in_torchscripts_interpreter_is_told_by_what_failed_there() -> None:
    """Its first line is the same whatever went wrong."""
    traced = torch.jit.trace(lambda x: x.reshape(2, 3) + 1, (torch.ones(6),))
    with pytest.raises(RuntimeError, match="TorchScript interpreter") as failed:
        traced(torch.ones(8))
    assert summary(failed.value) == "RuntimeError: shape '[2, 3]' is invalid for input of size 8"
    assert summary(failed.value) in problem_from(failed.value, "It failed", "Correct it.").what
    assert "is invalid for input of size 8" in describe(failed.value)
