"""``loupe guards`` and ``loupe recompiles``."""

import json
from pathlib import Path

import pytest

from compiler.command_line.main import main
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = [pytest.mark.engine, pytest.mark.worker]


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("captured") / "r.loupe"
    target = f"{EXAMPLES}/recompiling.py:Changing"
    assert main(["capture", target, "--backend", "aot_eager", "-o", str(path)]) == 0
    return path


def test_guards_of_a_file(captured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guards", str(captured), "--frame", "2/1"]) == 0
    printed = capsys.readouterr().out
    assert "TENSOR_MATCH: check_tensor(L['x']" in printed
    assert "# recompiling.py:" in printed
    assert "symbol s" in printed
    assert main(["guards", str(captured), "--json"]) == 0
    trees = json.loads(capsys.readouterr().out)
    assert [tree["compile_id"] for tree in trees] == ["0/0", "2/0", "2/1"]
    assert trees[0]["nodes"][0]["source"] == "L"
    assert main(["guards", str(captured), "--frame", "9/9"]) == 1
    assert "2/1" in capsys.readouterr().err


def test_recompiles_of_a_file_and_of_a_target(captured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recompiles", str(captured)]) == 0
    printed = capsys.readouterr().out
    assert "x: size of dimension 0: expected 4, got 8" in printed
    assert "+ " in printed
    target = f"{EXAMPLES}/recompiling.py:Changing"
    assert main(["recompiles", target, "--backend", "eager", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["compile_id"] == "2/1"
    assert record["entries"][0]["failed"][0]["kind"] == "TENSOR_MATCH"


@pytest.mark.thorough
def test_a_frame_further_in_is_asked_about_changed_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    target = f"{Path(__file__).parents[2]}/engine/framed_programs.py:Framed"
    common = ["guards", target, "--backend", "eager", "--frame", "3/1", "--try"]
    assert main(common) == 0
    printed = capsys.readouterr().out
    assert "3/1 scaled is called with:" in printed
    assert "x.shape=8,4  x.dtype=float32" in printed
    assert "times=2" in printed
    assert main([*common, "x.shape=9,4", "FACTOR=5.0"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("scaled is compiled again.")
    assert "x: size of dimension 0: expected 8, got 9" in printed
    assert "G['FACTOR'] == 3.0, but now 5.0" in printed
    assert main([*common, "nonsense"]) == 2
    assert "x.shape=9,4" in capsys.readouterr().err
