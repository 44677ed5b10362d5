"""Two real processes over gloo that go apart: recorded by ``loupe run``, compared by ``loupe ranks``."""

import json
import os
import sys
from pathlib import Path

import pytest

from compiler.analysis.queries.collective_order import call_orders
from compiler.analysis.session_file.session_file import read_session
from compiler.model.ir.stage import StageKind
from tests.helpers.finished_process import ran

_ROOT = Path(__file__).parents[2]
_PROGRAMS = _ROOT / "tests" / "running" / "programs"


def recorded(folder: Path, program: str) -> Path:
    output = folder / "run.loupe"
    words = [sys.executable, "-P", "-m", "torch_loupe", "run", "--no-window", "--quiet", "-o", str(output)]
    words += [
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        str(_PROGRAMS / program),
    ]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "OMP_NUM_THREADS": "1"}
    done = ran(words, folder, environment, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    return output


@pytest.mark.slow
def test_ranks_that_go_apart(tmp_path: Path) -> None:
    output = recorded(tmp_path, "apart.py")
    words = [sys.executable, "-P", "-m", "torch_loupe", "ranks", "--json", str(output)]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    said = ran(words, env=environment, timeout=200, check=True)
    reported = json.loads(said.stdout)
    assert [(row["compile_id"], row["what"]) for row in reported["compared"]["differences"]] == [
        ("0/0", "graph"),
        ("0/0", "lowered graphs"),
        ("0/0", "kernels"),
        ("0/1", "compiled"),
    ]


@pytest.mark.slow
def test_collectives_with_work_beside_them(tmp_path: Path) -> None:
    capture = read_session(recorded(tmp_path, "overlap.py")).captures[0]
    (order,) = call_orders(capture)
    sent = [order.calls[flight.start].sent for flight in order.flights]
    assert [(row.kind, row.group_title, row.ranks, row.sent, row.got) for row in sent if row is not None] == [
        ("all_reduce", "default_pg", 2, 8192, 8192),
        ("all_gather_into_tensor", "default_pg", 2, 8192, 16384),
        ("reduce_scatter_tensor", "default_pg", 2, 16384, 8192),
    ]
    assert all(flight.wait is not None for flight in order.flights)
    assert order.between(order.flights[0])
    assert any(
        node.notes for stage in capture.of_kind(StageKind.POST_GRAD_GRAPH) for node in stage.graph.nodes
    )  # type: ignore[union-attr]
