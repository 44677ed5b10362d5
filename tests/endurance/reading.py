"""A process that reads some thousand changed files: ``python -m tests.endurance.reading KIND FOLDER SEED COUNT [lines]``.

Prints lines of JSON: about once a second ``{"done": …}``, at last how many were read and refused, the most time and memory that one
took, each fault with the number that makes its file again, and with `lines` which lines of the readers were reached. A file that
takes too long ends the process with its stack; `asked_last` says which it was.
"""

import faulthandler
import json
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from tests.endurance.child_guard import Watched, limit_memory, peak_mb
from tests.endurance.lines_reached import LinesReached
from tests.endurance.readers import READERS, Change
from tests.endurance.real_files import real_files

ROOM = 1 << 30
SECONDS = 5.0
_HUNG_SECONDS = 40
"""Of wall time, on a machine that others use too."""
_MOST_REPORTED = 20
_TELL_EVERY_S = 1.0
_LAST = "last.txt"


@dataclass(frozen=True)
class Worst:
    """The file that took most of something."""

    amount: float = 0.0
    number: int = -1
    what: str = ""
    """What was done to it."""


_NONE = Worst()


@dataclass
class Found:
    """What reading them came to. Seconds are of processor time, memory is the whole process's at its peak."""

    done: int = 0
    taken: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: Worst = _NONE
    largest: Worst = _NONE
    """By how many MB the peak rose over the whole of it, and the last file that raised it."""
    faults: list[str] = field(default_factory=list)
    fault_count: int = 0
    lines: dict[str, list[int]] = field(default_factory=dict)


def scratch_of(folder: Path, kind: str, seed: int) -> Path:
    """Where one process writes the files that it reads."""
    return folder / "scratch" / f"{kind}-{seed}"


def asked_last(folder: Path, kind: str, seed: int) -> str:
    """The number of the file that a process was at, and what had been done to it."""
    path = scratch_of(folder, kind, seed) / _LAST
    return path.read_text(encoding="utf-8").strip() if path.exists() else "none yet"


def read_many(
    kind: str,
    folder: Path,
    seed: int,
    count: int,
    lines: bool,
    emit: Callable[[int], None] = lambda _done: None,
) -> Found:
    """Change and read so many files of a kind; file number n depends on the seed and n only."""
    change, read = READERS[kind]
    bases = real_files(folder, kind)
    scratch = scratch_of(folder, kind, seed)
    scratch.mkdir(parents=True, exist_ok=True)
    for base in bases:  # what is loaded late is loaded now
        read(base)
        _, data = change(Random(base.name), base)
        _ = data
    guard, reached, found = Watched(folder), LinesReached() if lines else None, Found()
    limit_memory(ROOM)
    before = peak = peak_mb()
    began, reported_at = time.process_time(), time.monotonic()
    with (scratch / _LAST).open("w", encoding="utf-8") as last:
        for number in range(count):
            base, what, data = _made(Random(f"{seed}/{number}"), number, bases, change)
            path = scratch / f"{base.stem}{base.suffix}"
            path.write_bytes(data)
            last.seek(0)
            last.write(f"{number} ({what}){'':20}\n")
            last.flush()
            faulthandler.dump_traceback_later(_HUNG_SECONDS, exit=True)
            start = time.process_time()
            try:
                with guard.armed():
                    if reached is None:
                        accepted = read(path)
                    else:
                        with reached:
                            accepted = read(path)
                if number < len(bases) and not accepted:
                    found.faults.append(f"{number}: a real file was refused")
                found.taken, found.refused = found.taken + accepted, found.refused + (not accepted)
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                found.faults.append(
                    f"{number} ({what}): {type(error).__name__}: {str(error)[:200]} at {where.filename}:{where.lineno}"
                )
            spent = time.process_time() - start
            faulthandler.cancel_dump_traceback_later()
            found.slowest = max(found.slowest, Worst(spent, number, what), key=_amount)
            if spent > SECONDS and reached is None:
                found.faults.append(f"{number} ({what}): {spent:.1f} s")
            if peak_mb() > peak:
                peak = peak_mb()
                found.largest = Worst(peak - before, number, what)
            found.faults += [f"{number} ({what}): {reported}" for reported in guard.reported]
            guard.reported.clear()
            found.done = number + 1
            if time.monotonic() - reported_at > _TELL_EVERY_S:
                reported_at = time.monotonic()
                emit(found.done)
    found.seconds = time.process_time() - began
    found.fault_count, found.faults = len(found.faults), found.faults[:_MOST_REPORTED]
    found.lines = reached.found() if reached else {}
    return found


def _made(random: Random, number: int, bases: tuple[Path, ...], change: Change) -> tuple[Path, str, bytes]:
    """(what it was made of, what was done to it, its bytes); the real ones come first."""
    if number < len(bases):
        return bases[number], "unchanged", bases[number].read_bytes()
    base = random.choice(bases)
    try:
        return base, *change(random, base)
    except MemoryError:  # ours, not the reader's
        return base, "unchanged: there was no memory to change it", base.read_bytes()


def _amount(worst: Worst) -> float:
    return worst.amount


def _write_line(row: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _kind, _folder, _seed, _count, *_rest = sys.argv[1:]
    _made = read_many(
        _kind, Path(_folder), int(_seed), int(_count), bool(_rest), lambda done: _write_line({"done": done})
    )
    _write_line(asdict(_made))
