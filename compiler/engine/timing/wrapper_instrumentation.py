"""A generated wrapper with a clock before and after each kernel call: its own text, run in its own names."""

import ast
import textwrap
from collections.abc import Callable
from typing import Any

from compiler.engine.timing.step_log import StepLog
from compiler.model.ir.loop_ir import Kernel


def with_clocks(
    text: str, kernels: tuple[Kernel, ...], names: dict[str, Any], log: StepLog, first: int
) -> Callable[..., Any]:
    """The wrapper's ``call`` with clocks that write into the log; `first` is the number of its first kernel there.

    Raises SyntaxError, KeyError.
    """

    def note(number: int) -> str:
        return f"_loupe_note(({number}, _loupe_start, _loupe_clock()))"

    scope = {**names, "_loupe_clock": log.clock, "_loupe_note": log.readings.append}
    return _with_lines(text, kernels, first, lambda number: "_loupe_start = _loupe_clock()", note, scope)


def with_ranges(
    text: str,
    kernels: tuple[Kernel, ...],
    names: dict[str, Any],
    call_range: Callable[[int], Any],
    first: int,
) -> Callable[..., Any]:
    """The same with a context around each kernel call, made with its number. Raises SyntaxError, KeyError."""

    def begin(number: int) -> str:
        return f"_loupe_range = _loupe_call({number}); _loupe_range.__enter__()"

    end = "_loupe_range.__exit__(None, None, None)"
    return _with_lines(text, kernels, first, begin, lambda number: end, {**names, "_loupe_call": call_range})


def _with_lines(
    text: str,
    kernels: tuple[Kernel, ...],
    first: int,
    line_before: Callable[[int], str],
    line_after: Callable[[int], str],
    scope: dict[str, Any],
) -> Callable[..., Any]:
    lines = text.split("\n")
    tree = ast.parse(text)
    ends = {
        statement.lineno: statement.end_lineno or statement.lineno
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt)
    }
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for index, kernel in enumerate(kernels):
        line = kernel.call_line
        if line is None or line not in ends:
            continue
        start = lines[line - 1]
        indent = start[: len(start) - len(start.lstrip())]
        before[line] = indent + line_before(first + index)
        after[ends[line]] = indent + line_after(first + index)
    kept: list[str] = []
    for statement in tree.body:
        if not _is_caller(statement):
            continue
        for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            kept += [before[number]] if number in before else []
            kept.append(lines[number - 1])
            kept += [after[number]] if number in after else []
    exec(compile(textwrap.dedent("\n".join(kept)), "<timed wrapper>", "exec"), scope)
    call: Callable[..., Any] = scope["call"]
    return call


def _is_caller(statement: ast.stmt) -> bool:
    """The class or function that calls kernels, and the lines that name it."""
    if isinstance(statement, ast.ClassDef):
        return statement.name == "Runner"
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "call" or statement.name.startswith("partition_")
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id in ("runner", "call")
    return False
