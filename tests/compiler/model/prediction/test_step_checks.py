"""A step that contradicts itself costs the step, and is reported."""

import msgspec
import pytest

from compiler.model.prediction.simulated_step import (
    FORWARD,
    KERNEL,
    PARAMETERS,
    Allocation,
    Moment,
    SimulatedStep,
)
from compiler.model.session_file.checks import consistent
from compiler.model.session_file.step_checks import step_fault
from tests.helpers import sample_capture

GOOD = SimulatedStep(
    (Moment(KERNEL, 1, "a", FORWARD), Moment(KERNEL, 2, "b", FORWARD, after=(0,))),
    (Allocation(8, PARAMETERS, -1, 3, "weight"),),
    3,
)


def test_a_good_step_is_kept():
    assert step_fault(GOOD) == ""
    capture = msgspec.structs.replace(sample_capture.capture(), step=GOOD)
    assert consistent(capture)[0].step == GOOD


@pytest.mark.parametrize(
    "wrong",
    [
        msgspec.structs.replace(GOOD, moments=(Moment(KERNEL, 1, "a", FORWARD, after=(0,)),)),
        msgspec.structs.replace(GOOD, moments=(Moment(KERNEL, 1, "a", FORWARD, after=(-1,)),)),
        msgspec.structs.replace(GOOD, moments=(Moment(KERNEL, 9, "a", FORWARD),)),
        msgspec.structs.replace(GOOD, moments=GOOD.moments[::-1]),
        msgspec.structs.replace(GOOD, memory=(Allocation(8, "gold", -1, 3),)),
        msgspec.structs.replace(GOOD, memory=(Allocation(-8, PARAMETERS, -1, 3),)),
        msgspec.structs.replace(GOOD, memory=(Allocation(8, PARAMETERS, 2, 1),)),
        msgspec.structs.replace(GOOD, memory=(Allocation(8, PARAMETERS, 0, 99),)),
    ],
)
def test_a_wrong_one_is_left_out(wrong: SimulatedStep):
    kept, faults = consistent(msgspec.structs.replace(sample_capture.capture(), step=wrong))
    assert kept.step is None
    assert any("step on fakes" in fault for fault in faults)
