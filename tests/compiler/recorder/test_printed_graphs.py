"""A program that prints the graphs it is given, or has torch print them, sees nothing of ours in them."""

import os
import sys
from pathlib import Path

import pytest

from tests.compiler.recorder.test_recorded_runs import captured, loupe_run, written
from tests.helpers.finished_process import ran

pytestmark = pytest.mark.engine

_PROGRAM = """
import torch
from torch._dynamo.backends.common import aot_autograd
from functorch.compile import make_boxed_func

def shown(graph, inputs):
    print(graph.print_readable(print_output=False))
    return make_boxed_func(graph.forward)

def first(graph, inputs):
    shown(graph, inputs)
    return aot_autograd(fw_compiler=shown, bw_compiler=shown)(graph, inputs)

@torch.compile(backend=first)
def f(x):
    with torch.fx.traceback.annotate({"mine": 1}):
        y = x.sin()
    return y.exp()

f(torch.ones(3, requires_grad=True)).sum().backward()
"""


@pytest.mark.thorough
def test_graphs_print_as_without_us(tmp_path: Path) -> None:
    script = str(written(tmp_path, _PROGRAM))
    recorded = loupe_run(tmp_path, "-o", "run.loupe", script, TORCH_LOGS="graph_code")
    plain = ran([sys.executable, script], env=os.environ | {"TORCH_LOGS": "graph_code"}, check=True)
    assert "Annotation: {'mine': 1}" in plain.stdout
    assert recorded.stdout == plain.stdout
    assert "torch_loupe" not in recorded.stderr
    marks = [row for row in captured(tmp_path / "run.loupe").links if row.pairs]
    assert marks, "our marks are still there"
