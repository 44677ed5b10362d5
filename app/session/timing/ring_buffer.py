"""The last samples of an endless run. Needs numpy, so it is loaded with the first sample and not with the window."""

import numpy
import numpy.typing

from compiler.model.timing.step_trace import StepPart
from compiler.model.timing.timings import TimingBatch, TimingSummary

Samples = numpy.typing.NDArray[numpy.int64]

CAPACITY = 2000
"""Iterations that are kept."""


class Ring:
    """The last rows of an endless table."""

    def __init__(self, columns: int) -> None:
        self._rows: Samples = numpy.full((CAPACITY, columns), -1, dtype=numpy.int64)
        self._written = 0

    def extend(self, rows: Samples) -> None:
        """Append rows."""
        rows = rows[-CAPACITY:]
        at = (self._written + numpy.arange(len(rows))) % CAPACITY
        self._rows[at] = rows
        self._written += len(rows)

    def rows(self) -> Samples:
        """All rows that are kept, in no order."""
        return self._rows[: min(self._written, CAPACITY)]

    def column(self, index: int) -> Samples:
        """A column, oldest first."""
        if self._written <= CAPACITY:
            return self._rows[: self._written, index].copy()
        start = self._written % CAPACITY
        column = self._rows[:, index]
        return numpy.concatenate((column[start:], column[:start]))


class Rings:
    """What is kept of one run."""

    def __init__(self, kernels: int) -> None:
        self._kernel_count = kernels
        self.kernels = Ring(kernels)
        self.compiled = Ring(1)
        self.clocked = Ring(1)
        self.eager = Ring(1)
        self.parts = Ring(len(StepPart))
        self.pairs = Ring(2)

    def extend(self, batch: TimingBatch) -> None:
        """Append a batch."""
        if batch.kernels:
            rows = numpy.asarray(batch.kernels, dtype=numpy.int64)
            self.kernels.extend(rows.reshape(len(batch.kernels), self._kernel_count))
        self.compiled.extend(numpy.asarray(batch.compiled, dtype=numpy.int64).reshape(-1, 1))
        self.clocked.extend(numpy.asarray(batch.clocked, dtype=numpy.int64).reshape(-1, 1))
        self.eager.extend(numpy.asarray(batch.eager, dtype=numpy.int64).reshape(-1, 1))
        self.parts.extend(numpy.asarray(batch.parts, dtype=numpy.int64).reshape(-1, len(StepPart)))
        self.pairs.extend(numpy.asarray(batch.pairs, dtype=numpy.int64).reshape(-1, 2))


def summary_of_list(samples: list[int]) -> TimingSummary | None:
    """Median and quartiles of a few samples."""
    return summary_of(numpy.asarray(samples, dtype=numpy.int64))


def summary_of(samples: Samples) -> TimingSummary | None:
    """Median and quartiles of the samples that are there."""
    return summaries_of(samples.reshape(-1, 1))[0][0]


def summaries_of(rows: Samples) -> list[tuple[TimingSummary | None, int]]:
    """(median and quartiles of the samples that are there, how many of these lie farther above the upper quartile than 1.5
    times the distance between the quartiles) for each column. One sort for all: asked twice a second for many kernels.
    """
    ordered = numpy.sort(numpy.ascontiguousarray(rows.T), axis=1)
    found: list[tuple[TimingSummary | None, int]] = []
    for times in ordered:
        first = int(numpy.searchsorted(times, 0))
        count = len(times) - first
        if not count:
            found.append((None, 0))
            continue
        low, median, high = (_quantile(times, first, share) for share in (0.25, 0.5, 0.75))
        far = len(times) - int(numpy.searchsorted(times, high + 1.5 * (high - low), side="right"))
        found.append((TimingSummary(median, low, high, count), far))
    return found


def _quantile(ordered: Samples, first: int, share: float) -> float:
    """A quantile of what stands from `first` on, drawn straight between two samples."""
    position = first + share * (len(ordered) - 1 - first)
    lower = int(position)
    upper = min(lower + 1, len(ordered) - 1)
    return float(ordered[lower] + (ordered[upper] - ordered[lower]) * (position - lower))
