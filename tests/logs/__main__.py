"""``python -m tests.logs [DIR|PROGRAM…]``: every number that tlparse reports, beside ours, of logs that exist or are made here.

A program is one of `tests.running` or of those beside this file, run with ``TORCH_TRACE``; without any, all of them. ``TLPARSE``
names tlparse, else it is looked for on the PATH.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from compiler.analysis.torch_logs.opening import captures
from tests.helpers.finished_process import ran
from tests.logs import ours, tlparse
from tests.running.__main__ import PROGRAMS, command_of

OWN = Path(__file__).with_name("programs")


def make(name: str, folder: Path) -> Path | None:
    """Run a program with its log on, caches empty; the folder of the log, or None where it could not be run here."""
    script = OWN / f"{name}.py"
    command = command_of(name)
    if script.exists():
        command = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(script)]
    environment = {
        **os.environ,
        "TORCH_TRACE": str(folder / "trace"),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"),
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    done = ran([sys.executable, *command], folder, environment)
    if done.returncode:
        print(f"{name}: could not be run: {done.stderr.strip()[-300:]}", flush=True)
        return None
    return folder / "trace"


def differences(first: object, second: object, where: str = "") -> list[str]:
    """Every place in which two reports differ; numbers may differ by what a page rounds."""
    if isinstance(first, dict) and isinstance(second, dict):
        keys = [*first, *(key for key in second if key not in first)]
        return [
            row
            for key in keys
            for row in differences(first.get(key), second.get(key), f"{where} {key}".strip())
        ]
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [
            row
            for index, pair in enumerate(zip(first, second, strict=True))
            for row in differences(*pair, f"{where}[{index}]")
        ]
    if isinstance(first, int | float) and isinstance(second, int | float):
        return (
            []
            if abs(first - second) <= 1e-6 * max(abs(first), abs(second))
            else [f"{where}: {first} / {second}"]
        )
    return [] if first == second else [f"{where}: {str(first)[:200]} / {str(second)[:200]}"]


def count(value: object) -> int:
    """How many values are compared."""
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) and value else 1


def compare(folder: Path, program: str, scratch: Path) -> tuple[int, list[str]]:
    """(how many numbers were compared, where they differ: tlparse's / ours)."""
    found: list[str] = []
    compared = 0
    read = list(captures(folder))
    for number, (path, capture) in enumerate(read):
        out = scratch / f"{number}"
        said, _, _ = tlparse.run(program, path, out)
        theirs = tlparse.numbers_of(out, said)
        compared += count(theirs)
        found += [f"{ours.name_of(path)}: {row}" for row in differences(theirs, ours.numbers_of(capture))]
    if len({capture.log.rank for _, capture in read if capture.log is not None}) > 1:
        tlparse.run(program, folder, scratch / "all", "--all-ranks-html")
        theirs = tlparse.ranks_of(scratch / "all")
        compared += count(theirs)
        found += [
            f"ranks: {row}" for row in differences(theirs, ours.ranks_of([capture for _, capture in read]))
        ]
    return compared, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*")
    wanted: list[str] = parser.parse_args().logs
    program = tlparse.program()
    if program is None:
        print(
            "tlparse is not there: pip install tlparse==0.4.3 into an environment of its own, and set TLPARSE"
        )
        return 2
    worst = 0
    with tempfile.TemporaryDirectory() as place:
        programs = {path.stem for place_ in (PROGRAMS, OWN) for path in place_.glob("*.py")} - {
            "gpu_training"
        }
        folders: list[Path] = []
        for name in wanted or sorted(programs):
            if name not in programs:
                folders.append(Path(name))
                continue
            (Path(place) / name).mkdir()
            made = make(name, Path(place) / name)
            folders += [made] if made is not None else []
        for number, folder in enumerate(folders):
            scratch = Path(place) / f"out-{number}"
            scratch.mkdir()
            compared, found = compare(folder, program, scratch)
            worst = max(worst, len(found))
            print(
                f"{folder}: {compared} values, {len(found)} differ (tlparse's / ours)",
                *found[:20],
                sep="\n    ",
                flush=True,
            )
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
