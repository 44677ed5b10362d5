"""``python -m tests.links.package_programs [name…]``: links and identity of the programs whose package this Python has.

Each program, trained and not, is captured one process a program; one line of JSON each, and at the end the table.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.helpers.finished_process import ran
from tests.links.package_programs.catalog import PROGRAMS

_TREE = Path(__file__).resolve().parents[3]
_LEVELS = ("dynamo", "aot", "post_grad", "bodies", "kernels", "own_line")


def _one(name: str, training: bool) -> dict[str, Any]:
    from compiler.engine.capture.capture import make_capture
    from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
    from tests.links.package_programs.identity import identities
    from tests.links.package_programs.links import reach
    from tests.links.quick_captures import nothing_built

    with tempfile.TemporaryDirectory() as folder, nothing_built():
        target = TargetSpec(PROGRAMS[name].write(Path(folder)), folder)
        run = RunOptions(training=training, gradients=training)
        live = make_capture(CaptureSpec(target, run=run), "capture-1", lambda text: None)
        reached = reach(live.capture)
        count, changed = identities(live)
    return {
        "levels": reached.counts,
        "training": training,
        "unreached": reached.unreached[:12],
        "faults": len(reached.faults),
        "first_faults": reached.faults[:8],
        "checked": reached.checked,
        "problems": [problem.what[:200] for problem in live.capture.problems][:3],
        "identities": count,
        "changed": changed,
    }


def _apart(name: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", __package__, "--one", name]
    try:
        done = ran(command, _TREE, timeout=900)
    except subprocess.TimeoutExpired:
        return [{"error": "took longer than 15 minutes"}]
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"levels"')]
    return rows if len(rows) == 2 else [*rows, {"error": done.stderr.strip()[-600:]}]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--one", help="measure this one here")
    parser.add_argument("--jobs", type=int, default=1, help="so many programs at a time")
    options = parser.parse_args()
    if options.one:
        for training in (True, False):
            print(json.dumps(_one(options.one, training)), flush=True)
        return
    rows: list[dict[str, Any]] = []

    def measure(name: str) -> None:
        started = time.perf_counter()
        found = _apart(name)
        seconds = round(time.perf_counter() - started, 1)
        reported = [{"program": name, **row, "seconds": seconds} for row in found]
        rows.extend(reported)
        sys.stdout.write("".join(f"{json.dumps(row)}\n" for row in reported))
        sys.stdout.flush()

    names = options.names or [name for name, program in PROGRAMS.items() if program.installed]
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(measure, names))
    print(table(rows))


def table(rows: list[dict[str, Any]]) -> str:
    """Worst, median and how many, by level; then what was checked and compiled again."""
    good = [row for row in rows if "error" not in row]
    lines = [f"{len(good)} captures, {len({row['program'] for row in good})} programs"]
    for level in _LEVELS:
        shares = [
            (right / all_of, row["program"], row["training"])
            for row in good
            for right, all_of in [row["levels"].get(level, (0, 0))]
            if all_of
        ]
        nodes = sum(row["levels"].get(level, (0, 0))[1] for row in good)
        if shares:
            worst, middle = min(shares), statistics.median(share for share, _, _ in shares)
            lines.append(f"{level}: {nodes}, worst {worst[0]:.4f} ({worst[1]}, {'train' if worst[2] else 'eval'}), median {middle:.4f}")  # fmt: skip
    for what in ("kernels", "lines"):
        lines.append(f"checked {what}: {sum(row['checked'].get(what, 0) for row in good)}")
    lines.append(f"invalid links: {sum(row['faults'] for row in good)}")
    changed = sum(len(row["changed"]) for row in good)
    lines.append(f"identities: {sum(row['identities'] for row in good)}, not the same: {changed}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
