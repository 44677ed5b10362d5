"""``loupe predict``: of a saved capture, with machines shipped and one's own, as text and JSON."""

import json
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.prediction.known_machines import SHIPPED
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.main import main
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.prediction.machine import read_machines
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions
from compiler.model.prediction.simulated_step import (
    COLLECTIVE,
    FORWARD,
    OPERATION,
    PARAMETERS,
    Allocation,
    Moment,
    Sent,
    SimulatedStep,
)
from tests.helpers import sample_capture

_GIB = 1 << 30


def with_step(size: int) -> Capture:
    sent = Sent("all_reduce", _GIB, _GIB, 8, "tp")
    moments = (
        Moment(OPERATION, 1, "aten.add", FORWARD, layer="layers.0", bytes=_GIB),
        Moment(COLLECTIVE, 2, "all_reduce", FORWARD, layer="layers.0", stream=1, after=(0,), sent=sent),
        Moment(OPERATION, 3, "aten.mul", FORWARD, layer="layers.1", after=(1,), bytes=_GIB),
    )
    capture = sample_capture.capture()
    spec = msgspec.structs.replace(
        capture.spec, device=TARGETS["h100"], parallel=ParallelPlan(8, (("tp", 8),)), step=StepOptions()
    )
    step = SimulatedStep(moments, (Allocation(size, PARAMETERS, -1, 4, "weight"),), 4)
    return msgspec.structs.replace(capture, spec=spec, step=step)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "one.loupe"
    write_session(path, SessionData((with_step(10 * _GIB),)))
    return path


def test_what_fits_is_reported_with_exit_status_0(saved: Path, capsys):
    assert main(["predict", str(saved)]) == 0
    reported = capsys.readouterr().out
    assert reported.startswith(
        "Predicted, not measured: model.py:model, 8 ranks as tp=8; this is rank 0 on NVIDIA H100"
    )
    assert "10.0 GiB at the peak of 77.7 GiB that tensors can have: fits" in reported
    assert "parameters" in reported
    assert "network" in reported


def test_what_does_not_fit_is_reported_with_exit_status_1(tmp_path: Path, capsys):
    path = tmp_path / "large.loupe"
    write_session(path, SessionData((with_step(90 * _GIB),)))
    assert main(["predict", str(path)]) == 1
    assert "does NOT fit" in capsys.readouterr().out


def test_as_json_for_a_machine_of_ones_own(saved: Path, tmp_path: Path, capsys):
    assert main(["predict", str(saved), "--json"]) == 0
    shipped = json.loads(capsys.readouterr().out)
    mine = msgspec.structs.replace(read_machines(SHIPPED)[0], name="Mine", host_link=4.5e9)
    path = tmp_path / "mine.json"
    path.write_bytes(msgspec.json.encode(mine))
    assert main(["predict", str(saved), "--json", "--machine", str(path)]) == 0
    own = json.loads(capsys.readouterr().out)
    assert own["machine"] == "Mine"
    assert own["time"]["seconds"] > 20 * shipped["time"]["seconds"], "its link is a hundred times slower"
    assert own["memory"]["peak"] == shipped["memory"]["peak"]


@pytest.mark.parametrize(
    ("machine", "words"),
    [("abacus", "Known are h100"), ("nowhere.json", "cannot be read"), ("bad.json", "describes no machine")],
)
def test_a_machine_that_is_not_known_is_reported(
    saved: Path, tmp_path: Path, capsys, monkeypatch, machine: str, words: str
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text('{"id": 3}')
    assert main(["predict", str(saved), "--machine", machine]) == 2
    assert words in capsys.readouterr().err


def test_a_capture_without_a_step_says_how_to_get_one(tmp_path: Path, capsys):
    path = tmp_path / "ran.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    assert main(["predict", str(path)]) == 2
    assert "capture again with --predict" in capsys.readouterr().err


def test_a_step_that_failed_says_why(tmp_path: Path, capsys):
    path = tmp_path / "failed.loupe"
    capture = msgspec.structs.replace(with_step(1), step=None, problems=(Problem("No such operator."),))
    write_session(path, SessionData((capture,)))
    assert main(["predict", str(path)]) == 2
    assert "the capture failed: No such operator" in capsys.readouterr().err


def test_a_mesh_needs_what_nothing_runs_of(capsys):
    assert main(["capture", "model.py:Net", "--mesh", "dp=2", "-o", "/tmp/never.loupe"]) == 2
    assert "add --fake or --target" in capsys.readouterr().err
    assert (
        main(
            ["capture", "model.py:Net", "--fake", "--mesh", "dp=2", "--world", "3", "-o", "/tmp/never.loupe"]
        )
        == 2
    )
    assert "write --world 2" in capsys.readouterr().err


def test_every_shipped_machine_says_where_its_figures_come_from():
    machines = read_machines(SHIPPED)
    assert len({machine.id for machine in machines}) == len(machines)
    for machine in machines:
        assert machine.source
        assert machine.reached.source
        assert machine.id in TARGETS
        assert machine.memory_bytes == TARGETS[machine.id].memory_bytes
        assert machine.memory_bandwidth == TARGETS[machine.id].bandwidth
        assert machine.flops_half == TARGETS[machine.id].flops_half
