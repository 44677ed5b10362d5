"""A run in which nothing was compiled: why, and what to do, by what is known of the run."""

import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from compiler.command_line.reports.run_report import why_nothing
from tests.compiler.recorder.test_recorded_runs import loupe_run, written


@pytest.mark.parametrize(
    ("used", "status", "environment", "words"),
    [
        (
            False,
            0,
            {},
            "nothing was compiled: torch.compile was not called in this run. Call it in the program",
        ),
        (
            False,
            3,
            {"TORCH_COMPILE_DISABLE": "0"},
            "the program ended with status 3, and until then torch.compile",
        ),
        (False, -signal.SIGKILL, {}, "the program was ended by signal 9, and until then torch.compile"),
        (False, 0, {"TORCHDYNAMO_DISABLE": "1"}, "TORCHDYNAMO_DISABLE=1 turns torch.compile off"),
        (True, 0, {}, "torch.compile was called in this run, but what it returned was not"),
    ],
)
def test_it_is_said_by_what_is_known(
    used: bool, status: int, environment: Mapping[str, str], words: str
) -> None:
    assert words in why_nothing(True, used, status, environment)


def test_where_the_recorder_was_not_loaded_nothing_else_is_claimed() -> None:
    assert "nothing was recorded" in why_nothing(False, False, 0, {"TORCHDYNAMO_DISABLE": "1"})


_COMPILES = (
    "import sys, torch\nmade = torch.compile(torch.relu)\nif len(sys.argv) > 1:\n    made(torch.ones(2))\n"
)


@pytest.mark.thorough
@pytest.mark.engine
def test_the_real_run_says_it(tmp_path: Path) -> None:
    written(tmp_path, _COMPILES)
    assert "what it returned was not" in loupe_run(tmp_path, "train.py").stderr
    written(tmp_path, "import sys\nsys.exit(3)\n")
    assert "ended with status 3" in loupe_run(tmp_path, "train.py", status=3).stderr


@pytest.mark.engine
@pytest.mark.thorough
def test_a_switch_that_turns_it_off_is_named(tmp_path: Path) -> None:
    written(tmp_path, _COMPILES)
    off = loupe_run(tmp_path, "train.py", "all", TORCH_COMPILE_DISABLE="1")
    assert "TORCH_COMPILE_DISABLE=1 turns torch.compile off" in off.stderr
