"""Compile time by phase, ceilings of the machine, and two states timed interleaved."""

from pathlib import Path

import pytest
import torch

from compiler.analysis.timing.compile_times import by_phase
from compiler.engine.timing import machine_peaks
from compiler.engine.verbs.engine import Engine
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.timing.machine_peaks import MachineCeilings
from tests.compiler.engine.conftest import capture, spec

pytestmark = pytest.mark.engine
RELU_TO_GELU = ReplaceTarget(
    "0/0:dynamo",
    "x",
    "call_function",
    "torch.nn.functional.gelu",
    SequenceArgument("tuple", (NodeArgument("linear"),)),
)


def quiet(_text: str) -> None:
    pass


@pytest.mark.thorough
def test_phases_lie_inside_the_wall_time_and_inside_one_another() -> None:
    made = capture("mlp.py:MLP").capture
    phases = [phase for phase in made.phases if phase.kind == "phase"]
    assert {"entire_frame_compile", "bytecode_tracing"} <= {phase.name for phase in phases}
    for phase in phases:
        assert phase.begin >= 0
        assert phase.begin + phase.seconds <= made.seconds + 0.01
        if phase.parent >= 0:
            outer = phases[phase.parent]
            assert outer.begin <= phase.begin
            assert phase.begin + phase.seconds <= outer.begin + outer.seconds
    first = min(phase.begin for phase in phases)
    spent = sum(phase.seconds for phase in phases if phase.parent < 0)
    assert first + spent <= made.seconds
    whole = by_phase(made)
    assert sum(row.seconds for row in whole.rows) == pytest.approx(made.seconds)


@pytest.mark.thorough
def test_a_recompile_has_phases_builds_and_times_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine()
    engine.capture(spec("mlp.py:MLP", training=False), "capture-1", quiet)
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    again, _ = engine.recompile("capture-1", (RELU_TO_GELU,), "capture-2", False, quiet)
    assert all(phase.begin + phase.seconds <= again.seconds + 0.01 for phase in again.phases)
    assert "inductor_compile" in {phase.name for phase in again.phases}
    assert not any(phase.name == "bytecode_tracing" for phase in again.phases), "Dynamo did not run again"
    built = [phase.name for phase in again.phases if phase.kind == "build"]
    assert any("gelu" in name for name in built), built
    times = engine.time_states("capture-1", (), (RELU_TO_GELU,), 0.05, quiet)
    assert times.first.count == times.second.count == times.eager.count >= 12
    assert times.ratio.low <= times.ratio.ratio <= times.ratio.high


@pytest.mark.thorough
def test_a_state_that_was_never_compiled_is_compiled_to_be_timed() -> None:
    engine = Engine()
    engine.capture(spec("mlp.py:MLP", training=False), "capture-1", quiet)
    said: list[str] = []
    engine.time_states("capture-1", (), (RELU_TO_GELU,), 0.02, said.append)
    assert any("Compiling" in text for text in said)
    program = engine._programs["capture-1"]
    assert program.edits == ()


def test_ceilings_are_measured_once_for_machine_and_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(machine_peaks, "_COPY_BYTES", (1 << 14, 1 << 16))
    monkeypatch.setattr(machine_peaks, "_MATMUL_SIZES", (64,))
    said: list[str] = []
    before = torch.get_num_threads()
    found = Engine().ceilings(1, False, said.append)
    assert isinstance(found, MachineCeilings)
    assert torch.get_num_threads() == before
    assert found.threads == 1
    assert [row.bytes for row in found.copies] == [1 << 14, 1 << 16]
    assert all(
        0 < row.rate.low <= row.rate.median <= row.rate.high for row in (*found.copies, *found.matmuls)
    )
    assert said
    said.clear()
    assert Engine().ceilings(1, False, said.append) == found
    assert not said
    Engine().ceilings(1, True, said.append)
    assert said


def test_a_damaged_cache_is_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(machine_peaks, "_COPY_BYTES", (1 << 14,))
    monkeypatch.setattr(machine_peaks, "_MATMUL_SIZES", (32,))
    first = Engine().ceilings(1, False, quiet)
    (path,) = (tmp_path / "torch-loupe").iterdir()
    path.write_text("{")
    assert Engine().ceilings(1, False, quiet).copies[0].bytes == first.copies[0].bytes
