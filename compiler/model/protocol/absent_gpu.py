"""What is asked of the process that compiles on fake tensors, for an absent GPU or without values, and what it answers."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId

PROGRESS = "\x1eloupe: "
"""Begins a line of its output that says what it is doing."""


class Order(msgspec.Struct, frozen=True):
    """The capture to make; `spec` says for what."""

    spec: CaptureSpec
    id: CaptureId
    edits: tuple[Edit, ...] = ()
    """To be carried out on what was captured, which is then compiled again from there on."""
    edited_id: CaptureId = ""
    """Of the capture with the edits, which is then the answer."""


class Answer(msgspec.Struct, frozen=True):
    """The capture, or why there is none."""

    capture: Capture | None = None
    problem: Problem | None = None


class TestCrossCompilation(msgspec.Struct, frozen=True, tag="test_emulation"):
    """Try whether an absent GPU can be compiled for. Replies with `CrossCompilationTested`."""

    __test__ = False


class CrossCompilationTested(msgspec.Struct, frozen=True, tag="emulation_tested"):
    """What came of it."""

    problem: Problem | None
    """Why not; None where it can."""
    kernels: int = 0
    """Triton kernels that a small program gave, trained."""
    seconds: float = 0.0

    def words(self) -> str:
        """In a sentence."""
        if self.problem is not None:
            return f"not supported here: {self.problem.message()}"
        return f"works here: a small program gave {self.kernels} Triton kernels in {self.seconds:.0f} s"
