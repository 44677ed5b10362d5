"""Every compile of a run on the run's own time axis."""

from collections import defaultdict

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_phases import WHOLE_BACKWARD, CompilePhase


class BarPhase(msgspec.Struct, frozen=True, array_like=True):
    """A phase of torch's inside a compile."""

    name: str
    begin: float
    seconds: float


class CompileBar(msgspec.Struct, frozen=True):
    """One compile."""

    id: str
    """Its compile id."""
    begin: float
    """Seconds since the process began to be recorded."""
    seconds: float
    backward: bool
    """A backward that was compiled when the program first asked for it."""
    again: bool
    """The function had been compiled before."""
    failed: bool
    """It runs eagerly."""
    title: str
    """``forward (model.py:12)``."""
    phases: tuple[BarPhase, ...] = ()
    """Those that torch names, outermost first."""


def bars_of(capture: Capture) -> tuple[CompileBar, ...]:
    """In the order in which they began; a compile for which torch named no phase has none."""
    frames = {frame.id: frame for frame in capture.frames}
    again = {record.compile_id for record in capture.recompiles}
    phases = [phase for phase in capture.phases if phase.kind == "phase"]
    inside: dict[int, list[int]] = defaultdict(list)
    for index, phase in enumerate(phases):
        inside[phase.parent].append(index)
    found = []
    for index in inside[-1]:
        phase = phases[index]
        frame = frames.get(phase.detail)
        found.append(
            CompileBar(
                phase.detail,
                phase.begin,
                phase.seconds,
                phase.name == WHOLE_BACKWARD,
                phase.detail in again or bool(frame is not None and frame.recompile_reasons),
                bool(frame is not None and (frame.error or frame.skip_reason)),
                f"{frame.name} ({_short(frame.path)}:{frame.line})" if frame is not None else phase.name,
                _outer_phases(phases, inside, index),
            )
        )
    return tuple(sorted(found, key=lambda bar: bar.begin))


def _outer_phases(
    phases: list[CompilePhase], inside: dict[int, list[int]], index: int
) -> tuple[BarPhase, ...]:
    """The phases right inside one; where there is only one, which says nothing, those inside of that."""
    rows = inside[index]
    while len(rows) == 1 and inside[rows[0]]:
        rows = inside[rows[0]]
    return tuple(BarPhase(phases[row].name, phases[row].begin, phases[row].seconds) for row in rows)


def _short(path: str) -> str:
    return path.rpartition("/")[2]
