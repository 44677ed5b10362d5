"""Every stage of a pipeline captured with its microbatches, and the step of all of them."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.prediction.known_machines import machine_for
from compiler.analysis.prediction.memory_curve import memory_curve, rounded
from compiler.analysis.prediction.pipeline_step import predict_pipeline
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions, checked
from compiler.model.prediction.simulated_step import COMMUNICATION, GRADIENTS
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.needs import WORKER_WITH_TRITON

pytestmark = WORKER_WITH_TRITON
Write = Callable[[str, str], Path]
NET = """\
import torch

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(64, 256), torch.nn.Linear(256, 64)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x)))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(100, 64)
        self.layers = torch.nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        x = self.words(x)
        for layer in self.layers:
            x = layer(x)
        return x

class Plain(Net):
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def example_inputs():
    return (torch.randint(0, 100, (8, 16)),)
"""
PLAIN = NET.replace("torch.randint(0, 100, (8, 16))", "torch.randn(8, 16, 64)").replace(
    "        self.words = torch.nn.Embedding(100, 64)\n", ""
)
SENT = 8 * 16 * 64 * 4
MICROBATCHES = 6


def captured(
    worker: WorkerClient, path: Path, stage: int, schedule: str, microbatches: int, name: str = "Net"
) -> Capture:
    plan = ParallelPlan(3, (("pp", 3),), stage=stage, schedule=schedule, microbatches=microbatches)
    spec = spec_on_h100(
        target_in(path, name),
        parallel=checked(plan),
        step=StepOptions("sgd"),
    )
    return capture_with_step(worker, spec, f"capture-{stage + 1}")


def peak(capture: Capture) -> int:
    assert capture.step is not None
    return memory_curve(capture.step).peak.total


def held(capture: Capture, kind: str) -> int:
    return sum(rounded(one.bytes) for one in capture.step.memory if one.kind == kind)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "net.py"
    path.write_text(PLAIN)
    return path


@pytest.fixture(scope="module")
def plain_stages(worker: WorkerClient, plain: Path) -> list[Capture]:
    return [captured(worker, plain, stage, "1f1b", MICROBATCHES, "Plain") for stage in range(3)]


@pytest.mark.thorough
def test_each_microbatch_in_flight_is_held(worker: WorkerClient, plain: Path, plain_stages: list[Capture]):
    """1F1B holds in the first stage as many as there are stages, GPipe all of them: both beside what one takes."""
    path = plain
    one = captured(worker, path, 0, "", 1, "Plain")
    two, all_of_them = (captured(worker, path, 0, "gpipe", count, "Plain") for count in (2, MICROBATCHES))
    in_turn = plain_stages[0]
    a_microbatch = peak(two) - peak(one)
    assert a_microbatch > 0
    assert peak(all_of_them) - peak(one) == (MICROBATCHES - 1) * a_microbatch
    gradients = held(one, GRADIENTS)
    more = peak(in_turn) - peak(one) - 2 * a_microbatch
    assert gradients / 2 < more <= 2 * gradients, (
        "gradients are there by then, and new ones before they are added"
    )
    assert in_turn.step.pipeline.in_flight == (3, 2, 1)  # type: ignore[union-attr]


def test_a_stage_whose_parameters_are_sharded_has_a_step_of_several_microbatches(
    worker: WorkerClient, plain: Path
):
    """FSDP2 waits on ``torch.accelerator``'s stream for what it gathered for a backward that another microbatch has first."""
    plan = ParallelPlan(4, (("dp", 2), ("pp", 2)), schedule="1f1b", microbatches=4)
    spec = spec_on_h100(
        target_in(plain, "Plain"),
        parallel=checked(plan),
        step=StepOptions("adamw"),
    )
    capture = capture_with_step(worker, spec, "capture-sharded")
    assert not capture.step.problem
    assert capture.step.pipeline is not None


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Net", "Plain"])
def test_the_step_of_the_whole_pipeline(
    worker: WorkerClient, write: Write, plain_stages: list[Capture], name: str
):
    stages = plain_stages
    if name == "Net":
        path = write("net.py", NET)
        stages = [captured(worker, path, stage, "1f1b", MICROBATCHES) for stage in range(3)]
    assert [one.step.pipeline.received for one in stages] == [0, SENT, SENT]  # type: ignore[union-attr]
    assert [held(one, COMMUNICATION) for one in stages] == [0, MICROBATCHES * SENT, MICROBATCHES * SENT]
    reported = predict_pipeline(stages, machine_for(stages[0]))
    assert (reported.schedule, reported.microbatches) == ("1f1b", MICROBATCHES)
    assert [stage.in_flight for stage in reported.stages] == [3, 2, 1]
    assert [stage.sent for stage in reported.stages] == [SENT, SENT, 0]
    assert reported.seconds > max(stage.busy for stage in reported.stages)
    assert 0 < reported.bubble < 1
    assert reported.bound_by.busy == max(stage.busy for stage in reported.stages)
    assert [stage.peak for stage in reported.stages] == [
        peak(one) + 2 * machine_for(one).library_bytes for one in stages
    ]
    with pytest.raises(ValueError, match="all its stages"):
        predict_pipeline(stages[1:], machine_for(stages[0]))
    single = msgspec.structs.replace(stages[0], step=msgspec.structs.replace(stages[0].step, pipeline=None))
    with pytest.raises(ValueError, match="--schedule"):
        predict_pipeline([single], machine_for(single))
