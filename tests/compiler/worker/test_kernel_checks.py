"""Triton kernels run through the interpreter: right ones agree with their graph, a wrong one does not, and each by itself."""

import re
from pathlib import Path

import msgspec
import pytest

from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.gpu.kernel_checks import (
    CheckKernels,
    CheckOrder,
    GraphCheck,
    KernelsChecked,
    check_orders,
)
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.graph import Graph
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.tensor_types import TensorValue
from tests.compiler.engine.conftest import EXAMPLES
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON


def captured(worker: WorkerClient, target: str, folder: Path = EXAMPLES, training: bool = True) -> Capture:
    spec = CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training), device=TARGETS["h100"])
    return capture_by(worker, spec)


def checked(worker: WorkerClient, orders: tuple[CheckOrder, ...]) -> tuple[GraphCheck, ...]:
    reply = worker.ask(CheckKernels(orders), KernelsChecked)
    return reply.graphs


@pytest.fixture(scope="module")
def orders(worker: WorkerClient) -> tuple[CheckOrder, ...]:
    return check_orders(captured(worker, "mlp_dropout.py:MLP"))


MAXIMUM = r"\b(triton_helpers|tl)\.maximum"
"""How a relu's kernel calls it: of `tl` itself from torch 2.15 on."""


def with_source(order: CheckOrder, index: int, old: str, new: str) -> CheckOrder:
    """The order with one of its Triton kernels changed."""
    kernels = list(order.kernels)
    triton = [place for place, kernel in enumerate(kernels) if kernel.language == "triton"]
    chosen: Kernel = kernels[triton[index]]
    changed = re.sub(old, new, chosen.source)
    assert changed != chosen.source
    kernels[triton[index]] = msgspec.structs.replace(chosen, source=changed)
    return msgspec.structs.replace(order, kernels=tuple(kernels))


@pytest.mark.thorough
def test_kernels_agree_forward_and_backward_with_the_random_numbers_of_dropout(
    worker: WorkerClient, orders: tuple[CheckOrder, ...]
):
    forward, backward = checked(worker, orders)
    assert forward.problem is None
    assert "9 are what the forward was given or saved" in backward.inputs
    for graph in (forward, backward):
        assert graph.kernels
        for row in graph.kernels:
            assert row.agrees, row
            assert row.buffers
            assert row.blocks
    assert any("rand" in kernel.source for kernel in orders[0].kernels)


@pytest.mark.thorough
def test_a_wrong_kernel_is_found_and_the_next_one_is_judged_by_itself(
    worker: WorkerClient, orders: tuple[CheckOrder, ...]
):
    wrong = with_source(orders[0], 0, MAXIMUM, r"\1.minimum")
    (graph,) = checked(worker, (wrong,))
    first, second = graph.kernels
    assert first.agrees is False
    assert first.worst.max_relative > 0.1
    assert second.agrees


@pytest.mark.thorough
def test_a_kernel_that_cannot_be_interpreted_says_why(worker: WorkerClient, orders: tuple[CheckOrder, ...]):
    odd = with_source(
        orders[0],
        0,
        MAXIMUM,
        r"libdevice.sad(tmp0, tmp0, tmp0) + \1.maximum",
    )
    (graph,) = checked(worker, (odd,))
    first, second = graph.kernels
    assert first.agrees is None
    assert first.reason == "Cannot be interpreted: the interpreter has no libdevice.sad"
    assert second.agrees


@pytest.mark.thorough
def test_what_is_too_large_or_has_no_fixed_sizes_is_not_run(
    worker: WorkerClient, orders: tuple[CheckOrder, ...]
):
    """Each says why, and none that something must run on a CPU where that is not what is amiss."""
    sizes = (("5000", "5000"), ("s27", "3"))
    graphs = checked(worker, (*(with_size(orders[0], *size) for size in sizes), without_strides(orders[0])))
    reported = [graph.problem.message() if graph.problem is not None else "" for graph in graphs]
    assert "25,000,000 elements" in reported[0]
    assert "is a symbol" in reported[1]
    assert "has no strides (a sparse or nested tensor)" in reported[2]
    assert not any("must run on the CPU" in text for text in reported)


def without_strides(order: CheckOrder) -> CheckOrder:
    """The order with an input of another layout, of which torch tells no strides."""
    first, *others = order.graph.nodes
    assert isinstance(first.value, TensorValue)
    sparse = msgspec.structs.replace(first, value=msgspec.structs.replace(first.value, stride=None))
    return msgspec.structs.replace(order, graph=Graph((sparse, *others)))


def with_size(order: CheckOrder, *shape: str) -> CheckOrder:
    """The order with an input of that shape."""
    first, *others = order.graph.nodes
    assert isinstance(first.value, TensorValue)
    larger = msgspec.structs.replace(first, value=msgspec.structs.replace(first.value, shape=shape))
    return msgspec.structs.replace(order, graph=Graph((larger, *others)))


@pytest.mark.slow
def test_inputs_that_are_written_back_are_judged(worker: WorkerClient):
    forward, backward = checked(worker, check_orders(captured(worker, "conv_bn_relu.py:Net")))
    assert all(row.agrees for graph in (forward, backward) for row in graph.kernels)
    names = [difference.tensor for row in forward.kernels for difference in row.buffers]
    assert sum(name.endswith(", written back") for name in names) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [
        "transformer_layer.py:EncoderLayer",
        "layer_loop.py:Stack",
        "recompiling.py:Changing",
        "training_step.py:Step",
    ],
)
@pytest.mark.parametrize("training", [False, True])
def test_all_kernels_of_the_examples_agree(worker: WorkerClient, target: str, training: bool):
    capture = captured(worker, target, training=training)
    graphs = checked(worker, check_orders(capture))
    assert graphs
    assert not [(graph.problem, row) for graph in graphs for row in graph.kernels if row.agrees is False]
    assert any(row.agrees for graph in graphs for row in graph.kernels)


@pytest.mark.slow
def test_what_a_kernel_that_cannot_be_interpreted_should_have_made_is_not_held_against_its_reader(
    worker: WorkerClient, write
):
    path = write(
        "whole.py",
        "import torch\n\ndef f(x):\n    return (x * 2).sum()\n\ndef example_inputs():\n    return (torch.randn(1024, 1024),)\n",
    )
    (order,) = check_orders(captured(worker, "whole.py:f", path.parent))
    (graph,) = checked(worker, (order,))
    first, second = graph.kernels
    assert first.agrees is None
    assert "part of a reduction" in first.reason
    assert second.agrees
    (graph,) = checked(worker, (with_source(order, 0, r"tl\.sum\(", "libdevice.sad("),))
    first, second = graph.kernels
    assert "Cannot be interpreted" in first.reason
    assert second.agrees is None
    assert "Not judged: it reads buf" in second.reason
