"""Triton kernels down to machine code, with what they need of the GPU and where each line comes from."""

import re

import pytest

from compiler.analysis.gpu.occupancy import occupancy
from compiler.analysis.gpu.triton_config import KernelConfiguration, with_configurations
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerAnswer, LowerKernels, LowerOrder
from tests.compiler.engine.conftest import EXAMPLES
from tests.compiler.worker.test_kernel_checks import MAXIMUM
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON


@pytest.fixture(scope="module")
def relu(worker: WorkerClient) -> LowerOrder:
    """The MLP's relu kernel for an H100."""
    spec = CaptureSpec(TargetSpec("mlp.py:MLP", str(EXAMPLES)), run=RunOptions(False), device=TARGETS["h100"])
    capture = capture_by(worker, spec)
    kernels = [kernel for stage in capture.stages for kernel in stage.kernels if "relu" in kernel.name]
    return LowerOrder(kernels[0].name, kernels[0].source)


def lowered(worker: WorkerClient, *orders: LowerOrder) -> tuple[LowerAnswer, ...]:
    reply = worker.ask(LowerKernels(orders, TARGETS["h100"]), KernelsLowered)
    return reply.answers


@pytest.mark.thorough
def test_every_form_is_linked_to_the_source_and_what_it_needs_is_reported(
    worker: WorkerClient, relu: LowerOrder
):
    wrong = LowerOrder(relu.name, re.sub(MAXIMUM, "tl.no_such_function", relu.source))
    assert wrong.source != relu.source
    good, bad = lowered(worker, relu, wrong)

    assert good.problem is None
    row = good.lowered[0]
    forms = {form.name: form for form in row.forms}
    assert set(forms) == {"ttir", "ttgir", "llir", "ptx", "sass"}
    assert ".target sm_90" in forms["ptx"].text
    assert row.registers is not None
    assert 4 <= row.registers <= 64
    assert row.spilled_bytes == 0
    assert row.warps in (1, 2, 4, 8)
    assert row.architecture == "sm_90a"
    assert row.threads == 32 * row.warps
    assert dict(row.blocks)["XBLOCK"] >= 32
    assert row.counted == "sass"
    assert dict(row.instructions)["global memory"] >= 3
    held = occupancy(row)
    assert held.share == 1
    source = relu.source.split("\n")
    maximum = next(number for number, line in enumerate(source, 1) if re.search(MAXIMUM, line))
    for name, instruction in (
        ("ttir", "arith"),
        ("llir", "maxnum|fcmp|maximum"),
        ("ptx", "setp|max"),
        ("sass", "FMNMX|FSETP|FSEL"),
    ):
        lines = forms[name].text.split("\n")
        made = [lines[here - 1] for here, there in forms[name].lines if there == maximum]
        assert any(word in line for line in made for word in instruction.split("|")), (name, made)
        assert all(1 <= there <= len(source) for _, there in forms[name].lines)

    chosen = KernelConfiguration(row.blocks, row.warps, row.stages)
    same = LowerOrder(relu.name, with_configurations(relu.source, (chosen,)), ("ttgir",))
    (again,) = lowered(worker, same)
    assert again.lowered[0].configuration == row.configuration
    assert (again.lowered[0].registers, again.candidates) == (row.registers, 1)

    assert "no_such_function" in bad.problem.what
    assert "Traceback" in bad.problem.detail
    assert bad.error_line == maximum
