"""What a tour is: a program, and steps that each point at something and may wait until it was done."""

from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {"en": "English", "zh": "中文"}
"""By code; the first one stands in where a text has no other."""
FIRST_LANGUAGE = next(iter(LANGUAGES))


@dataclass(frozen=True)
class LocalText:
    """A text in one or more languages."""

    by_language: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.by_language)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of those it is written in."""
        return tuple(code for code, _ in self.by_language)

    def text(self, language: str) -> str:
        """In a language; in English, or the first there is, where it lacks that one."""
        found = dict(self.by_language)
        return found.get(language) or found.get(FIRST_LANGUAGE) or next(iter(found.values()), "")


@dataclass(frozen=True)
class Goal:
    """What a step waits for: one thing that can be seen to be done."""

    kind: str
    """A key of `GOALS`."""
    value: str | int | bool


GOALS: dict[str, type] = {
    "line": int,  # this line of the program is selected
    "node": str,  # a node of the stage in front that is called so, or calls this, is selected
    "stage": str,  # a stage of this kind is in front: "joint_graph", "backward kernels"
    "pane": str,  # this pane can be seen
    "workspace": str,  # this workspace is in front
    "edits": int,  # so many edits are active (0: all are taken back)
    "compiled": bool,  # the active edits are compiled and judged
    "pass": bool,  # the stage in front is looked at as it was after one of its passes
    "timed": bool,  # a step was timed
    "trial": bool,  # a remedy was tried on a copy
    "kept": bool,  # it was kept, and the program captured so
    "front_ends": bool,  # the program was captured in every way
    "lowered": bool,  # a Triton kernel was lowered to machine code
}
"""What may be waited for, with the type of its value."""

ACTIONS_OF_TOURS = ("edit.", "fusion.", "partition.", "transform.", "view.")
"""How the actions begin that a step may do for somebody: those that change nothing outside the session."""


@dataclass(frozen=True)
class TourStep:
    """One card."""

    title: LocalText
    text: LocalText
    then: LocalText = LocalText()
    """Shown once its goal is reached: what to see now."""
    point: str = ""
    """A pane's id, ``result``, ``workspaces``, ``panes`` or ``toolbar``; empty for the whole window."""
    pane: str = ""
    """Brought to the front when the step begins."""
    workspace: str = ""
    stage: str = ""
    """Shown when the step begins: a kind, after ``forward `` or ``backward `` where there are two."""
    line: int = 0
    """Of the program; selected when the step begins."""
    goal: Goal | None = None
    action: str = ""
    """The id of the action that reaches the goal, where it is not plain from it."""


@dataclass(frozen=True)
class Tour:
    """One tour."""

    name: str
    """Of its file, without ``.toml``."""
    title: LocalText
    about: LocalText
    target: str
    """``file.py:Name``."""
    folder: str
    """Where `target` starts from."""
    training: bool
    gpu: str
    """The name of the GPU it is cross-compiled for, or empty."""
    steps: tuple[TourStep, ...]
    path: Path
    shipped: bool
    """Whether it came with us; the program of any other is run only after a question."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that every text of it is written in."""
        texts = [self.title, self.about]
        for step in self.steps:
            texts += [step.title, step.text, step.then]
        return tuple(code for code in LANGUAGES if all(code in text.languages for text in texts if text))
