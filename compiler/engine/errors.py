"""Errors of the engine that carry a message for the person, and finding the user's line in a traceback."""

import contextlib
import linecache
import re
import traceback
from collections.abc import Iterator
from types import TracebackType

import msgspec

from compiler.engine.error_chain import chain
from compiler.engine.file_ownership import innermost, is_linked, is_mine
from compiler.engine.fx.running_node import rows_worked_on
from compiler.engine.fx.stack_in import stack_in
from compiler.engine.storage_faults import storage_problem
from compiler.model.ir.diagnostics import Problem, ProblemError

_KEPT_ROWS = 200
"""Of a very long traceback, at its beginning and at its end."""
_TRACEBACK = "Traceback (most recent call last):\n"
_ADVICE = "\n\nSet TORCHDYNAMO_VERBOSE"
_SCRIPT_FAILED = "failed in the TorchScript interpreter"
_KERNEL = re.compile(r"^Name=(\S+)$", re.M)
_AT = re.compile(r"\bat \d+:\d+:$")


class EngineError(ProblemError):
    """What was asked for cannot be done."""


def users_place(error: BaseException) -> tuple[str, int | None]:
    """The innermost line of the user's in a traceback, else of a library's, following causes; ("", None) if there is none."""
    if isinstance(error, SyntaxError) and error.filename and is_linked(error.filename):
        return error.filename, error.lineno
    in_library: tuple[str, int | None] = ("", None)
    for stack in _stacks(error):
        frame = innermost(stack, lambda entry: entry.filename)
        if frame is not None and is_mine(frame.filename):
            return frame.filename, frame.lineno
        if frame is not None and not in_library[0]:
            in_library = (frame.filename, frame.lineno)
    return in_library


def innermost_place(error: BaseException) -> tuple[str, int | None]:
    """The innermost line of the user's or a library's in a traceback, following causes; ("", None) if there is none."""
    for stack in _stacks(error):
        for frame in reversed(stack):
            if is_linked(frame.filename):
                return frame.filename, frame.lineno
    return "", None


def _stacks(error: BaseException) -> Iterator[list[traceback.FrameSummary]]:
    """Of an exception and its causes, innermost last."""
    shorten(error)
    for seen in chain(error):
        # Dynamo's: where the traced program stood; else where the node stands that a graph ran
        traced = getattr(seen, "real_stack", None) or stack_in(said(seen))
        yield [*_rows(seen.__traceback__), *traced]


def _rows(traced: TracebackType | None) -> Iterator[traceback.FrameSummary]:
    """Of a traceback; behind a frame where torch runs a graph, or a node of it, the lines of the program that it was read from."""
    for (frame, line), row in zip(traceback.walk_tb(traced), traceback.extract_tb(traced), strict=True):
        yield row
        yield from rows_worked_on(frame, line)


def import_root(error: BaseException) -> BaseException:
    """What a package says only as that something of it could not be imported (transformers) came of another error."""
    seen = {id(error)}
    while isinstance(error, ImportError) and error.__cause__ is not None and id(error.__cause__) not in seen:
        error = error.__cause__
        seen.add(id(error))
    return error


def missing_module(error: BaseException) -> str | None:
    """The module or distribution for want of which an import failed. What raises such an error by hand may name none, or write a
    sentence where its name belongs (diffusers).
    """
    root = import_root(error)
    name = root.name if isinstance(root, ModuleNotFoundError) else None
    return name if name and re.fullmatch(r"[\w.-]+", name) else None


def shorten(error: BaseException) -> None:
    """Take the middle out of tracebacks that a program without end made: to read millions of lines takes minutes."""
    for found in chain(error):
        rows: list[TracebackType] = []
        row = found.__traceback__
        while row is not None:
            rows.append(row)
            row = row.tb_next
        if len(rows) > 2 * _KEPT_ROWS:
            rows[_KEPT_ROWS - 1].tb_next = rows[-_KEPT_ROWS]


def own_failure(error: BaseException, remedy: str = "Correct it or its inputs.") -> Problem:
    """That a program fails without torch.compile too."""
    return problem_from(error, "The program fails by itself, without torch.compile", remedy)


def first_line(error: BaseException) -> str:
    """Of what an error says; where that only names TorchScript's interpreter, of the error in it."""
    first, *rows = said(error).strip().split("\n")
    if rows and _SCRIPT_FAILED in first:  # torch's last line has the error itself
        return rows[-1].removeprefix("RuntimeError: ")
    return first


