"""How far a piece of work is: a line for people, and beside it which phase it is in and what of it is counted.

Only what is countable is counted: how many graphs a program will have, nobody knows before it ran.
"""

from enum import Enum

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE


class Phase(Enum):
    """What compiling, judging and timing consist of, in the order in which one graph goes through them."""

    LOADING = "loading"
    DYNAMO = "dynamo"
    AOT_AUTOGRAD = "aot_autograd"
    INDUCTOR = "inductor"
    KERNELS = "kernels"
    RUNNING = "running"
    READING = "reading"
    JUDGING = "judging"
    TIMING = "timing"


class Step(msgspec.Struct, frozen=True):
    """Where the work is."""

    phase: Phase
    graph: int = 0
    """The how manieth Dynamo graph of the program, from 1; 0 where it is of none yet."""
    done: int = 0
    total: int = 0
    """0 where it cannot be counted."""


class Doing(str):
    """A line of progress that knows its step. Whoever passes lines on passes it on as well."""

    __slots__ = ("step",)

    step: Step | None

    def __new__(cls, text: str, step: Step | None) -> "Doing":
        """The text, with the step."""
        made = super().__new__(cls, text)
        made.step = step
        return made


_MARK = "\x1f"
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Step] = msgspec.json.Decoder(Step)


def step_of(text: str) -> Step | None:
    """The step of a line, where it has one."""
    return text.step if isinstance(text, Doing) else None


def prefixed(which: str, text: str) -> str:
    """A line of one of several things that are done in turn: of which, and what."""
    return Doing(f"{which}: {text}", step_of(text))


def line_of(text: str) -> str:
    """A line with its step as one line of text, for a pipe."""
    step, words = step_of(text), text.replace("\n", " ")
    return words if step is None else f"{words}{_MARK}{_ENCODER.encode(step).decode()}"


def from_line(line: str) -> str:
    """What `line_of` wrote; a step that is none is left out."""
    words, _, step = line.strip().partition(_MARK)
    try:
        return Doing(words, _DECODER.decode(step)) if step else words
    except UNREADABLE:
        return words
