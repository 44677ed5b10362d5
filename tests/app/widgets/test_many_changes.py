"""A table outlives whatever order it is given rows, columns, orders and filters in."""

import sys
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))])
def test_a_table_outlives_many_changes(seed: int) -> None:
    """Qt asked for widths of rows that it had laid out before they were sorted: the window was gone without a word."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.app.widgets.many_changes", str(seed)]
    done = ran(command, ROOT, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
