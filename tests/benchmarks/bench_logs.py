"""Reading torch's structured logs, tlparse beside ours: seconds, memory, and what each finds. Logs are made here; the large one is
made of a recorded one, in a temporary folder.

``TLPARSE`` names tlparse 0.4.3 (in an environment of its own); without it only ours is measured.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from compiler.analysis.torch_logs.opening import read_log
from compiler.model.capture.capture import Capture
from compiler.model.ir.stage import StageKind
from tests.compiler.analysis.torch_logs.recorded_log import text
from tests.logs import large_log, tlparse

_SIZES = (("recorded", 0), ("32 MB", 32 << 20), ("1 GB", 1 << 30))
_ROUNDS = 3
_TREE = Path(__file__).resolve().parents[2]


def ours(log: Path, output: Path) -> tuple[float, int]:
    """(seconds, peak memory in KiB) of ``loupe open`` in a process of its own, Python's start included."""
    command = [sys.executable, "-P", "-m", "torch_loupe", "open", str(log), "-o", str(output), "--quiet"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(_TREE)})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - begin, usage.ru_maxrss


def found(capture: Capture) -> dict[str, int]:
    """What ours makes of a log."""
    kinds = Counter(stage.kind for stage in capture.stages)
    return {
        "texts listed": len(capture.log.artifacts),
        "texts kept": sum(bool(row.stage) for row in capture.log.artifacts),
        "graphs as nodes": sum(stage.graph is not None for stage in capture.stages),
        "kernels with source": sum(
            bool(kernel.source) for stage in capture.stages for kernel in stage.kernels
        ),
        "source files": kinds[StageKind.SOURCE],
        "links": capture.link_count,
        "links recorded by torch or by name": sum(
            len(table.pairs) for table in capture.links if table.proof != "guess"
        ),
        "breaks with a line": sum(item.reported is not None for item in capture.breaks),
        "guards": sum(tree.count for tree in capture.guards),
        "symbols": sum(len(tree.symbols) for tree in capture.guards),
        "phases": len(capture.phases),
        "questions to caches": len(capture.log.lookups),
        "key differences": sum(bool(row.differs) for row in capture.log.lookups),
    }


def theirs(folder: Path) -> dict[str, int]:
    """What tlparse makes of a log: files to read."""
    rows = [row for name, row in _pages(folder)]
    return {
        "files": sum(1 for path in folder.rglob("*") if path.is_file()),
        "MB": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) >> 20,
        "compile ids": len(rows),
    }


def _pages(folder: Path) -> list[tuple[str, Path]]:
    return [
        (path.name, path) for path in folder.iterdir() if path.is_dir() and path.name.startswith(("-_", "0_"))
    ]


def measure(name: str, log: Path, scratch: Path, program: str | None) -> None:
    """One log, interleaved."""
    size = log.stat().st_size / 1e6
    rounds = 1 if size > 500 else _ROUNDS
    rows: dict[str, list[tuple[float, int]]] = {"ours": [], "tlparse": []}
    for number in range(rounds):
        rows["ours"].append(ours(log, scratch / "ours.loupe"))
        if program is not None:
            _, seconds, memory = tlparse.run(program, log, scratch / f"{name}-{number}")
            rows["tlparse"].append((seconds, memory))
    for who, runs in rows.items():
        if runs:
            seconds, memory = min(run[0] for run in runs), max(run[1] for run in runs)
            print(
                f"  {name:<10} {size:8.1f} MB  {who:<8} {seconds:8.2f} s  {memory / 1024:8.0f} MB of memory  n={len(runs)}"
            )
    print(f"  {name:<10} ours: {found(read_log(log))}")
    if program is not None:
        print(f"  {name:<10} tlparse: {theirs(scratch / f'{name}-0')}", flush=True)


def main() -> int:
    program = tlparse.program()
    print("Structured logs" + ("" if program else " (tlparse is not there: set TLPARSE)"))
    with tempfile.TemporaryDirectory() as place:
        for name, size in _SIZES:
            scratch = Path(place) / name.replace(" ", "")
            scratch.mkdir()
            log = scratch / "trace.log"
            if size:
                large_log.write(log, size)
            else:
                log.write_bytes(text())
            measure(name.replace(" ", ""), log, scratch, program)
            subprocess.run(["rm", "-rf", str(scratch)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
