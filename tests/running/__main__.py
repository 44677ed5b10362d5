"""``python -m tests.running [name…]``: programs as people have them, unmodified, with and without ``loupe run``.

Each runs twice, in an order that changes, with caches of its own that are empty; what it prints must be equal, and the session must hold every
graph that torch says it compiled. On a GPU torch chooses configurations by timing them: two plain runs may differ there too.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compiler.analysis.session_file.session_file import read_session
from compiler.model.ir.stage import StageKind
from tests.helpers.finished_process import ran

_TREE = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).with_name("programs")
_RANKS = dict.fromkeys(
    ("ddp", "fsdp2", "tensor_parallel", "overlap"), int(os.environ.get("LOUPE_TEST_RANKS", "2"))
)
"""As many as there are GPUs for, with NCCL: LOUPE_TEST_RANKS says so."""


def command_of(name: str) -> list[str]:
    """What a person types after ``python``."""
    script = str(PROGRAMS / f"{name}.py")
    if name in _RANKS:
        return ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(_RANKS[name]), script]
    return [script]


def run(name: str, folder: Path, recorded: bool) -> tuple["subprocess.CompletedProcess[str]", float]:
    """One run with empty caches, and its seconds."""
    others = [
        place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place and place != str(_TREE)
    ]
    side = folder / ("with" if recorded else "without")
    side.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*([str(_TREE)] if recorded else []), *others]),
        "TORCHINDUCTOR_CACHE_DIR": str(side / "inductor"),
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    ours = (
        ["-P", "-m", "torch_loupe", "run", "--no-window", "-o", "run.loupe", "--json", "sum.json"]
        if recorded
        else []
    )
    if not recorded:
        environment["TORCH_TRACE"] = str(side / "trace")
    began = time.perf_counter()
    done = ran([sys.executable, *ours, *command_of(name)], side, environment)
    return done, time.perf_counter() - began


def compiled_by_torch(folder: Path) -> list[tuple[int, int]]:
    """By rank, from torch's own structured log of the run without us: (Dynamo graphs, generated wrappers)."""
    found = []
    for path in sorted(folder.glob("*.log")):
        graphs: set[str] = set()
        wrappers = 0
        for line in path.read_text().splitlines():
            if not line.startswith("V") or "{" not in line:
                continue
            row = json.loads(line[line.index("{") :])
            if "dynamo_output_graph" in row:
                graphs.add(f"{row.get('frame_id')}/{row.get('frame_compile_id')}")
            wrappers += "inductor_output_code" in row
        if graphs:
            found.append((len(graphs), wrappers))
    return sorted(found)


def judge(name: str, first: bool) -> dict[str, object]:
    """What was seen of one program; `first`: the recorded run comes first."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        runs = {recorded: run(name, folder, recorded) for recorded in (first, not first)}
        (plain, without), (done, seconds) = runs[False], runs[True]
        row: dict[str, object] = {
            "program": name,
            "same output": plain.stdout == done.stdout,
            "same status": plain.returncode == done.returncode,
            "status": plain.returncode,
            "seconds without": round(without, 1),
            "seconds with": round(seconds, 1),
        }
        if plain.returncode:
            row["error"] = plain.stderr[-300:]
        sessions = sorted((folder / "with").glob("*.loupe"))
        if not sessions or plain.stdout != done.stdout:
            return row | {"files": len(sessions), "said": done.stderr[-600:]}
        reads = [read_session(path) for path in sessions]
        captures = [read.captures[-1] for read in reads]
        graphs = [capture.of_kind(StageKind.DYNAMO_GRAPH) for capture in captures]
        linked = {
            (number, row_.target)
            for number, capture in enumerate(captures)
            for row_ in capture.links
            if row_.pairs
        }
        summaries = [
            process["summary"] for process in json.loads((folder / "with/sum.json").read_text())["processes"]
        ]
        return row | {
            "files": len(sessions),
            "whole": not any(read.left_out for read in reads),
            "stages": [len(capture.stages) for capture in captures],
            "graphs and wrappers": sorted(
                (len(found), len(capture.of_kind(StageKind.WRAPPER)))
                for found, capture in zip(graphs, captures, strict=True)
                if found
            ),
            "by torch": compiled_by_torch(folder / "without/trace"),
            "kernels": [summary["kernels"] for summary in summaries],
            "breaks": [summary["breaks"] for summary in summaries],
            "recompiles": [summary["recompiles"] for summary in summaries],
            "compile seconds": [round(summary["compile_seconds"], 1) for summary in summaries],
            "stages with links": len(linked),
            "problems": [problem.what[:200] for capture in captures for problem in capture.problems],
            "storms": [storm for summary in summaries for storm in summary["storms"]],
            "no longer recorded": "no longer recorded" in done.stderr,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    for number, name in enumerate(names):
        print(json.dumps(judge(name, bool(number % 2))), flush=True)


if __name__ == "__main__":
    main()
