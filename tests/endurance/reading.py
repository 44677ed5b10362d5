"""A process that reads some thousand changed files: ``python -m tests.endurance.reading KIND FOLDER SEED COUNT [lines]``.

Prints JSON: how many were read and refused, the most time and memory that one took, each fault with the number that makes its
file again, and with `lines` which lines of the readers were reached. A file that takes too long ends the process with its stack.
"""

import faulthandler
import json
import sys
import time
import traceback
from pathlib import Path
from random import Random

from tests.endurance.child_guard import Watched, limit_memory, peak_mb
from tests.endurance.lines_reached import LinesReached
from tests.endurance.readers import READERS
from tests.endurance.real_files import real_files

ROOM = 1 << 30
SECONDS = 5.0
_HUNG_SECONDS = 40
"""Of wall time, on a machine that others use too."""
_MOST_TOLD = 20


def read_many(kind: str, folder: Path, seed: int, count: int, lines: bool) -> dict[str, object]:
    """Change and read so many files of a kind; file number n depends on the seed and n only."""
    change, read = READERS[kind]
    bases = real_files(folder, kind)
    scratch = folder / "scratch" / f"{kind}-{seed}"
    scratch.mkdir(parents=True)
    for base in bases:  # what is loaded late is loaded now
        read(base)
        _, data = change(Random(base.name), base)
        _ = data
    guard, reached = Watched(folder), LinesReached() if lines else None
    limit_memory(ROOM)
    before = peak_mb()
    faults: list[str] = []
    taken, refused, slowest = 0, 0, (0.0, -1, "")
    for number in range(count):
        random = Random(f"{seed}/{number}")
        if number < len(bases):  # the real ones first
            base, what, data = bases[number], "unchanged", bases[number].read_bytes()
        else:
            base = random.choice(bases)
            what, data = change(random, base)
        path = scratch / f"{base.stem}{base.suffix}"
        path.write_bytes(data)
        faulthandler.dump_traceback_later(_HUNG_SECONDS, exit=True)
        began = time.process_time()
        try:
            with guard.armed():
                if reached is None:
                    accepted = read(path)
                else:
                    with reached:
                        accepted = read(path)
            if number < len(bases) and not accepted:
                faults.append(f"{number}: a real file was refused")
            taken, refused = taken + accepted, refused + (not accepted)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            faults.append(
                f"{number} ({what}): {type(error).__name__}: {str(error)[:200]} at {where.filename}:{where.lineno}"
            )
        spent = time.process_time() - began
        faulthandler.cancel_dump_traceback_later()
        slowest = max(slowest, (spent, number, what))
        if spent > SECONDS and reached is None:
            faults.append(f"{number} ({what}): {spent:.1f} s")
        faults += [f"{number} ({what}): {told}" for told in guard.told]
        guard.told.clear()
    return {
        "taken": taken, "refused": refused, "slowest": slowest, "grew": peak_mb() - before, "peak": peak_mb(),
        "faults": faults[:_MOST_TOLD], "fault_count": len(faults), "lines": reached.found() if reached else {},
    }  # fmt: skip


if __name__ == "__main__":
    _kind, _folder, _seed, _count, *_rest = sys.argv[1:]
    sys.stdout.write(json.dumps(read_many(_kind, Path(_folder), int(_seed), int(_count), bool(_rest))) + "\n")
