"""How and where the worker died, in words, from its exit and from what it printed last."""

import os
import re
import signal
import sysconfig
from dataclasses import dataclass

from compiler.installation import HOME, RESOURCES
from compiler.model.capture.generated_files import is_generated
from compiler.model.ir.diagnostics import Problem, Severity

STACK_BEGIN, STACK_END = "LOUPE-STACK begin", "LOUPE-STACK end"
"""Lines around a stack that the worker prints to be read here, and not for people."""
_FRAME = re.compile(r'File "([^"]+)", line (\d+),? in (\S+)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""With ``FORCE_COLOR`` Python 3.13 and later colour tracebacks, in a file too."""
_AT = re.compile(r" at (.+):(\d+)$")
_DETAIL_LINES = 60


@dataclass(frozen=True)
class Death:
    """What is known when a worker is gone."""

    how: str
    """``ended with exit code 3``, ``was ended by SIGSEGV``, ``was killed because it did not stop``."""
    doing: str
    """The last progress text, or empty."""
    printed: str
    """The last it printed on standard error."""
    requested: bool = False
    """The person wanted it."""


def how_it_ended(crashed: bool, code: int) -> str:
    """The end of a process in words; for a crash `code` is the signal's number."""
    if not crashed:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(code).name}"
    except ValueError:
        return "was ended from outside"


def death_problem(death: Death, restarts: bool = True) -> Problem:
    """What to report: how it died, what it was doing, and the line of the user's where it was."""
    doing = f" while it was doing this: {death.doing}" if death.doing else ""
    frame = users_frame(death.printed) or place_in(death.doing)
    remedy = "It starts again by itself; captures and edits are kept." if restarts else ""
    if frame is not None and not death.requested:
        remedy = f"{remedy} Look at the line named here.".strip()
    return Problem(
        f"The engine {death.how}{doing}.",
        remedy,
        path=frame[0] if frame else "",
        line=frame[1] if frame else None,
        severity=Severity.WARNING if death.requested else Severity.ERROR,
        detail="\n".join(_plain(death.printed).splitlines()[-_DETAIL_LINES:]),
    )


def place_in(doing: str) -> tuple[str, int] | None:
    """File and line at the end of a progress text, where one stands there."""
    found = _AT.search(doing)
    return (found[1], int(found[2])) if found else None


def users_frame(printed: str) -> tuple[str, int] | None:
    """File and line of the innermost frame that is the user's, in the last stack that was printed; None if none is.

    Not the user's: installed packages, the Python library, generated kernels, and our own compiler.
    """
    for stack in reversed(_stacks(printed)):
        for path, line in stack:
            if _is_users(path):
                return path, line
    return None


def _stacks(printed: str) -> list[list[tuple[str, int]]]:
    """Every stack in the text, innermost frame first; that of the thread that died comes last."""
    stacks: list[list[tuple[str, int]]] = []
    frames: list[tuple[str, int]] = []
    first_is_innermost = False
    current_thread: list[tuple[str, int]] = []
    for line in (*_plain(printed).splitlines(), "Traceback"):
        found = _FRAME.search(line)
        if found:
            frames.append((found[1], int(found[2])))
        elif line.startswith(
            ("Traceback", "Thread", "Current thread", "Stack", "Fatal", STACK_BEGIN, STACK_END)
        ):
            if frames and current_thread is not frames:
                stacks.append(frames if first_is_innermost else frames[::-1])
            frames = []
            first_is_innermost = "most recent call first" in line
            if line.startswith("Current thread"):
                current_thread = frames
    if current_thread:
        stacks.append(current_thread)
    return stacks


def _plain(printed: str) -> str:
    return _COLOUR.sub("", printed)


def _is_users(path: str) -> bool:
    if path.startswith(f"{RESOURCES}{os.sep}"):
        return True  # examples and lessons, also where we are an installed package
    if path.startswith("<") or "site-packages" in path or "dist-packages" in path or is_generated(path):
        return False
    paths = sysconfig.get_paths()
    library = (paths["stdlib"], paths["platstdlib"], str(HOME / "compiler"))
    return not path.startswith(tuple(f"{folder}/" for folder in library))
