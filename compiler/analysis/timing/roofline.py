"""How far a kernel is from what the machine can do, as numbers and in words."""

import msgspec

from compiler.analysis.timing.kernel_work import KernelWork
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.timing.machine_peaks import MachineCeilings

_NEAR = 0.95
"""From this share of a ceiling on, it is called reached."""


class RoofPoint(msgspec.Struct, frozen=True):
    """One kernel under the roof."""

    work: KernelWork
    nanoseconds: float
    """Median time of a call."""
    bytes_rate: float | None
    """Bytes a second."""
    flops_rate: float | None
    """Operations a second."""
    roof_nanoseconds: float
    """The shortest time that the measured ceilings allow."""
    memory_bound: bool
    """Whether moving its bytes takes longer than its operations, at the ceilings."""

    @property
    def share(self) -> float:
        """Of the ceiling that holds it; above 1 where it is faster than what was measured as the ceiling."""
        return self.roof_nanoseconds / self.nanoseconds


def roof_point(work: KernelWork, nanoseconds: float, ceilings: MachineCeilings) -> RoofPoint | None:
    """A kernel's place; None where nothing is known of its work or its time."""
    if not work.bytes or nanoseconds <= 0:
        return None
    moving = work.bytes / ceilings.copy_rate(work.bytes) * 1e9
    computing = (work.flops or 0) / ceilings.matmul(work.dtype).rate.median * 1e9
    return RoofPoint(
        work,
        nanoseconds,
        work.bytes / nanoseconds * 1e9,
        work.flops / nanoseconds * 1e9 if work.flops is not None else None,
        max(moving, computing),
        moving >= computing,
    )


def format_roof(point: RoofPoint, ceilings: MachineCeilings) -> str:
    """``moves 3.1 MiB at 9.8 GB/s: 61 % of what copying 3.1 MiB reaches here``."""
    work, share = point.work, point.share
    assert work.bytes is not None
    if point.memory_bound:
        did = f"moves {describe_bytes(work.bytes)} at {rate_text(point.bytes_rate or 0.0, 'B/s')}"
        ceiling = f"copying with a working set of {describe_bytes(work.bytes)}"
    else:
        did = (
            f"does {count_text(work.flops or 0)} operations at {rate_text(point.flops_rate or 0.0, 'FLOP/s')}"
        )
        ceiling = f"a {ceilings.matmul(work.dtype).dtype} matrix product"
    if share > 1 / _NEAR:
        why = (
            "what it reads may still be in a nearer cache, or it moves less than counted"
            if point.memory_bound
            else "the ceiling was measured on other sizes, or at a noisier moment"
        )
        return f"{did}: {share:.0%} of what {ceiling} reaches here; {why}"
    return f"{did}: {share:.0%} of what {ceiling} reaches here"


def rate_text(value: float, unit: str) -> str:
    """``9.80 GB/s``: decimal prefixes."""
    for prefix, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def count_text(value: int) -> str:
    """``2.10 million``."""
    for word, size in (("trillion", 1e12), ("billion", 1e9), ("million", 1e6), ("thousand", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {word}"
    return str(value)
