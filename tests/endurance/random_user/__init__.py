"""A user who clicks, types and chooses at random in a real window with a real worker: what no test thought of.

One sitting is a process of its own (``sitting``), so that a crash of it is a fault and not the end.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path

from tests.endurance.real_files import ROOT
from tests.endurance.report import Row
from tests.helpers.finished_process import ran

_FULL_SITTINGS, _STEPS = 100, 300
_PATIENCE_S = 1500


def run(scale: float, folder: Path, planted: str = "", first: int = 0) -> Row:
    """So many sittings of 300 steps. `planted`: what the window does wrong on purpose, as `sitting` has it."""
    faults: list[str] = []
    done, worst, captures = 0, 0.0, 0
    sittings = max(round(_FULL_SITTINGS * scale), 1)
    for seed in range(first, first + sittings):
        place = folder / str(seed)
        place.mkdir()
        steps = place / "steps"
        command = [
            sys.executable,
            "-m",
            "tests.endurance.random_user.sitting",
            str(seed),
            str(_STEPS),
            str(place),
        ]
        try:
            ended = ran([*command, planted], ROOT, timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            faults.append(f"sitting {seed}: no end after {_PATIENCE_S} s; {_last(steps)}")
            continue
        if ended.returncode:
            faults.append(f"sitting {seed}: {_how(ended.returncode)}; {_last(steps)}; {ended.stderr[-400:]}")
            continue
        found = json.loads(ended.stdout.splitlines()[-1])
        done, captures = done + found["steps"], captures + found["captures"]
        worst = max(worst, found["worst"])
        faults += [f"sitting {seed}: {fault}" for fault in found["faults"]]
    figures = (
        f"{done:,} steps of {sittings} users, {captures} captures made or edited; longest block {worst:.2f} s"
    )
    return Row(figures, tuple(faults))


def _how(status: int) -> str:
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"ended with {status}"


def _last(steps: Path) -> str:
    lines = steps.read_text(encoding="utf-8").splitlines() if steps.exists() else []
    return f"last steps: {'; '.join(lines[-4:])}"
