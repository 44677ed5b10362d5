"""The log of the torch that is installed, beside a live capture of the same program: same graphs, kernels, breaks, recompiles."""

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch

from compiler.analysis.session_file.session_file import read_session
from compiler.analysis.torch_logs.opening import captures
from compiler.model.capture.capture import Capture
from compiler.model.graph_breaks.ranked_breaks import break_count
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import KernelStage, StageKind, TextStage

pytestmark = pytest.mark.thorough
ROOT = Path(__file__).resolve().parents[4]
PROGRAM = """
import torch
torch.manual_seed(0)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(8, 16)
    def forward(self, x):
        h = torch.relu(self.first(x))
        print("halfway")
        h = h[..., 1:]
        h += 1
        return h.softmax(-1) * (h.shape[0] - 2)
net = torch.compile(Net())
for size in (4, 6):
    net(torch.randn(size, 8)).square().sum().backward()
"""


@cache
def both() -> tuple[Capture, Capture]:
    """(from the log, live)."""
    with TemporaryDirectory() as place:
        return _both(Path(place))


def _both(folder: Path) -> tuple[Capture, Capture]:
    (folder / "train.py").write_text(PROGRAM)
    common = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "train.py"]
    logged = {
        **common,
        "TORCH_TRACE": str(folder / "trace"),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "first"),
    }
    subprocess.run(command, cwd=folder, env=logged, check=True, capture_output=True, timeout=500)
    recorded = {**common, "TORCHINDUCTOR_CACHE_DIR": str(folder / "second")}
    run = [sys.executable, "-P", "-m", "torch_loupe", "run", "-o", "live.loupe", "train.py"]
    subprocess.run(run, cwd=folder, env=recorded, check=True, capture_output=True, timeout=500)
    [(_, capture)] = captures(folder / "trace")
    return capture, read_session(folder / "live.loupe").captures[-1]


def graphs(capture: Capture, kind: StageKind) -> dict[str, Graph]:
    return {stage.id: stage.graph for stage in capture.of_kind(kind) if stage.graph is not None}


def reported(node: Node) -> tuple[object, ...]:
    value = re.sub(r"requires_grad=\w+", "", str(node.value)) if node.op != "output" else ""
    return node.id, node.op, node.target, str(node.args), str(node.kwargs), value


def test_graphs_are_those_of_a_live_capture_node_for_node() -> None:
    log, live = both()
    for kind in (StageKind.DYNAMO_GRAPH, StageKind.AOT_GRAPH):
        mine, theirs = graphs(log, kind), graphs(live, kind)
        assert mine.keys() == theirs.keys()
        assert len(mine) >= 4
        for stage, graph in mine.items():
            assert [reported(node) for node in graph.nodes] == [
                reported(node) for node in theirs[stage].nodes
            ], stage
            lines = {node.id: node.stack[-1].line for node in theirs[stage].nodes if node.stack}
            for node in graph.nodes:
                if node.stack and node.op == "call_function":
                    assert node.stack[-1].line == lines[node.id]


def test_stages_kernels_breaks_and_recompiles_are_as_many() -> None:
    log, live = both()
    for kind in (StageKind.JOINT_GRAPH, StageKind.POST_GRAD_GRAPH, StageKind.KERNELS, StageKind.WRAPPER):
        assert {stage.id for stage in log.of_kind(kind)} == {stage.id for stage in live.of_kind(kind)}
    assert kernels(log) == kernels(live)
    assert break_count(log) == break_count(live) == 1
    assert [row.compile_id for row in log.recompiles] == [row.compile_id for row in live.recompiles]
    assert {tree.compile_id for tree in log.guards} == {tree.compile_id for tree in live.guards}
    symbols = {symbol.name for tree in live.guards for symbol in tree.symbols}
    assert {symbol.name for tree in log.guards for symbol in tree.symbols} == symbols != set()
    assert not log.problems


def test_runtime_wrappers_are_those_of_the_log_letter_by_letter() -> None:
    log, live = both()
    texts = [
        {stage.id: stage.content.text for stage in capture.of_kind(StageKind.RUNTIME_WRAPPERS)
         if isinstance(stage.content, TextStage)}
        for capture in (log, live)
    ]  # fmt: skip
    assert texts[0] == texts[1]
    graphs_with_a_joint = {
        f"{stage.compile_id}:runtime_wrappers" for stage in live.of_kind(StageKind.JOINT_GRAPH)
    }
    if release(torch.__version__) >= (2, 13):
        assert texts[1].keys() == graphs_with_a_joint
        for text in texts[1].values():
            assert "# runtime_wrapper_orchestration\ndef _runtime_wrapper(" in text
            ast.parse(text)
    elif release(torch.__version__) < (2, 12):
        assert not texts[1]
    listed = {item.name: item.stage for item in log.log.artifacts} if log.log is not None else {}
    for name in ("aot_autograd_runtime_wrappers", "runtime_wrapper_orchestration"):
        assert listed.get(name, "0:runtime_wrappers").endswith(":runtime_wrappers")


def kernels(capture: Capture) -> dict[str, list[tuple[str, str]]]:
    return {
        stage.id: sorted((kernel.name, kernel.source.strip()) for kernel in stage.kernels)
        for stage in capture.stages
        if isinstance(stage.content, KernelStage)
    }


def test_guards_are_those_of_a_live_capture() -> None:
    log, live = both()
    for tree in live.guards:
        mine = next(row for row in log.guards if row.compile_id == tree.compile_id)
        wanted = {(node.source, leaf.kind) for node in tree.nodes for leaf in node.leaves}
        found = {(node.source, leaf.kind) for node in mine.nodes for leaf in node.leaves}
        assert wanted <= found, wanted - found
