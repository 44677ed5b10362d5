"""What makes compiled code give wrong results: the question, every step of the search, and the answer."""

import msgspec

from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import CaptureId, NodeId, StageId

FLOAT64, EAGER, EXPRESSION = "float64", "eager", "expression"


_TORCH_NAMES = ("decomposition", "extern kernel")
_OF_TORCH = ("aten.", "prims.", "extern_kernels.")


class CauseStep(msgspec.Struct, frozen=True):
    """One thing that was tried."""

    what: str
    """What ran instead: ``every Inductor graph op by op, as AOTAutograd made it``."""
    wrong: bool | None
    """Whether the results were wrong; None where it could not be run."""
    off: float | None = None
    """The largest error over the largest value of its tensor, from what is right."""
    stages: tuple[StageId, ...] = ()
    """What was proven right (not `wrong`) or stays suspected."""


class FindCause(msgspec.Struct, frozen=True, tag="find_cause"):
    """Find what makes the results of a capture wrong, with these edits (compiled already). Replies with `CauseFound`."""

    capture: CaptureId
    edits: tuple[Edit, ...] = ()
    against: str = FLOAT64
    """``float64``: as near to it as eager is; ``eager``: eager's within rounding; ``expression``: what `expression` says."""
    expression: str = ""
    """Python over `outputs`, `grads`, `results` (by name) and `torch`; true where the results are right."""
    known: tuple[CauseStep, ...] = ()
    """What a search for the same, stopped before, has reported: where the search comes by the same trials in the same order, their
    answers are taken, and only what could not be run, and what the others depend on, runs again.
    """


class CauseStepDone(msgspec.Struct, frozen=True, tag="cause_step_done"):
    """Told while the search goes on."""

    capture: CaptureId
    step: CauseStep


class CauseFound(msgspec.Struct, frozen=True, tag="cause_found"):
    """What was found. Without a `kind` nothing was, and `sentence` says what was excluded."""

    sentence: str
    """The whole answer, in one sentence."""
    kind: str = ""
    """``dynamo``, ``pass``, ``decomposition``, ``autograd``, ``joint pass``, ``partition``, ``fusion``, ``lowering``,
    ``code generation``, ``extern kernel``, ``overwritten input``, ``overwritten buffer``, ``edit``.
    """
    graph: str = ""
    """Compile id of the Dynamo graph."""
    part: str = ""
    """``forward``, ``backward`` or ``inference``, where only one half is wrong."""
    stage: StageId = ""
    """The first stage that is wrong."""
    name: str = ""
    """Of the pass, the pattern, the decomposed operator or the kernel."""
    nodes: tuple[NodeId, ...] = ()
    """Of `stage`: the nodes that are wrong, or the scheduler nodes that are fused."""
    path: str = ""
    line: int | None = None
    """The user's line that the nodes come from, as torch recorded it."""
    kernel_lines: tuple[int, ...] = ()
    """Lines of the kernel `name` that compute the nodes, from 1."""
    right_with: tuple[str, ...] = ()
    """What made the results right when it was tried: ``config.cpp.simdlen = 1``."""
    off: float | None = None
    """How far the wrong result is from what is right, over its largest value; and the same of eager's, and of the program
    with the cause taken out."""
    off_eager: float | None = None
    off_without: float | None = None
    repeated: int = 0
    """How often it was wrong with the cause and right without, in turn, at the end."""
    innocent: tuple[StageId, ...] = ()
    """Stages that were proven right."""
    steps: tuple[CauseStep, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def hidden_sentence(self) -> str:
        """The answer without a name that somebody may have given in the program."""
        named = self.name if self.kind in _TORCH_NAMES and self.name.startswith(_OF_TORCH) else ""
        half = f" of the {self.part} graph" if self.part else ""
        return f"Compiled code is wrong: {self.kind or 'the cause was not found'}{f' {named}' if named else ''}{half}."

    @property
    def wrong(self) -> bool:
        """Whether there was something to find."""
        return any(step.wrong for step in self.steps)
