"""``loupe breaks``."""

import json
from pathlib import Path

import pytest

from compiler.command_line.main import main
from tests.compiler.engine.conftest import EXAMPLES

pytestmark = [pytest.mark.engine, pytest.mark.worker]
TARGET = f"{EXAMPLES}/six_breaks.py:SixBreaks"


@pytest.mark.thorough
def test_the_list_names_place_reason_cost_and_remedies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["breaks", TARGET, "--backend", "eager", "--train"]) == 0
    printed = capsys.readouterr().out
    assert "six_breaks.py:12 in normalise" in printed
    assert "(GB0124)" in printed
    assert "outside graphs in each forward" in printed
    assert "torch._dynamo.config.capture_scalar_outputs = True" in printed
    assert "called from six_breaks.py:35 in forward" in printed


def test_too_many_breaks_fail_a_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = str(tmp_path / "s.loupe")
    assert main(["capture", TARGET, "--backend", "eager", "-o", session]) == 0
    capsys.readouterr()
    assert main(["breaks", session, "--json", "--fail-over", "2"]) == 1
    rows = json.loads(capsys.readouterr().out)["breaks"]
    assert len(rows) > 2
    assert main(["breaks", session, "--fail-over", str(len(rows))]) == 0
    assert main(["breaks", session, "--try", "99"]) == 1


@pytest.mark.thorough
def test_remedies_are_tried(capsys: pytest.CaptureFixture[str]) -> None:
    target = f"{EXAMPLES}/print_in_the_middle.py:forward"
    assert main(["breaks", target, "--backend", "eager", "--no-timing", "--try", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert any("reorderable_logging_functions" in trial["remedy"] for trial in answer["trials"])
    assert any(trial["after"]["breaks"] < trial["before"]["breaks"] for trial in answer["trials"])
