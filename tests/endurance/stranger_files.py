"""Files of strangers by the thousand, through every reader, in processes with little memory that are watched."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.endurance.lines_reached import reader_lines
from tests.endurance.reading import SECONDS
from tests.endurance.real_files import ROOT, make_real_files
from tests.endurance.report import Row

_FULL = {"session files": 100_000, "journals": 20_000, "recipes": 20_000, "GPU files": 20_000, "logs": 20_000}
_BATCH = 2500
_SAMPLE = 3000
"""Files of each kind that are read under a trace, to see which lines are reached."""
_MOST_MB = 1024
_AIM, _LEAST = 0.95, 0.85
"""Share of lines reached; below the second it is a fault."""


def run(scale: float, folder: Path, capture: bool = True, jobs: int = 0) -> Row:
    """Read them all, with `jobs` processes at once, each with seeds of its own; the figures say how many of each kind, the worst of them, and the share of lines reached."""
    make_real_files(folder, capture)
    batches = []
    for kind, full in _FULL.items():
        count = max(round(full * scale), 20)
        starts = range(0, count, _BATCH)
        batches += [(kind, seed, min(_BATCH, count - start), False) for seed, start in enumerate(starts)]
        batches.append((kind, 10_000, min(count, _SAMPLE), True))
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        results = list(pool.map(lambda job: _batch(folder, *job), batches))
    faults: list[str] = []
    reached: dict[str, set[int]] = {}
    counts: dict[str, list[int]] = {}
    slowest, largest = 0.0, 0.0
    for (kind, seed, count, traced), result in zip(batches, results, strict=True):
        faults += [f"{kind}, seed {seed}, file {told}" for told in result["faults"]]
        for name, lines in result.get("lines", {}).items():
            reached.setdefault(name, set()).update(lines)
        if traced or "slowest" not in result:
            continue
        row = counts.setdefault(kind, [0, 0])
        row[0], row[1] = row[0] + count, row[1] + result["refused"]
        slowest, largest = max(slowest, result["slowest"][0]), max(largest, result["grew"])
    if largest > _MOST_MB:
        faults.append(f"{largest:,.0f} MB for one file")
    wanted = reader_lines()
    there = sum(len(lines) for lines in wanted.values())
    share = sum(len(lines & wanted[name]) for name, lines in reached.items()) / there
    for name, lines in wanted.items():
        missed = sorted(lines - reached.get(name, set()))
        if missed:
            sys.stdout.write(f"  not reached: {Path(name).name} {missed}\n")
    if scale >= 0.01 and share < _LEAST:
        faults.append(f"only {share:.1%} of the readers' lines were reached")
    told = ", ".join(f"{row[0]:,} {kind} ({row[1]:,} refused whole)" for kind, row in counts.items())
    return Row(
        f"{told}; slowest {slowest:.2f} s of {SECONDS:.0f}, most memory {largest:.0f} MB more, "
        f"{share:.1%} of the readers' {there} lines reached (aim {_AIM:.0%}); nothing executed, opened or written",
        tuple(faults),
    )


def _batch(folder: Path, kind: str, seed: int, count: int, lines: bool) -> dict[str, object]:
    """One process's work. A process that ended otherwise is a fault."""
    words = ["-m", "tests.endurance.reading", kind, str(folder), str(seed), str(count)]
    done = in_process([*words, *["lines"] * lines])
    if done.returncode:
        return {"faults": [f"of {count}: the process ended with {done.returncode}: {done.stderr[-600:]}"]}
    found: dict[str, object] = json.loads(done.stdout)
    return found


def in_process(words: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run Python in the repository's folder."""
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
