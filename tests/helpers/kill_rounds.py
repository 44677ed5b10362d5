"""Sessions that edit at random and are killed, one after the other, each taking up what the one before left."""

import random
import subprocess
import sys
import time
from pathlib import Path

from app.session.edit_history.journal_lines import steps_of
from compiler.analysis.edits.history_tree import EditTree
from tests.helpers.editing_process import digest_of

ROOT = Path(__file__).resolve().parents[2]
_NOTHING = digest_of(EditTree())


class LostEditError(AssertionError):
    """What was acknowledged was not found again."""


def edit_and_kill(folder: Path, seed: int, steps: int, surroundings: str = "") -> tuple[str, int, str]:
    """(what was recovered, steps made, the tree after the last one that was acknowledged; empty where none was)."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.editing_process", str(folder), str(seed), surroundings],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    recovered = process.stdout.readline().split()[1]
    wanted = random.Random(seed).randint(1, steps)
    lines = [process.stdout.readline() for _ in range(wanted)]
    time.sleep(random.Random(seed).random() / 200)
    process.kill()
    lines += [line for line in process.stdout.readlines() if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    if not lines[-1].strip():
        raise LostEditError(f"seed {seed}: the session ended by itself")
    acknowledged = [line.split()[1] for line in lines if line.strip() and "untold" not in line]
    return recovered, int(lines[-1].split()[0]), acknowledged[-1] if acknowledged else ""


def kill_again_and_again(folder: Path, rounds: int, steps: int, surroundings: str = "") -> int:
    """Steps made in so many rounds. Raises LostEditError where one that was acknowledged is lost."""
    total, ends = 0, {_NOTHING}
    for seed in range(rounds):
        recovered, made, acknowledged = edit_and_kill(folder, seed, steps, surroundings)
        total += made
        if recovered not in ends:  # what was acknowledged, or a step after it that nobody heard of
            raise LostEditError(f"seed {seed}: {recovered} was recovered, not one of {len(ends)}")
        kept = {
            path: [digest_of(replay.tree()) for _, replay in steps_of(path)]
            for path in folder.glob("*.jsonl")
        }
        if not acknowledged:  # then what was recovered is still there, in whichever journal
            ends = {recovered, *(state for found in kept.values() for state in found)}
            continue
        if (
            acknowledged == _NOTHING and not kept
        ):  # every step was undone, or did nothing: there is nothing to keep
            ends = {_NOTHING}
            continue
        found = max((states for states in kept.values() if acknowledged in states), key=len, default=None)
        if found is None:
            raise LostEditError(f"seed {seed}: {acknowledged} is in no journal")
        ends = set(found[found.index(acknowledged) :])
    return total
