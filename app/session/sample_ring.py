"""The last samples of an endless run. Needs numpy, so it is loaded with the first sample and not with the window."""

import numpy
import numpy.typing

from compiler.model.step_traces import StepPart
from compiler.model.timings import TimingBatch, TimingSummary

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
        self.eager = Ring(1)
        self.parts = Ring(len(StepPart))
        self.pairs = Ring(2)

    def extend(self, batch: TimingBatch) -> None:
        """Append a batch."""
        if batch.kernels:
            rows = numpy.asarray(batch.kernels, dtype=numpy.int64)
            self.kernels.extend(rows.reshape(len(batch.kernels), self._kernel_count))
        self.compiled.extend(numpy.asarray(batch.compiled, dtype=numpy.int64).reshape(-1, 1))
        self.eager.extend(numpy.asarray(batch.eager, dtype=numpy.int64).reshape(-1, 1))
        self.parts.extend(numpy.asarray(batch.parts, dtype=numpy.int64).reshape(-1, len(StepPart)))
        self.pairs.extend(numpy.asarray(batch.pairs, dtype=numpy.int64).reshape(-1, 2))


def summary_of_list(samples: list[int]) -> TimingSummary | None:
    """Median and quartiles of a few samples."""
    return summary_of(numpy.asarray(samples, dtype=numpy.int64))


def outliers_of(samples: Samples) -> int:
    """How many samples lie farther above the upper quartile than 1.5 times the distance between the quartiles."""
    times = samples[samples >= 0]
    if not len(times):
        return 0
    low, high = numpy.percentile(times, (25, 75))
    return int((times > high + 1.5 * (high - low)).sum())


def summary_of(samples: Samples) -> TimingSummary | None:
    """Median and quartiles of the samples that are there."""
    times = samples[samples >= 0]
    if not len(times):
        return None
    low, median, high = (float(value) for value in numpy.percentile(times, (25, 50, 75)))
    return TimingSummary(median, low, high, len(times))
