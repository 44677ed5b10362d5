"""The breakdown of a compile adds up to its wall time, the rest said as rest."""

import msgspec
import pytest

from compiler.analysis.timing.compile_times import REST, TimedRow, by_build, by_phase
from compiler.model.capture.compile_phases import CompilePhase
from tests.helpers import sample_capture

PHASES = (
    CompilePhase("phase", "dynamo", 0.1, 4.0, -1, "0/0"),
    CompilePhase("phase", "inductor", 0.5, 1.0, 0, "0/0"),
    CompilePhase("phase", "inductor", 2.0, 2.0, 0, "0/0"),
    CompilePhase("phase", "codegen", 2.5, 0.5, 2),
    CompilePhase("build", "k1", 1.0, 3.0, -1, "0/0 forward"),
    CompilePhase("build", "k2", 1.0, 3.5, -1, "0/0 backward"),
)
CAPTURE = msgspec.structs.replace(sample_capture.capture(), seconds=5.0, phases=PHASES)


def adds_up(row: TimedRow) -> bool:
    inner = sum(child.seconds for child in row.rows)
    return (not row.rows or inner == pytest.approx(row.seconds)) and all(map(adds_up, row.rows))


def test_every_level_adds_up() -> None:
    whole = by_phase(CAPTURE)
    assert whole.seconds == 5.0
    assert [row.name for row in whole.rows] == ["dynamo", REST]
    (inductor, rest) = whole.rows[0].rows
    assert (inductor.seconds, inductor.count) == (3.0, 2)
    assert rest.seconds == pytest.approx(1.0)
    assert adds_up(whole)


def test_builds_are_distinguished_and_sorted() -> None:
    group = by_build(CAPTURE)
    assert [row.name for row in group.rows] == ["k2", "k1"]
    assert group.seconds == 6.5


def test_a_capture_without_phases_has_no_rows() -> None:
    assert by_phase(sample_capture.capture()).rows == ()
