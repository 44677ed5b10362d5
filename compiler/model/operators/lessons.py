"""Lessons: programs in steps that run for real, each with what it printed, what it registered and which kernels were called."""

from pathlib import Path

import msgspec

from compiler.installation import RESOURCES
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.dispatching import DispatchCall, Registration


class Lesson(msgspec.Struct, frozen=True):
    """One lesson that comes with Torch Loupe."""

    name: str
    """As it is given on the command line; the file's name without its end."""
    title: str
    text: str
    """One sentence."""

    @property
    def path(self) -> Path:
        """The program: steps begin with a line ``# %% title``; ``# %% [calls] title`` where kernels are noted."""
        return RESOURCES / "lessons" / f"{self.name}.py"


LESSONS = (
    Lesson(
        "custom_operator",
        "An operator of your own",
        "Kernels are registered one after another; the dispatch table grows with each.",
    ),
    Lesson(
        "python_device",
        "A device in Python",
        "Storage, a kernel and a fallback make a device that autograd works on.",
    ),
    Lesson(
        "loop_nests",
        "A loop nest by hand",
        "Fusion, splitting and reordering of loops, one at a time; what they compute stays the same.",
    ),
    Lesson("vmap_by_hand", "vmap by hand", "A tensor that hides a dimension and a rule for each operation."),
)


class OperatorChange(msgspec.Struct, frozen=True):
    """What a step registered for an operator that the lesson watches."""

    name: str
    added: tuple[Registration, ...]


class LessonStep(msgspec.Struct, frozen=True):
    """One step as it ran."""

    title: str
    line: int
    """Of its title, from 1."""
    code: str
    printed: str = ""
    changes: tuple[OperatorChange, ...] = ()
    calls: tuple[DispatchCall, ...] = ()
    """Where the step asks for them: the kernels that were called."""
    problem: Problem | None = None
    """Why the step failed; no step follows it."""


class LessonRun(msgspec.Struct, frozen=True, tag="lesson_run"):
    """Reply to `RunLesson`."""

    name: str
    text: str
    path: str
    steps: tuple[LessonStep, ...]
    commit: str = ""


class RunLesson(msgspec.Struct, frozen=True, tag="run_lesson"):
    """Run a lesson in a process of its own, since it registers operators and devices. Replies with `LessonRun`."""

    name: str
    text: str = ""
    """The lesson as somebody changed it, or one of theirs; empty for the one that comes with Torch Loupe."""


def find_lesson(name: str) -> Lesson:
    """The lesson of that name. Raises ValueError with the names there are."""
    for lesson in LESSONS:
        if lesson.name == name.replace("-", "_"):
            return lesson
    raise ValueError(f"{name!r} is no lesson; there are {', '.join(lesson.name for lesson in LESSONS)}")
