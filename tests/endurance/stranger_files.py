"""Files of strangers by the thousand, through every reader, in processes with little memory that are watched.

A row for each kind is printed when its last process ends; how far all of it is goes to stderr meanwhile.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tests.endurance.lines_reached import reader_lines
from tests.endurance.reading import SECONDS, Found, Worst, asked_last
from tests.endurance.real_files import ROOT, make_real_files
from tests.endurance.report import Row
from tests.helpers.finished_process import ran

_FULL = {"session files": 100_000, "journals": 20_000, "recipes": 20_000, "GPU files": 20_000, "logs": 20_000}
_BATCH = 1250
_SAMPLE, _TRACED_BATCH = 3000, 500
"""Files of each kind that are read under a trace, to see which lines are reached; such a process takes four times as long."""
_TRACED_SEED = 10_000
_MOST_MB = 1024
_AIM, _LEAST = 0.95, 0.9
"""Share of lines reached that is asked for where the samples are whole, and of smaller ones."""
_TELL_EVERY_S = 5.0
_LONG = 1200
_NONE = Worst()


@dataclass(frozen=True)
class _Batch:
    """What one process reads."""

    kind: str
    seed: int
    count: int
    traced: bool


@dataclass
class _Sum:
    """What the processes of one kind came to so far."""

    batches: int = 0
    files: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: Worst = _NONE
    slowest_seed: int = -1
    largest: Worst = _NONE
    largest_seed: int = -1
    faults: list[str] = field(default_factory=list)

    def add(self, batch: _Batch, found: Found) -> None:
        self.batches -= 1
        self.faults += [f"{batch.kind}, seed {batch.seed}, file {reported}" for reported in found.faults]
        if batch.traced:  # its times and memory are the trace's too
            return
        self.files, self.refused = self.files + found.done, self.refused + found.refused
        self.seconds += found.seconds
        if found.slowest.amount > self.slowest.amount:
            self.slowest, self.slowest_seed = found.slowest, batch.seed
        if found.largest.amount > self.largest.amount:
            self.largest, self.largest_seed = found.largest, batch.seed

    def text(self, kind: str) -> str:
        rate = self.files / self.seconds if self.seconds else 0.0
        return (
            f"{self.files:,} {kind} ({self.refused:,} refused whole; {rate:,.0f} a second of one core; "
            f"slowest {self.slowest.amount:.2f} s: {_named(self.slowest, self.slowest_seed)}; "
            f"most memory {self.largest.amount:.0f} MB more: {_named(self.largest, self.largest_seed)})"
        )


class _Progress:
    """How far all processes are, on stderr, every few seconds."""

    def __init__(self, files: int) -> None:
        self._all = files
        self._done: dict[_Batch, int] = {}
        self._began = time.monotonic()
        self._reported_at = self._began
        self._lock = threading.Lock()

    def note(self, batch: _Batch, done: int) -> None:
        """A process read so many by now."""
        with self._lock:
            self._done[batch] = done
            now = time.monotonic()
            if now - self._reported_at < _TELL_EVERY_S:
                return
            self._reported_at = now
            read, seconds = sum(self._done.values()), now - self._began
        left = (self._all - read) * seconds / max(read, 1)
        say(f"{read:,} of {self._all:,} files, {read / seconds:,.0f} a second, about {left:,.0f} s left")


def say(text: str) -> None:
    """Tell whoever waits; the figures go to stdout."""
    sys.stderr.write(f"files: {text}\n")
    sys.stderr.flush()


def run(scale: float, folder: Path, capture: bool = True, jobs: int = 0) -> Row:
    """Read them all, with `jobs` processes at once, each with seeds of its own; the figures say how many of each kind, the worst of them, and the share of lines reached."""
    jobs = jobs or os.cpu_count() or 1
    began = time.monotonic()
    if capture:
        say("torch captures two examples for it first (on 2 cores 20 s)")
    make_real_files(folder, capture)
    say(f"the real files were made in {time.monotonic() - began:.0f} s")
    batches = _batches(scale)
    sums = {kind: _Sum() for kind in _FULL}
    for batch in batches:
        sums[batch.kind].batches += 1
    reached: dict[str, set[int]] = {}
    progress, began = _Progress(sum(batch.count for batch in batches)), time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(_read, folder, batch, progress): batch for batch in batches}
        for future in as_completed(waiting):
            batch, found = waiting[future], future.result()
            total = sums[batch.kind]
            total.add(batch, found)
            for reported in found.faults:
                say(f"FAULT {batch.kind}, seed {batch.seed}, file {reported}")
            for name, lines in found.lines.items():
                reached.setdefault(name, set()).update(lines)
            if not total.batches:
                sys.stdout.write(f"  {total.text(batch.kind)}\n")
                sys.stdout.flush()
    wall = time.monotonic() - began
    faults = [reported for total in sums.values() for reported in total.faults]
    if (most := max(total.largest.amount for total in sums.values())) > _MOST_MB:
        faults.append(f"{most:,.0f} MB for one file")
    share, there = _share(reached)
    if scale >= 0.01 and share < (_AIM if scale * _FULL["session files"] >= _SAMPLE else _LEAST):
        faults.append(f"only {share:.1%} of the readers' lines were reached")
    files = sum(total.files for total in sums.values())
    return Row(
        f"{'; '.join(total.text(kind) for kind, total in sums.items())}; {files:,} in {wall:,.0f} s with {jobs} processes; "
        f"limits {SECONDS:.0f} s and {_MOST_MB:,} MB; {share:.1%} of the readers' {there} lines reached (aim {_AIM:.0%}); "
        "nothing executed, opened or written",
        tuple(faults),
    )


def _batches(scale: float) -> list[_Batch]:
    """The traced ones first: each takes longest."""
    traced, plain = [], []
    for kind, full in _FULL.items():
        count = max(round(full * scale), 20)
        sample = min(count, _SAMPLE)
        traced += [
            _Batch(kind, _TRACED_SEED + index, min(_TRACED_BATCH, sample - start), True)
            for index, start in enumerate(range(0, sample, _TRACED_BATCH))
        ]
        plain += [
            _Batch(kind, index, min(_BATCH, count - start), False)
            for index, start in enumerate(range(0, count, _BATCH))
        ]
    return traced + plain


def _share(reached: dict[str, set[int]]) -> tuple[float, int]:
    """Of the readers' lines, and how many there are; the others are printed."""
    wanted = reader_lines()
    there = sum(len(lines) for lines in wanted.values())
    for name, lines in wanted.items():
        missed = sorted(lines - reached.get(name, set()))
        if missed:
            sys.stdout.write(f"  not reached: {Path(name).name} {missed}\n")
    return sum(len(lines & wanted[name]) for name, lines in reached.items()) / there, there


def _named(worst: Worst, seed: int) -> str:
    return f"seed {seed}, file {worst.number} ({worst.what})" if worst.number >= 0 else "none"


def _read(folder: Path, batch: _Batch, progress: _Progress) -> Found:
    """One process's work. A process that ended otherwise is a fault, and the file that it was at is named."""
    words = ["-m", "tests.endurance.reading", batch.kind, str(folder), str(batch.seed), str(batch.count)]
    last = ""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [sys.executable, *words, *["lines"] * batch.traced],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
        with process:
            for line in process.stdout:
                last = line
                progress.note(batch, json.loads(line)["done"])
        if not process.returncode:
            return msgspec.json.decode(last, type=Found)
        errors.seek(0)
        reported = errors.read().strip()
        reported = (
            reported if len(reported) < _LONG else f"{reported[: _LONG // 2]} … {reported[-_LONG // 2 :]}"
        )  # a dump begins with the call, an error ends with it
        at = asked_last(folder, batch.kind, batch.seed)
        return Found(faults=[f"{at}: the process ended with {process.returncode}: {reported}"])


def in_process(words: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run Python in the repository's folder."""
    return ran([sys.executable, *words], ROOT)
