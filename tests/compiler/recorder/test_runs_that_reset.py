"""Torch counts its compiles from 0/0 again after a reset: recorded, or read from torch's log, each stays a compile of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.analysis.running.run_summary import summary_of_run
from compiler.analysis.session_file.session_file import read_session
from compiler.installation import python_path
from compiler.model.capture.capture import Capture
from compiler.model.capture.compile_ids import compile_order, frame_of, generation_of, number_of, torch_id_of
from compiler.model.ir.stage import StageKind
from tests.compiler.recorder.test_recorded_runs import loupe_run, written

pytestmark = pytest.mark.engine

_RESETS = """
import torch
def f(x):
    return torch.relu(x) + 1
def g(x):
    y = torch.sin(x) * 2
    torch._dynamo.graph_break()
    return y.cos()
for turn, called in enumerate((f, g, f)):
    torch._dynamo.reset()
    compiled = torch.compile(called, backend="inductor" if called is g else "aot_eager")
    for size in (2, 3, 4):
        compiled(torch.randn(size + turn, 3))
"""
_COMPILES = ["0/0", "0/1", "0/0#2", "1/0#2", "0/1#2", "1/1#2", "0/0#3", "0/1#3"]


def _graphs(capture: Capture) -> list[str]:
    return [stage.id.partition(":")[0] for stage in capture.of_kind(StageKind.DYNAMO_GRAPH)]


@pytest.mark.thorough
def test_what_was_compiled_before_a_reset_is_kept(tmp_path: Path) -> None:
    loupe_run(tmp_path, "-o", "run.loupe", str(written(tmp_path, _RESETS)))
    capture = read_session(tmp_path / "run.loupe").captures[-1]
    assert sorted(_graphs(capture), key=compile_order) == sorted(_COMPILES, key=compile_order)
    assert [record.compile_id for record in capture.recompiles] == ["0/1", "0/1#2", "1/1#2", "0/1#3"]
    tried = [entry.compile_id for record in capture.recompiles for entry in record.entries]
    assert tried == ["0/0", "0/0#2", "1/0#2", "0/0#3"]
    assert capture.run is not None
    summary = summary_of_run(capture, capture.run)
    assert not summary.storms  # f was compiled four times, twice after each reset
    calls = {row.id: row.calls for row in summary.compiles}
    assert calls == {name: 1 if number_of(name) == "0" else 2 for name in _COMPILES}


@pytest.mark.thorough
def test_a_log_of_it_says_the_same(tmp_path: Path) -> None:
    environment = {**os.environ, "TORCH_TRACE": str(tmp_path / "trace"), "PYTHONPATH": ""}
    command = [sys.executable, "-P", str(written(tmp_path, _RESETS))]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    words = [sys.executable, "-P", "-m", "torch_loupe", "open", "trace", "-o", "log.loupe"]
    environment = {**os.environ, "PYTHONPATH": python_path(None)}
    subprocess.run(words, env=environment, cwd=tmp_path, check=True, capture_output=True)
    assert sorted(_graphs(read_session(tmp_path / "log.loupe").captures[-1])) == sorted(_COMPILES)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("0/1", ("0/1", "0", "1", 1)),
        ("0/1#2", ("0/1", "0#2", "1", 2)),
        ("!1/0/3#3", ("!1/0/3", "!1/0#3", "3", 3)),
        ("graph-4", ("graph-4", "graph-4", "", 1)),
    ],
)
def test_parts_of_an_id(name: str, parts: tuple[str, str, str, int]) -> None:
    assert (torch_id_of(name), frame_of(name), number_of(name), generation_of(name)) == parts
