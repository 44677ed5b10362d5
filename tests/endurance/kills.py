"""Windows and workers killed at random moments, also with a full disk, a read-only folder and a clock that jumps: nothing acknowledged is lost."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from app.session.edit_history.journal_lines import steps_of
from compiler.analysis.edits.history_tree import EditTree
from tests.endurance.real_files import ROOT
from tests.endurance.report import Row
from tests.endurance.working_process import PROGRAM
from tests.helpers.editing_process import digest_of
from tests.helpers.kill_rounds import LostEditError, kill_again_and_again

_FULL_ROUNDS = {"": 60, "full": 40, "read-only": 30, "jumping": 30}
_FULL_WINDOWS = 40
_STEPS = 240


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """Kill them so many times. `planted`: surroundings in which edits are lost without a word."""
    faults: list[str] = []
    reported: list[str] = []
    for surroundings, full in {planted: 60}.items() if planted else _FULL_ROUNDS.items():
        rounds, place = max(round(full * scale), 3), folder / (surroundings or "plain")
        place.mkdir()
        try:
            made = kill_again_and_again(place, rounds, _STEPS, surroundings)
        except LostEditError as error:
            faults.append(f"{surroundings or 'plain'}: {error}")
        else:
            where = {
                "": "",
                "full": " with a disk full at times",
                "read-only": " with a folder read-only at times",
                "jumping": " with a clock that jumps",
            }[surroundings]
            reported.append(f"{rounds} windows killed in {made:,} steps{where}")
    if not planted:
        reported.append(
            _windows_with_workers(max(round(_FULL_WINDOWS * scale), 1), folder / "workers", faults)
        )
    return Row("; ".join(reported) + "; nothing acknowledged was lost", tuple(faults))


def _windows_with_workers(rounds: int, folder: Path, faults: list[str]) -> str:
    """Real workers that compile meanwhile, killed too, and gone when their window is."""
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    steps, workers, ends = 0, 0, {digest_of(EditTree())}
    for seed in range(rounds):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.endurance.working_process", str(folder), str(seed)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        recovered = process.stdout.readline().split()[1:]
        wanted = Random(seed).randint(5, 120)
        lines = [process.stdout.readline() for _ in range(wanted)]
        ours = _children(process.pid)
        process.kill()
        lines += [line for line in process.stdout.readlines() if line.endswith("\n")]
        process.wait()
        process.stdout.close()
        if not recovered or not lines[-1].strip():
            faults.append(f"workers, seed {seed}: the session ended by itself")
            continue
        if recovered[0] not in ends:
            faults.append(f"workers, seed {seed}: {recovered[0]} was recovered")
        done = [line.split() for line in lines if line.strip() and line[0].isdigit()]
        workers += lines.count("killed\n")
        steps += len(done)
        found = [
            [digest_of(replay.tree()) for _, replay in steps_of(path)]
            for path in (folder / "journals").glob("*.jsonl")
        ]
        last = done[-1][1] if done else recovered[0]
        kept = max((states for states in found if last in states), key=len, default=None)
        if kept is None and last != digest_of(EditTree()):
            faults.append(f"workers, seed {seed}: {last} is in no journal")
        ends = set(kept[kept.index(last) :]) if kept else {last}
        _wait_for_end(ours, seed, faults)
    return f"{rounds} windows with real workers killed in {steps:,} steps, and {workers} workers before them"


def _wait_for_end(processes: list[int], seed: int, faults: list[str]) -> None:
    """A worker follows its window within seconds."""
    until = time.monotonic() + 10
    while time.monotonic() < until and any(Path(f"/proc/{number}").exists() for number in processes):
        time.sleep(0.05)
    left = [number for number in processes if Path(f"/proc/{number}").exists()]
    if left:
        faults.append(f"workers, seed {seed}: the processes {left} outlived their window")


def _children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(number) for number in listed.read_text().split()] if listed.exists() else []
