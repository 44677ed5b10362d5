"""What compiling takes, what a step's memory goes to, what makes torch compile again: the question, rows, trials, the answer."""

import msgspec

from compiler.model.edits.edits import Edit
from compiler.model.experiments.trials import DimensionTrial
from compiler.model.ir.ids import CaptureId
from compiler.model.timing.paired_ratio import PairedRatio

COMPILE_TIME, MEMORY, RECOMPILES = "compile-time", "memory", "recompiles"
COSTS = (COMPILE_TIME, MEMORY, RECOMPILES)


_LESS = 0.97


class FindCost(msgspec.Struct, frozen=True, tag="find_cost"):
    """Find what one of `COSTS` goes to, and what a single change saves. Replies with `CostFound`."""

    capture: CaptureId
    what: str
    edits: tuple[Edit, ...] = ()
    sizes: DimensionTrial | None = None
    """With these sizes it is called too, one after the other, where recompiles are looked for."""


class CostRow(msgspec.Struct, frozen=True):
    """What a line, a module, or something without a line takes: seconds, bytes, or compiles."""

    name: str
    """``model.py:23``, ``layers.3 (Block)``, ``parameters``."""
    amount: float
    parts: tuple[tuple[str, float], ...] = ()
    """(what, how much of it): the phases of compiling, what kind of memory."""
    path: str = ""
    line: int | None = None
    detail: str = ""
    """The line's text, what a recompile was for."""


class CostTrial(msgspec.Struct, frozen=True):
    """One change tried on a copy."""

    what: str
    before: tuple[float, ...] = ()
    """Measured without it, each time that it was."""
    after: tuple[float, ...] = ()
    """And with it, in turns with `before`."""
    step: PairedRatio | None = None
    """The step's time with it over that without; None: not measured."""
    right: bool | None = None
    """Whether results are right with it, where it helps; None where that was not judged."""
    problem: str = ""
    """Why it could not be run."""

    @property
    def helps(self) -> bool:
        """Whether it took clearly less with it every time than without it any time."""
        return bool(self.before and self.after) and max(self.after) < _LESS * min(self.before)

    @property
    def saved(self) -> float:
        """Of what it takes without, from the least of both; negative where it takes more."""
        return min(self.before) - min(self.after) if self.before and self.after else 0.0


class CostTrialDone(msgspec.Struct, frozen=True, tag="cost_trial_done"):
    """Told while the search goes on."""

    capture: CaptureId
    trial: CostTrial


class CostFound(msgspec.Struct, frozen=True, tag="cost_found"):
    """What was found."""

    what: str
    """One of `COSTS`."""
    sentence: str
    total: float = 0.0
    """Seconds of a cold compile; bytes that a step takes at most beside what is there when it begins; compiles."""
    lines: tuple[CostRow, ...] = ()
    """The costliest first; what stands on no line has no path. They add up to `total` but for rounding, for memory to what is
    there at the peak by Inductor's plan.
    """
    modules: tuple[CostRow, ...] = ()
    """Each with all inside it, the costliest first."""
    trials: tuple[CostTrial, ...] = ()
    """What helps first, then as they were made."""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def helped(self) -> tuple[CostTrial, ...]:
        """What saves something, and leaves results right as far as that was judged."""
        return tuple(trial for trial in self.trials if trial.helps and trial.right is not False)
