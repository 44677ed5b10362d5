"""Sets of strings are in another order in each Python process, and generated code can follow it; not in ours."""

import json
import os
import sys
from pathlib import Path

import pytest

from compiler.analysis.session_file.session_file import read_session
from compiler.command_line.main import main
from compiler.model.ir.stage import KernelStage
from tests.conftest import fresh_workers
from tests.helpers.finished_process import ran

pytestmark = [pytest.mark.engine, pytest.mark.worker]

_PROGRAM = """
import torch
STEPS = {"sin": torch.sin, "cos": torch.cos, "relu": torch.relu, "exp": torch.exp, "tanh": torch.tanh}
def f(x):
    for name in set(STEPS):
        x = STEPS[name](x) + 1
    return x
def example_inputs():
    return (torch.ones(8),)
"""


def _kernels(path: Path) -> list[str]:
    (capture,) = read_session(path).captures
    assert capture.environment.hash_seed == "0"
    stages = [stage.content for stage in capture.stages if isinstance(stage.content, KernelStage)]
    return [kernel.source for stage in stages for kernel in stage.kernels.kernels]


@pytest.mark.thorough
def test_two_captures_are_the_same_text_and_the_exported_test_holds_in_another_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    (tmp_path / "steps.py").write_text(_PROGRAM)
    first, second, out = tmp_path / "1.loupe", tmp_path / "2.loupe", tmp_path / "out"
    with fresh_workers():  # forked from one process, both would have its order
        for path in (first, second):
            assert main(["capture", f"{tmp_path}/steps.py:f", "-o", str(path)]) == 0
    assert _kernels(first) == _kernels(second) != []
    edit = {
        "type": "replace_target", "stage": "0/0:dynamo", "node": "relu", "op": "call_function",
        "target": "torch.nn.functional.gelu",
    }  # fmt: skip
    graph = next(
        stage.graph
        for stage in read_session(first).captures[0].stages
        if stage.id == "0/0:dynamo" and stage.graph is not None
    )
    used = graph.node("relu").inputs()[0]
    edit["args"] = {"type": "sequence", "kind": "tuple", "items": [{"type": "node", "node": used}]}  # type: ignore[assignment]
    edits = tmp_path / "edits.json"
    edits.write_text(json.dumps([edit]))
    assert main(["export", str(first), "--edits", str(edits), "-o", str(out), "--name", "mine"]) == 0
    run = ran(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py", "-k", "kernels"],
        out,
        {**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert run.returncode == 0, run.stdout[-3000:]
