"""The heat map as numbers: kernels by iterations, times on a logarithmic scale. No widgets."""

import numpy
import numpy.typing

from app.session.timing.ring_buffer import Samples
from app.session.timing.timing_recorder import TimingRecorder

SHOWN_ITERATIONS = 600
"""The newest iterations, one column each."""

Levels = numpy.typing.NDArray[numpy.float32]


def recent_samples(recorder: TimingRecorder) -> list[Samples]:
    """The newest samples of every kernel."""
    return [recorder.samples(index)[-SHOWN_ITERATIONS:] for index in range(len(recorder.kernels))]


def log_image(samples: list[Samples]) -> Levels:
    """[iteration, kernel]: log10 of microseconds; not a number where a kernel did not run. Newest last."""
    columns = max((len(row) for row in samples), default=0)
    image = numpy.full((max(columns, 1), max(len(samples), 1)), numpy.nan, dtype=numpy.float32)
    for index, row in enumerate(samples):
        ran = row >= 0
        values = numpy.full(len(row), numpy.nan, dtype=numpy.float32)
        values[ran] = numpy.log10(numpy.maximum(row[ran], 1) / 1e3)
        if len(row):
            image[-len(row) :, index] = values
    return image


def log_limits(image: Levels) -> tuple[float, float]:
    """Lower and upper end of the colour scale, in whole thirds of a decade so that it does not flicker."""
    known = image[~numpy.isnan(image)]
    if not len(known):
        return 0.0, 3.0
    low, high = numpy.percentile(known, (1, 99.5))
    bottom, top = numpy.floor(low * 3) / 3, numpy.ceil(high * 3) / 3
    return float(bottom), float(max(top, bottom + 1 / 3))
