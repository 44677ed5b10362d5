"""flex_gemm (torch 2.14 and later): a matrix product with an epilogue, whose body is a graph that Inductor lowers in place."""

from pathlib import Path

import pytest
import torch

from compiler.engine.verbs.engine import Engine
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import StageKind
from compiler.model.session_file.checks import consistent

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(release(torch.__version__) < (2, 14), reason="flex_gemm needs torch 2.14"),
]
PROGRAM = """
import torch
from torch._higher_order_ops.flex_gemm import flex_gemm

def f(a, b):
    y = flex_gemm(torch.mm, (a + 1, b), lambda y: torch.relu(y) * 2, kernel_options=OPTIONS)
    return torch.relu(y.sin() * 3)

def example_inputs():
    return (torch.randn(32, 32), torch.randn(32, 32))
"""
BODY = "0/0:inference:post_grad:flex_gemm_body_graph_0"
POST_GRAD, LOOPS, KERNELS = (f"0/0:inference:{what}" for what in ("post_grad", "loops", "kernels"))


def captured(folder: Path, options: str) -> Capture:
    path = folder / "gemm.py"
    path.write_text(PROGRAM.replace("OPTIONS", options))
    run = RunOptions(training=False, gradients=False)
    spec = CaptureSpec(TargetSpec(f"{path}:f"), CompileOptions(), run)
    return Engine().capture(spec, "c", lambda text: None)


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    return captured(tmp_path_factory.mktemp("flex_gemm"), "{}")


def linked(capture: Capture, source: str, target: str, proof: str) -> set[tuple[str, str]]:
    return {
        pair
        for row in capture.links
        if (row.source, row.target, row.proof) == (source, target, proof)
        for pair in row.pairs
    }


def test_its_body_is_a_graph_in_every_stage(capture: Capture) -> None:
    assert not capture.breaks
    assert not capture.problems
    assert not consistent(capture)[1]
    bodies = [stage.id for stage in capture.of_kind(StageKind.BODY)]
    assert len(bodies) == 3
    assert BODY in bodies
    graph = capture.stage(BODY).graph
    assert {"aten.mm.default", "aten.relu.default", "aten.mul.Tensor"} <= {
        node.target for node in graph.nodes
    }


def test_the_body_is_linked_to_loops_and_kernels_by_what_torch_recorded(capture: Capture) -> None:
    lowered = linked(capture, BODY, LOOPS, "torch")
    by_node = {node: {loop for first, loop in lowered if first == node} for node, _ in lowered}
    assert set(by_node) == {"mm", "relu", "mul"}
    assert by_node["relu"] == by_node["mul"] != by_node["mm"]
    emitted = linked(capture, BODY, KERNELS, "torch")
    assert {node for node, _ in emitted} == {"relu", "mul"}
    reached = Provenance(capture.links).follow(place(BODY, "mm"))[KERNELS].nodes
    assert any(node.startswith("extern_kernels") for node in reached)


def test_a_node_of_the_body_is_not_taken_for_one_outside_that_is_called_the_same(capture: Capture) -> None:
    """relu and mul are names of both graphs."""
    outside = capture.stage(POST_GRAD).graph
    assert {"relu", "mul"} <= {node.id for node in outside.nodes}
    inside = {loop for node, loop in linked(capture, BODY, LOOPS, "torch") if node in ("relu", "mul")}
    own = {loop for node, loop in linked(capture, POST_GRAD, LOOPS, "torch") if node in ("relu", "mul")}
    assert inside
    assert own
    assert inside.isdisjoint(own)
    lines = [
        {line for node, line in linked(capture, stage, KERNELS, "torch") if node in ("relu", "mul")}
        for stage in (BODY, POST_GRAD)
    ]
    assert lines[0]
    assert lines[0].isdisjoint(lines[1])


def test_kernels_name_the_body_they_compute(capture: Capture) -> None:
    origins = {origin for kernel in capture.stage(KERNELS).kernels for origin in kernel.origins}
    assert {"flex_gemm_body_graph_0.mm", "flex_gemm_body_graph_0.relu", "relu"} <= origins


def test_the_template_of_a_gpu_is_refused_in_torchs_words(tmp_path: Path) -> None:
    made = captured(tmp_path, "{'backend': 'QUACK'}")
    (problem,) = made.problems
    assert "FlexGEMM QUACK backend requires" in problem.what or "No module named 'cutlass'" in problem.what
    assert made.stage("0/0:dynamo:flex_gemm_body_0").graph is not None
