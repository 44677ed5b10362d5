"""A capture with the step of a GPU that is not here."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    FORWARD,
    OPERATION,
    PARAMETERS,
    SAVED,
    STATE,
    Allocation,
    Moment,
    SimulatedStep,
)
from tests.helpers import sample_capture

_GIB = 1 << 30


def with_step(peak: int) -> Capture:
    """The sample as if it had been captured for an H100: two layers forward, two backward."""
    moments = tuple(
        Moment(OPERATION, 2 * index + 2, "aten.add", phase, layer=f"layers.{layer}", bytes=_GIB)
        for index, (phase, layer) in enumerate(((FORWARD, 0), (FORWARD, 1), (BACKWARD, 1), (BACKWARD, 0)))
    )
    memory = (
        Allocation(_GIB, STATE, -1, 20, "exp_avg of weight"),
        Allocation(peak - 2 * _GIB, SAVED, 3, 7, "activations"),
        Allocation(_GIB, PARAMETERS, -1, 20, "weight"),
    )
    capture = sample_capture.capture()
    spec = msgspec.structs.replace(capture.spec, device=TARGETS["h100"])
    return msgspec.structs.replace(capture, spec=spec, step=SimulatedStep(moments, memory, 20))
