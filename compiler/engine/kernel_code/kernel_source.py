"""A kernel's source inside a generated wrapper: put another one in its place; find a compiler's error in it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from compiler.engine.errors import EngineError, failure_from
from compiler.model.capture.counted import first_of
from compiler.model.edits.edits import Edit
from compiler.model.edits.unfit_edits import does_not_fit
from compiler.model.ir.ids import StageId, place

_ERROR = re.compile(
    r"^(?P<path>[^:\n]+\.(?:cpp|h)):(?P<line>\d+):\d+: (?:fatal )?error: (?P<what>.+)$", re.MULTILINE
)


def with_kernel_source(
    wrapper: str, name: str, source: str, edits: tuple[Edit, ...] = (), stage: StageId = ""
) -> str:
    """The wrapper's text with another source for a kernel. Raises EngineError where it defines no such kernel."""
    constants = dict(_constants(wrapper))
    constant = constants.get(name)
    if constant is None and re.search(rf"\b{re.escape(name)}\(", wrapper):
        what = f"{name} is a library call; it has no source to edit."
        raise EngineError(what, "Undo the edit of the kernel.")
    if constant is None:
        there = f"; its kernels are {first_of([*constants], 6)}" if constants else ""
        what = f"There is no kernel {name} in the code that Inductor generated{there}."
        raise EngineError(does_not_fit(what, edits, stage))
    lines = wrapper.split("\n")
    first, last = constant.lineno - 1, (constant.end_lineno or constant.lineno) - 1
    head = lines[first].encode()[: constant.col_offset].decode()
    tail = lines[last].encode()[constant.end_col_offset or 0 :].decode()
    return "\n".join((*lines[:first], f"{head}{_literal(source)}{tail}", *lines[last + 1 :]))


def _constants(wrapper: str) -> Iterator[tuple[str, ast.Constant]]:
    """Kernels by name: the longest text in the statement that defines one."""
    for statement in ast.parse(wrapper).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            target = statement.targets[0]
            texts = [
                item
                for item in statement.value.args
                if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
            if isinstance(target, ast.Name) and texts:
                yield target.id, max(texts, key=lambda item: len(str(item.value)))


def _literal(source: str) -> str:
    text = f"\n{source}\n"
    return repr(text) if "'''" in text else f"r'''{text}'''"


def build_error(error: Exception, stage: StageId, sources: dict[str, str]) -> EngineError:
    """What a compiler said of an edited kernel, on the line of the kernel where it can be told."""
    for found in _ERROR.finditer(str(error)):
        for name, line in _lines_of(found["path"], int(found["line"]), sources):
            return EngineError(
                f"{name}, line {line}: {found['what'].strip()}.",
                "Correct the source; the version before it still runs.",
                place=place(stage, f"{name}:L{line}"),
                detail=str(error),
            )
    return failure_from(
        error, "The edited kernel does not build", "Correct the source; the version before it still runs."
    )


def _lines_of(path: str, line: int, sources: dict[str, str]) -> Iterator[tuple[str, int]]:
    """(kernel, its line) of a line of the file that was compiled."""
    try:
        lines = [row.strip() for row in Path(path).read_text(encoding="utf-8").split("\n")]
    except OSError:
        return
    for name, source in sources.items():
        rows = [row.strip() for row in source.strip("\n").split("\n")]
        for start in range(len(lines) - len(rows) + 1):
            if lines[start : start + len(rows)] == rows and start < line <= start + len(rows):
                yield name, line - start
