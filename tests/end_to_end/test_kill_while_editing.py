"""A session that is killed in the middle of editing loses nothing: the journal always opens and holds every edit that was
made, and the next session goes on from there.
"""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.session.edit_history.journal import read_journal, states_of
from compiler.analysis.edits.history_tree import EditTree
from tests.helpers.editing_process import digest_of

ROOT = Path(__file__).resolve().parents[2]


def _edit_and_kill(folder: Path, seed: int, steps: int) -> tuple[str, int, str]:
    """(what was recovered, steps made, the tree after the last one)."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.editing_process", str(folder), str(seed)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    recovered = process.stdout.readline().split()[1]
    wanted = random.Random(seed).randint(1, steps)
    lines = [process.stdout.readline() for _ in range(wanted)]
    time.sleep(random.Random(seed).random() / 200)
    process.kill()
    lines += [line for line in process.stdout.readlines() if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    number, digest = lines[-1].split()
    return recovered, int(number), digest


def _kill_again_and_again(folder: Path, rounds: int, steps: int) -> int:
    total, ends = 0, [digest_of(EditTree())]
    for seed in range(rounds):
        recovered, made, acknowledged = _edit_and_kill(folder, seed, steps)
        assert recovered in ends  # what was acknowledged, or the step after it that nobody heard of
        (path,) = folder.glob("*.jsonl")
        found = [digest_of(tree) for _, tree in states_of(path)]
        assert acknowledged in found
        journal = read_journal(path)
        assert journal is not None
        assert digest_of(journal.tree) == found[-1]
        ends = found[found.index(acknowledged) :]
        total += made
    return total


def test_killed_while_editing(tmp_path: Path) -> None:
    assert _kill_again_and_again(tmp_path, rounds=4, steps=150) > 20


@pytest.mark.slow
def test_ten_thousand_edits_and_a_hundred_kills(tmp_path: Path) -> None:
    assert _kill_again_and_again(tmp_path, rounds=100, steps=240) > 10_000
