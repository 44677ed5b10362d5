"""AOTAutograd by itself: one joint graph, two partitions, against figures established by hand."""

from pathlib import Path

import pytest

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import JointStage, StageKind, TextStage
from compiler.model.session_file.checks import consistent
from tests.helpers.worker_capture import capture_by

pytestmark = [pytest.mark.engine, pytest.mark.worker]

PROGRAM = """import torch
import torch.nn.functional as F


def f(x, w1, w2):
    a = x @ w1
    b = F.gelu(a)
    c = torch.sigmoid(b) * a
    d = torch.tanh(c) + torch.cos(a)
    return (d @ w2).relu()


def branch(x, w1, w2):
    return x if x.sum() > 0 else -x


def example_inputs():
    sizes = (64, 32), (32, 128), (128, 16)
    return tuple(torch.randn(size, requires_grad=True) for size in sizes)
"""


def captured(worker: WorkerClient, folder: Path, name: str = "f", gradients: bool = True) -> Capture:
    (folder / "steps.py").write_text(PROGRAM)
    run = RunOptions(gradients=gradients)
    capture = capture_by(
        worker, CaptureSpec(TargetSpec(f"steps.py:{name}", str(folder)), run=run, front_end="aot")
    )
    assert not consistent(capture)[1]
    return capture


@pytest.mark.thorough
def test_min_cut_keeps_half_and_computes_eight_operations_again(worker: WorkerClient, tmp_path: Path):
    capture = captured(worker, tmp_path)
    (joint,) = capture.of_kind(StageKind.JOINT_GRAPH)
    assert isinstance(joint.content, JointStage)
    partition = joint.content.partition
    assert partition.saved_bytes == 66_560
    assert len(partition.recomputed) == 8
    assert {row.fate for row in partition.decisions} >= {"saved", "recomputed"}
    budgets = [point.budget for point in partition.curve]
    assert min(budgets) == 0.0
    assert max(budgets) == 1.0
    assert partition.curve[0].recomputed >= partition.curve[-1].recomputed
    (report,) = capture.of_kind(StageKind.FRONT_END_TEXT)
    assert isinstance(report.content, TextStage)
    kept = next(line for line in report.content.text.split("\n") if line.startswith("kept for the backward"))
    assert kept.split()[-4:] == ["128.0", "KiB", "65.0", "KiB"]
    assert "Computed again by the min-cut partition: mul" in report.content.text
    assert "Computed again by the default partition: nothing" in report.content.text
    halves = {stage.id for stage in capture.of_kind(StageKind.FRONT_END_GRAPH)}
    assert halves == {
        f"aot:{cut}:{part}" for cut in ("default", "min_cut") for part in ("forward", "backward")
    }


@pytest.mark.thorough
def test_a_line_leads_to_forward_and_backward(worker: WorkerClient, tmp_path: Path):
    capture = captured(worker, tmp_path)
    (source,) = capture.of_kind(StageKind.SOURCE)
    (joint,) = capture.of_kind(StageKind.JOINT_GRAPH)
    found = Provenance(capture.links).follow(place(source.id, "L8"))
    names = found[joint.id].nodes
    lanes = {node.lane for node in joint.graph.nodes if node.id in names}
    assert {"sigmoid"} <= set(names)
    assert lanes == {"forward", "backward"}
    assert found["aot:min_cut:backward"].nodes


def test_without_gradients_there_is_one_graph(worker: WorkerClient, tmp_path: Path):
    capture = captured(worker, tmp_path, gradients=False)
    (graph,) = capture.of_kind(StageKind.FRONT_END_GRAPH)
    assert graph.id == "aot:inference"
    assert not capture.of_kind(StageKind.JOINT_GRAPH)


def test_a_branch_on_a_value_is_reported_with_its_line(worker: WorkerClient, tmp_path: Path):
    with pytest.raises(CommandFailedError, match="AOTAutograd does not take this program") as caught:
        captured(worker, tmp_path, "branch")
    assert caught.value.problem.line == 14
