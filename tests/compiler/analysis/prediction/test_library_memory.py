"""What cuBLAS keeps to work in: for each thread and stream that it is called in, as an H200 was measured."""

import msgspec
import pytest

from compiler.analysis.prediction.known_machines import machine_for
from compiler.analysis.prediction.predict import library_bytes, run_on, step_of
from compiler.model.prediction.simulated_step import BACKWARD, FORWARD, OPERATION, Moment
from tests.helpers.predicted_capture import with_step


def called(*rows: tuple[str, str, int]) -> int:
    """How often its workspace is held by a step that calls these: operation, phase, stream."""
    moments = tuple(
        Moment(OPERATION, place, name, phase, stream=stream)
        for place, (name, phase, stream) in enumerate(rows)
    )
    capture = with_step(4 << 30)
    capture = msgspec.structs.replace(capture, step=msgspec.structs.replace(capture.step, moments=moments))
    machine = machine_for(capture)
    times, rest = divmod(library_bytes(run_on(machine, capture, step_of(capture)), machine), 32 << 20)
    assert rest == 0
    return times


@pytest.mark.parametrize(
    ("rows", "times"),
    [
        ((("aten.add.Tensor", FORWARD, 0), ("aten.convolution", BACKWARD, 0)), 0),
        ((("aten.mm", FORWARD, 0), ("aten.addmm", FORWARD, 0)), 1),
        ((("aten.bmm", FORWARD, 0), ("aten.mm", BACKWARD, 0)), 2),
        ((("aten.mm", FORWARD, 0), ("aten.mm.out", FORWARD, 1), ("aten.linalg_inv_ex", BACKWARD, 0)), 3),
    ],
)
def test_it_is_held_by_thread_and_stream(rows: tuple[tuple[str, str, int], ...], times: int) -> None:
    assert called(*rows) == times
