"""What torch measured on a real GPU while it compiled, and what became of CUDA graphs."""

import msgspec

TEMPLATE, CONFIGURATION = "template", "configuration"


class Candidate(msgspec.Struct, frozen=True):
    """One way to do it that torch timed."""

    name: str
    configuration: str = ""
    seconds: float | None = None
    """As torch measured it on this GPU; None where it could not be run."""


class MeasuredChoice(msgspec.Struct, frozen=True):
    """One decision, the fastest candidate first."""

    what: str
    """`TEMPLATE`: which kernel does a matrix product; `CONFIGURATION`: blocks and warps of a generated kernel."""
    subject: str
    """The operation with its sizes, or the kernel's name."""
    candidates: tuple[Candidate, ...]


class CudaGraphNote(msgspec.Struct, frozen=True):
    """One recording of a CUDA graph, or why there is none."""

    part: str
    """``forward``, ``backward``, ``inference``; empty where torch does not say."""
    compile_id: str
    recorded: bool
    reason: str = ""
    """Why torch skipped it, in its words."""
    seconds: float | None = None
    """To record it."""

    def words(self) -> str:
        """In a sentence."""
        which = " ".join(filter(None, (self.compile_id, self.part)))
        if self.recorded:
            spent = f" in {self.seconds * 1e3:.1f} ms" if self.seconds is not None else ""
            return f"CUDA graph of {which or 'a part'}: recorded{spent}, replayed from then on."
        return f"No CUDA graph{f' of {which}' if which else ''}: {self.reason}"
