"""Which lines of the readers were executed. Only their own frames are traced, so that a sample of files takes seconds."""

import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, ModuleType

from app.session.edit_history import journal_lines
from compiler.analysis.edits import history_replay
from compiler.analysis.session_file import session_members, session_reading
from compiler.command_line import session_io
from compiler.model.edits import recipe_file
from compiler.model.ir import gpu_target
from compiler.model.session_file import checks, nesting, reading_limits, stage_checks

_WHOLE: tuple[ModuleType, ...] = (
    session_members,
    session_reading,
    checks,
    nesting,
    stage_checks,
    reading_limits,
    history_replay,
)
_SOME: tuple[Callable[..., object], ...] = (
    journal_lines.read_journal, journal_lines.steps_of, journal_lines._take, journal_lines._whole, recipe_file.read_recipe,
    session_io._checked, gpu_target.find_target,
)  # fmt: skip

_NOT_BY_A_FILE = ("read_session", "factor_chosen", "nobody")
"""What only the writer, a test or a setting leads to."""


def reader_lines() -> dict[str, set[int]]:
    """The lines of code of every reader, by file."""
    found: dict[str, set[int]] = {}
    for code in _codes():
        lines = {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
        found.setdefault(code.co_filename, set()).update(lines)
    return found


def _codes() -> Iterator[CodeType]:
    for function in _SOME:
        yield from _inside(function.__code__)
    for module in _WHOLE:
        for thing in vars(module).values():
            if getattr(thing, "__module__", None) != module.__name__:
                continue
            for function in (thing, *vars(thing).values()) if inspect.isclass(thing) else (thing,):
                function = getattr(function, "fget", function)
                code = getattr(function, "__code__", None)
                if code is None or code.co_name in _NOT_BY_A_FILE:
                    continue
                if code.co_filename == module.__file__:
                    yield from _inside(code)


def _inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


class LinesReached:
    """Notes lines while it is entered."""

    def __init__(self) -> None:
        self._wanted = reader_lines()
        self._reached: dict[str, set[int]] = {name: set() for name in self._wanted}

    def __enter__(self) -> None:
        sys.settrace(self._call)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def found(self) -> dict[str, list[int]]:
        """By file."""
        return {name: sorted(lines & self._wanted[name]) for name, lines in self._reached.items()}

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., object] | None:
        reached = self._reached.get(frame.f_code.co_filename)
        if reached is None:
            return None

        def line(frame: FrameType, event: str, _argument: object) -> Callable[..., object]:
            if event == "line":
                reached.add(frame.f_lineno)
            return line

        return line
