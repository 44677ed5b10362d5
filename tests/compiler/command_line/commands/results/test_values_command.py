"""``loupe values``: exit status 1 and a sentence where a step makes a NaN."""

import json
from pathlib import Path

import pytest

from compiler.command_line.main import main

pytestmark = [pytest.mark.engine, pytest.mark.worker]
PROGRAMS = Path(__file__).parents[4] / "data" / "nan_programs.py"


def test_a_nan_is_reported_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    target = [
        f"{PROGRAMS}:Logarithm",
        "--inputs",
        "torch.linspace(-2, 2, 128).reshape(16, 8)",
        "--eval",
        "--no-grad",
    ]
    assert main(["values", *target]) == 1
    reported = capsys.readouterr().out
    assert reported.startswith("The first NaN comes from mul")
    assert "nan_programs.py:" in reported


@pytest.mark.thorough
def test_finite_values_end_with_0_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    target = [f"{PROGRAMS}:Large", "--inputs", "torch.randn(4, 4)", "--eval", "--json"]
    assert main(["values", *target]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert any(row["value"]["beyond_half"] for row in rows)
