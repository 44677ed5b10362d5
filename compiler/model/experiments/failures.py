"""Why a program cannot be compiled, or why capturing stops in it: at which step, and the least program that shows it."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec, OptionValue
from compiler.model.experiments.causes import CauseStep
from compiler.model.experiments.least_programs import LeastProgram

RAISES, DIES, HANGS = "raises", "dies", "hangs"
EAGER, AOT, DECOMPOSED, OWN = "eager", "aot_eager", "aot_eager_decomp_partition", ""
"""Backends that a program is compiled with, in this order: Dynamo alone, and AOTAutograd, and decompositions and partition, and
last its own.
"""


class Failure(msgspec.Struct, frozen=True):
    """What happened. Two failures are the same where all but the message is equal."""

    how: str
    """One of `RAISES`, `DIES`, `HANGS`."""
    error: str = ""
    """The exception's type as torch raised it first, or the signal."""
    frame: str = ""
    """The innermost function of torch's, ``_inductor/lowering.py: cat``."""
    said: str = ""
    """What else must be equal: the first error of a C++ compiler without what is numbered."""
    message: str = ""
    """One line."""

    def same_as(self, other: "Failure") -> bool:
        """Whether two programs fail for the same reason."""
        return (self.how, self.error, self.frame, self.said) == (
            other.how,
            other.error,
            other.frame,
            other.said,
        )

    @property
    def words(self) -> str:
        """As the end of a sentence."""
        if self.how == HANGS:
            return "does not end"
        if self.how == DIES:
            return f"ends the process ({self.error})"
        return f"raises {self.error} in {self.frame}" if self.frame else f"raises {self.error}"


class FindFailure(msgspec.Struct, frozen=True, tag="find_failure"):
    """Compile a program with one step of the pipeline more each time, each in a process of its own, until one fails; then make
    its graph smaller while it fails for the same reason. Replies with `FailureFound`.
    """

    spec: CaptureSpec
    seconds: float = 120.0
    """After so many it is taken to hang."""
    shrink: bool = True


class FailureFound(msgspec.Struct, frozen=True, tag="failure_found"):
    """The answer."""

    sentence: str
    failure: Failure | None = None
    """None: it compiles and runs."""
    level: str = ""
    """One of the backends above."""
    steps: tuple[CauseStep, ...] = ()
    least: LeastProgram | None = None
    why_not: str = ""
    """Why there is no least program."""
    seconds: float = 0.0


class ShrinkBreak(msgspec.Struct, frozen=True, tag="shrink_break"):
    """Take statements out of the target's file while the same graph break is met. Replies with `LeastProgram`."""

    spec: CaptureSpec
    kind: str
    """Torch's ``gb_type``."""
    registry_id: str
    reason: str
    seconds: float = 120.0


class RunAtLevel(msgspec.Struct, frozen=True, tag="run_at_level"):
    """Compile and run a program with one of the backends above; with None as it is. Answered by `ProgramEnded`, or by death."""

    spec: CaptureSpec
    level: str | None


class RunText(msgspec.Struct, frozen=True, tag="run_text"):
    """Run the main part of a Python file that was written for it. Answered by `ProgramEnded`, or by death."""

    text: str


class RunForBreaks(msgspec.Struct, frozen=True, tag="run_for_breaks"):
    """Compile and run a program, of which one file has another text, with Dynamo alone. Answered by `BreaksMet`."""

    spec: CaptureSpec
    path: str
    text: str


class ProgramEnded(msgspec.Struct, frozen=True, tag="program_ended"):
    """It raised, or it did not."""

    failure: Failure | None = None


class BreakMet(msgspec.Struct, frozen=True):
    """One graph break."""

    kind: str
    registry_id: str
    reason: str
    in_file: bool
    """Whether it is reported in the file that has another text."""


class BreaksMet(msgspec.Struct, frozen=True, tag="breaks_met"):
    """In the order they were met; empty where the program does not run."""

    rows: tuple[BreakMet, ...] = ()
    failed: str = ""


class CompileCall(msgspec.Struct, frozen=True):
    """How ``torch.compile`` is called in a file that is written."""

    backend: str = "inductor"
    mode: str | None = None
    options: tuple[tuple[str, OptionValue], ...] = ()
    dynamic: bool | None = None

    @property
    def text(self) -> str:
        """The call's arguments behind the function."""
        reported = [f"backend={self.backend!r}"] if self.backend != "inductor" else []
        reported += [f"mode={self.mode!r}"] if self.mode is not None else []
        reported += [f"options={dict(self.options)!r}"] if self.options else []
        reported += [f"dynamic={self.dynamic}"] if self.dynamic is not None else []
        return ", ".join(["program", *reported])
