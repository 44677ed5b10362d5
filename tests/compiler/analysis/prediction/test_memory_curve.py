"""Memory over a step of which every allocation is known."""

from compiler.analysis.prediction.memory_curve import BLOCK, LIBRARIES, largest, memory_curve, rounded
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    FORWARD,
    KERNEL,
    PARAMETERS,
    SAVED,
    TEMPORARY,
    Allocation,
    Moment,
    SimulatedStep,
)

STEP = SimulatedStep(
    (
        Moment(KERNEL, 2, "first", FORWARD),
        Moment(KERNEL, 5, "second", FORWARD),
        Moment(KERNEL, 8, "third", BACKWARD),
    ),
    (
        Allocation(1024, PARAMETERS, -1, 10, "weight"),
        Allocation(512, SAVED, 1, 9, "a"),
        Allocation(4096, TEMPORARY, 3, 6, "b"),
        Allocation(2048, TEMPORARY, 4, 7, "c"),
    ),
    10,
)


def test_the_peak_is_where_most_lives_at_once():
    curve = memory_curve(STEP)
    assert curve.peak.total == 1024 + 512 + 4096 + 2048
    assert curve.peak.at == 1, "before the second kernel"
    assert dict(curve.by_kind()) == {TEMPORARY: 6144, PARAMETERS: 1024, SAVED: 512}
    assert dict(curve.peaks)[BACKWARD] == 1024 + 512 + 2048
    assert curve.peak in curve.points
    assert [piece.name for piece in largest(STEP, 1, 2)] == ["b", "c"]


def test_memory_comes_in_blocks():
    assert [rounded(size) for size in (1, 512, 513)] == [BLOCK, BLOCK, 2 * BLOCK]


def test_libraries_hold_theirs_throughout():
    curve = memory_curve(STEP, 100)
    assert dict(curve.by_kind())[LIBRARIES] == 100
    assert all(point.bytes[-1] == 100 for point in curve.points)


def test_nothing_allocated_is_nothing():
    assert memory_curve(SimulatedStep()).peak.total == 0