def _with_cause(error: BaseException) -> str:
    """The first line of the innermost cause whose text torch took into its own, which is long: its first line says what torch did."""
    if not type(error).__module__.startswith("torch."):
        return ""
    text = said(error)
    causes = [first_line(found) for found in chain(error) if not type(found).__module__.startswith("torch.")]
    return next((line for line in reversed(causes) if line and line in text), "")


def _reported_below(error: BaseException) -> str:
    """What stands below the first line, where that line says nothing of what is wrong: of a kernel that a process of Inductor's
    compiled, what was raised there; of a kernel that Triton refuses, why.
    """
    text = said(error).partition(_ADVICE)[0].strip()
    before, traced, rows = text.rpartition(_TRACEBACK)
    kernel = _KERNEL.search(before)
    if traced:
        text = "\n".join(row for row in rows.split("\n") if not row.startswith("  ")).strip()
        text = text[text.rfind(".", 0, text.find(":")) + 1 :]  # the class without its module
    first, *others = text.split("\n")
    if others and _AT.search(first):
        first = f"{first} {others[-1].strip()}"
    elif not traced:
        return ""
    return f"{kernel[1]}: {first}" if kernel else first


def _explanation(error: BaseException) -> str:
    """The first line of what Dynamo explains below the name that it has for a break: the name alone says little."""
    _, *below = said(error).strip().split("\n")
    head, _, explained = below[0].strip().partition("Explanation: ") if below else ("", "", "")
    return "" if head or not type(error).__module__.startswith("torch.") else explained.strip()


def said(error: BaseException) -> str:
    """The text of an exception. It is the program's own code that gives it, and that may fail as well."""
    try:
        return str(error)
    except Exception as failed:  # noqa: BLE001  a program's __str__ may raise anything
        return f"its text cannot be told, since __str__ raises {type(failed).__name__}"


def unforeseen(error: BaseException, doing: str) -> Problem:
    """Of an error that nobody has better advice for than to read where it comes from."""
    problem = problem_from(error, doing, remedy := "The detail has the traceback.")
    return msgspec.structs.replace(problem, read_detail=problem.remedy == remedy)


def problem_from(error: BaseException, doing: str, remedy: str) -> Problem:
    """A problem out of any exception: what we were doing, the first line of the error and, where that only says what torch was
    doing, of the one that led to it; the user's line.
    """
    if isinstance(error, EngineError):
        return error.problem
    shorten(error)
    if (storage := storage_problem(error)) is not None:
        return storage
    path, line = users_place(error)
    reported = f"{summary(error, line)}."
    what = f"{doing}: {reported}"
    if (root := import_root(error)) is not error:
        what += f" It came of {type(root).__name__}: {first_line(root)}".rstrip(".: ") + "."
    detail = "".join(traceback.format_exception(error))
    return Problem(what, remedy, path, line, detail=detail, written=_written(path, line), said=reported)


def failure_from(error: BaseException, doing: str, remedy: str) -> EngineError:
    """The same, to be raised."""
    return EngineError(problem_from(error, doing, remedy))


@contextlib.contextmanager
def failing_as(doing: str, remedy: str = "Correct it and capture again.") -> Iterator[None]:
    """What is raised while this is entered becomes an EngineError; one that is raised goes on as it is."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        raise failure_from(error, doing, remedy) from error


def summary(error: BaseException, line: int | None = None) -> str:
    """The class of an error and the first line of its text and, where that only says what torch was doing, what led to it; `line`
    is where a reader is told that it is. No full stop at its end.
    """
    first = first_line(error)
    if isinstance(error, SyntaxError) and line and line == error.lineno:
        first = error.msg  # its text says the line once more
    kind = type(error).__name__
    if explained := _explanation(error):
        first = f"{first}: {explained}"
    if (cause := _with_cause(error)) and cause not in first:
        first = f"{first.rstrip(':')}: {cause}"
    if (below := _reported_below(error)) and below not in first:
        first = below if below.startswith(first) else f"{first.rstrip(':')}: {below}"
    return (f"{kind}: {first}" if first else kind).rstrip(".:!")


def _written(path: str, line: int | None) -> str:
    """What stands in a line of a file now."""
    if not path or not line:
        return ""
    linecache.checkcache(path)
    return linecache.getline(path, line).strip()
