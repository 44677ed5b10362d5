"""What a probe saw of a tensor while the program ran."""

import msgspec

from compiler.model.ir.ids import NodeId, StageId


class ProbeReading(msgspec.Struct, frozen=True):
    """One tensor at one probe, in one run."""

    stage: StageId
    node: NodeId
    """The node whose result was probed."""
    kind: str
    """``print``, ``histogram`` or ``nan``."""
    type: str
    """``f32[32, 128]``."""
    count: int
    nans: int
    infinities: int
    minimum: float | None = None
    """Of the finite values; None where there is none."""
    maximum: float | None = None
    mean: float | None = None
    deviation: float | None = None
    first: str = ""
    """The first values, as text."""
    histogram: tuple[int, ...] = ()
    """Counts of the finite values between minimum and maximum, in equal steps."""


_BARS = " ▁▂▃▄▅▆▇█"


def bars(counts: tuple[int, ...]) -> str:
    """A histogram in one line of text; what is not empty is seen."""
    most = max(counts, default=0)
    return "".join(_BARS[0 if not count else 1 + (count * 7) // most] for count in counts)


def describe_reading(reading: ProbeReading) -> str:
    """One line (two with a histogram) about a reading."""
    head = f"{reading.node}  {reading.type}"
    spread = ""
    if reading.minimum is not None and reading.maximum is not None:
        spread = (
            f"  min {reading.minimum:.4g}  mean {reading.mean or 0.0:.4g}  max {reading.maximum:.4g}"
            f"  std {reading.deviation or 0.0:.4g}"
        )
    bad = "".join(f"  {n} {word}" for n, word in ((reading.nans, "NaN"), (reading.infinities, "Inf")) if n)
    text = f"{head}{spread}{bad}"
    if reading.kind == "print":
        return f"{text}  [{reading.first}]"
    return f"{text}\n    ▕{bars(reading.histogram)}▏" if reading.kind == "histogram" else text


def report(readings: tuple[ProbeReading, ...]) -> str:
    """What to print of a run: every reading, or where values are not finite for the first time."""
    lines = [describe_reading(reading) for reading in readings if reading.kind != "nan"]
    watched = [reading for reading in readings if reading.kind == "nan"]
    if watched:
        found = next((reading for reading in watched if reading.nans or reading.infinities), None)
        lines.append(
            f"First values that are not finite: {describe_reading(found)} ({found.stage})"
            if found
            else f"All values of {len(watched)} probes are finite."
        )
    return "\n".join(lines)
