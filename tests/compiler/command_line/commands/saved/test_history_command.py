"""``loupe history`` of a session file. No torch is needed."""

import json
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.command_line.main import main
from tests.helpers import sample_capture as sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sample.loupe"
    write_session(path, SessionData((sample.with_passes(),)))
    return path


def test_a_node_from_its_line_to_the_wrapper(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(file), "relu", "--stage", "post_grad"]) == 0
    said = capsys.readouterr().out
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == "relu in 0/0:forward:post_grad"
    assert "● relu: made from clamp_min by pass_pattern_1 (clamp_to_relu)" in lines
    assert any(line.startswith("● line 6: z = torch.relu(y)") for line in lines)
    assert any("op1 and op2 fused into it: round 1, producer and consumer" in line for line in lines)
    assert lines[-1].startswith("● recorded by torch")
    order = [
        said.index(word) for word in ("model.py", "Joint graph", "Post-grad graph", "Kernels", "Wrapper")
    ]
    assert order == sorted(order)


def test_a_node_that_a_pass_took_out(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(file), "alias"]) == 0
    assert "alias: removed by remove_noop_ops; its users use mm instead" in capsys.readouterr().out


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(file), "clamp_min", "--json"]) == 0
    events = json.loads(capsys.readouterr().out)
    replaced = next(event for event in events if event["kind"] == "replaced")
    assert (replaced["by"], replaced["position"]) == ("pass_pattern_1", 3)


def test_an_unknown_node(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(file), "nobody"]) == 1
    assert "no 'nobody' in any stage" in capsys.readouterr().err


def test_a_line_that_ends_in_a_colon_has_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", str(file), "L4"]) == 0
    said = capsys.readouterr().out
    assert "def " in said
    assert "::" not in said
