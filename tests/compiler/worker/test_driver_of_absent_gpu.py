"""What programs ask the GPU's driver for while they run: without a GPU they go on as with one. `tests.gpu.driver_models` against a recording of
a real one is in `test_gpu_identity`; here with whatever torch there is.
"""

from typing import Any

import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.stage import StageKind, WrapperStage
from tests.gpu import device_models, driver_models, step_models
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON


def _captured(worker: WorkerClient, name: str, module: Any = driver_models) -> Capture:
    target = TargetSpec(f"{module.__file__}:{name}", inputs=module.INPUTS[name])
    return capture_by(worker, CaptureSpec(target, run=RunOptions(gradients=False), device=TARGETS["h100"]))


def _errors(capture: Capture) -> list[str]:
    return [problem.what for problem in capture.problems if problem.severity is Severity.ERROR]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "graphs"),
    [("OnDevice", 1), ("TwoStreams", 1), ("AnyStream", 1), ("Properties", 3), ("PushedRange", 3), ("OwnGenerator", 3), ("GeneratorOfIts", 3)],
)  # fmt: skip
def test_a_program_goes_on_as_on_the_gpu(worker: WorkerClient, name: str, graphs: int):
    capture = _captured(worker, name)
    assert _errors(capture) == []
    assert len(capture.of_kind(StageKind.KERNELS)) == graphs
    assert not [
        row for row in capture.breaks if "fake_gpu" in str(row)
    ]  # where torch breaks, not in our code


@pytest.mark.thorough
def test_what_torch_refuses_on_the_gpu_too_is_no_failure_of_the_program_by_itself(worker: WorkerClient):
    (reported,) = _errors(_captured(worker, "Pinned"))
    assert "by itself" not in reported
    (reported,) = _errors(_captured(worker, "Timed"))
    assert "Both events must be recorded" in reported


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["OldTypes", "Utilization"])
def test_a_program_that_names_the_gpu_or_asks_about_it_is_one_graph(worker: WorkerClient, name: str):
    capture = _captured(worker, name, device_models)
    assert _errors(capture) == []
    assert len(capture.of_kind(StageKind.DYNAMO_GRAPH)) == 1


@pytest.mark.thorough
def test_an_optimizer_steps_what_was_moved_and_keeps_its_state_there(worker: WorkerClient):
    """Three graphs with kernels: forward, backward, and the step, all of it on the GPU."""
    capture = _captured(worker, "Adam", step_models)
    assert _errors(capture) == []
    wrappers = [
        stage.content.code.text for stage in capture.stages if isinstance(stage.content, WrapperStage)
    ]
    assert len(wrappers) == 3
    assert not [text for text in wrappers if "cpp_fused" in text or "device='cpu'" in text]
