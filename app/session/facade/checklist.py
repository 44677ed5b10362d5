"""What is done and what is at hand of a piece of work, from the steps that the engine reports."""

from dataclasses import dataclass

from app.translation.texts import tr, tr_noop
from compiler.model.protocol.progress import Phase, Step

_ORDER = tuple(Phase)
_NAMES = {
    Phase.LOADING: tr_noop("loading"),
    Phase.DYNAMO: "Dynamo",
    Phase.AOT_AUTOGRAD: "AOTAutograd",
    Phase.INDUCTOR: "Inductor",
    Phase.KERNELS: tr_noop("kernels"),
    Phase.RUNNING: tr_noop("running"),
    Phase.READING: tr_noop("reading the stages"),
    Phase.JUDGING: tr_noop("judging"),
    Phase.TIMING: tr_noop("timing"),
}
_PASSING = frozenset({Phase.LOADING, Phase.RUNNING, Phase.READING})
"""Shown while they go on, and of no interest afterwards."""
_ENOUGH = 2
"""So many of what is counted must be done before the time that the rest takes is reported."""


@dataclass(frozen=True)
class Line:
    """One phase."""

    phase: Phase
    now: bool
    done: int = 0
    total: int = 0

    @property
    def text(self) -> str:
        """``Dynamo ✓``, ``kernels 8/18``, ``Inductor …``."""
        name = tr(_NAMES[self.phase])
        if self.total and (self.now or self.done < self.total):
            return f"{name} {self.done}/{self.total}"
        return f"{name} …" if self.now else f"{name} ✓"


class Checklist:
    """Nothing is listed before it began: what is still to come is not known."""

    def __init__(self) -> None:
        self.lines: tuple[Line, ...] = ()
        self.graph = 0
        """The how manieth graph of the program it is, or 0."""
        self._since = 0.0
        self._first = 0

    def clear(self) -> None:
        """Another piece of work."""
        self.lines, self.graph = (), 0

    def take(self, step: Step, now: float) -> None:
        """The work is at this step; `now` in seconds of any clock that goes on."""
        before = self.lines[-1] if self.lines else None
        if before is None or (before.phase, before.total) != (step.phase, step.total):
            self._since, self._first = now, step.done
        if step.phase is Phase.DYNAMO and not step.graph:
            self.graph = 0
        self.graph = step.graph or self.graph
        rank = _ORDER.index(step.phase)
        kept = [
            Line(line.phase, False, line.total, line.total)
            for line in self.lines
            if line.phase not in _PASSING
            and (_ORDER.index(line.phase) < rank or step.phase in _PASSING)
            and line.phase is not step.phase
        ]
        self.lines = (*kept, Line(step.phase, True, step.done, step.total))

    @property
    def text(self) -> str:
        """All lines as one."""
        which = tr("graph {graph}: ").format(graph=self.graph) if self.graph else ""
        return which + " · ".join(line.text for line in self.lines)

    @property
    def part(self) -> float | None:
        """How much of what is counted now is done, 0 to 1; None where nothing is counted."""
        line = self.lines[-1] if self.lines else None
        return line.done / line.total if line is not None and line.total else None

    def seconds_left(self, now: float) -> float | None:
        """How long the rest of what is counted takes if it goes on so; None where that cannot be told."""
        line = self.lines[-1] if self.lines else None
        if line is None or not line.total or line.done - self._first < _ENOUGH:
            return None
        each = (now - self._since) / (line.done - self._first)
        return max(each * (line.total - line.done), 0.0)
