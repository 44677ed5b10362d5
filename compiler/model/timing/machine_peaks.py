"""What this machine reaches at best: copying at several sizes of the working set, and matrix products. Measured, with spread."""

import itertools
import math

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """Bytes or floating-point operations a second."""

    median: float
    low: float
    """25th percentile."""
    high: float
    """75th percentile."""
    count: int


class CopyCeiling(msgspec.Struct, frozen=True):
    """Copying a tensor into another, the call included."""

    bytes: int
    """Read and written together: the working set."""
    rate: Rate


class MatmulCeiling(msgspec.Struct, frozen=True):
    """The fastest matrix product of a dtype among a few sizes."""

    dtype: str
    size: int
    """Rows and columns."""
    rate: Rate


class MachineCeilings(msgspec.Struct, frozen=True, tag="machine_ceilings"):
    """The ceilings of one machine with one number of threads."""

    processor: str
    threads: int
    torch: str
    copies: tuple[CopyCeiling, ...]
    """By size."""
    matmuls: tuple[MatmulCeiling, ...]
    measured_at: str = ""
    """ISO date and time."""

    def copy_rate(self, working_set: int) -> float:
        """Bytes a second that copying reaches with a working set of so many bytes; between sizes measured it is drawn
        straight on logarithmic axes.
        """
        rows = self.copies
        if working_set <= rows[0].bytes:
            return rows[0].rate.median
        for before, after in itertools.pairwise(rows):
            if working_set <= after.bytes:
                span = math.log(after.bytes / before.bytes)
                share = math.log(working_set / before.bytes) / span
                return float(before.rate.median ** (1 - share) * after.rate.median**share)
        return rows[-1].rate.median

    def matmul(self, dtype: str) -> MatmulCeiling:
        """The ceiling of a dtype; that of float32 where it was not measured."""
        return next((row for row in self.matmuls if row.dtype == dtype), self.matmuls[0])
