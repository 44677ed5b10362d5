"""Sequences cut over ranks that are not there: torch's own ring attention, and what it needs of a GPU that is not here."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CompileOptions, TargetSpec
from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.ir.stage import StageKind
from compiler.model.prediction.parallel_plan import DDP, NOTHING, ParallelPlan, StepOptions
from compiler.model.prediction.simulated_step import BACKWARD, COLLECTIVE, FORWARD
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.thoroughness import some

pytestmark = WORKER_WITH_TRITON
Write = Callable[[str, str], Path]
LAYERS, BATCH, LENGTH, WIDTH = 2, 2, 256, 128
NET = f"""\
import contextlib

import torch
import torch.distributed as dist
from torch.nn import functional
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.experimental import context_parallel

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear({WIDTH}, 3 * {WIDTH}, bias=False)
        self.out = torch.nn.Linear({WIDTH}, {WIDTH}, bias=False)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, 2, width // 2).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block() for _ in range({LAYERS}))
        self.to(torch.bfloat16)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x)
        return x.square().mean()

def example_inputs():
    return (torch.randn({BATCH}, {LENGTH}, {WIDTH}, dtype=torch.bfloat16),)
"""
BY_ITSELF = """
entered = contextlib.ExitStack()
plain_inputs = example_inputs

def example_inputs():
    mesh = init_device_mesh("cuda", (2,), mesh_dim_names=("cp",))
    (x,) = plain_inputs()
    entered.enter_context(context_parallel(mesh, buffers=[x], buffer_seq_dims=[1], no_restore_buffers={x}))
    return (x,)
"""
MASKED = "\ndef example_inputs():\n    return torch.randn(2, 64, 128), torch.ones(2, 1, 64, 64)\n"
FLAT = "\ndef example_inputs():\n    return (torch.randn(64),)\n"
DROPPED = """
class Dropped(Net):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.Dropout(0.1)) for _ in range(2)
        )
        self.to(torch.bfloat16)
"""


def captured(
    worker: WorkerClient,
    path: Path,
    plan: ParallelPlan | None,
    name: str = "Net",
    step: StepOptions | None = None,
    compiled: CompileOptions | None = None,
) -> Capture:
    spec = spec_on_h100(
        target_in(path, name),
        compile=compiled or CompileOptions(),
        parallel=plan,
        step=step or StepOptions(),
    )
    return capture_with_step(worker, spec)


def sent(capture: Capture, phase: str, group: str = "") -> Counter[tuple[str, int, int]]:
    """(kind, bytes of the larger side, ranks)."""
    return Counter(
        (row.sent.kind, max(row.sent.sent, row.sent.got), row.sent.ranks)
        for row in capture.step.moments
        if row.what == COLLECTIVE and row.sent is not None and row.phase == phase and group in row.sent.group
    )


def kernels(capture: Capture) -> list[str]:
    return [
        kernel.source.replace(kernel.id, "")
        for stage in capture.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
    ]


@pytest.fixture(scope="module")
def ring(worker: WorkerClient, tmp_path_factory: pytest.TempPathFactory) -> Capture:
    path = tmp_path_factory.mktemp("program") / "n.py"
    path.write_text(NET)
    return captured(worker, path, ParallelPlan(2, (("cp", 2),), data=NOTHING))


@pytest.mark.thorough
def test_keys_and_values_go_around_the_ring(ring: Capture):
    capture = ring
    graph = capture.of_kind(StageKind.DYNAMO_GRAPH)[0].graph
    (given,) = [node for node in graph.nodes if node.op == "placeholder" and "x" in node.id.split("_")]
    assert tuple(map(int, given.value.shape)) == (BATCH, LENGTH // 2, WIDTH)
    both = 2 * BATCH * LENGTH * WIDTH * 2
    """Keys and values of all ranks, in two bytes."""
    assert sent(capture, FORWARD) == {("all_gather", both, 2): LAYERS}
    sent_back = {kind for kind, _, _ in sent(capture, BACKWARD)}
    assert {"all_to_all"} <= sent_back <= {"all_to_all", "all_gather"}, (
        "torch 2.15 gathers again, older ones keep"
    )


@pytest.mark.thorough
def test_it_is_what_the_program_would_do_itself(worker: WorkerClient, write: Write, ring: Capture):
    ours = ring
    own = captured(worker, write("own.py", NET + BY_ITSELF), ParallelPlan(2))
    assert kernels(ours) == kernels(own)
    assert sent(ours, FORWARD) == sent(own, FORWARD)
    assert sent(ours, BACKWARD) == sent(own, BACKWARD)


@pytest.mark.thorough
def test_parameters_are_sharded_over_both_dimensions(worker: WorkerClient, write: Write):
    capture = captured(worker, write("n.py", NET), ParallelPlan(4, (("dp", 2), ("cp", 2))))
    layer = 4 * WIDTH * WIDTH * 2
    assert sent(capture, FORWARD, "dp_cp") == {("all_gather", layer, 4): LAYERS}
    assert sent(capture, BACKWARD, "dp_cp")["reduce_scatter", layer, 4] == LAYERS
    assert {ranks for _, _, ranks in sent(capture, FORWARD) - sent(capture, FORWARD, "dp_cp")} == {2}


@pytest.mark.thorough
def test_copies_of_what_is_sharded_over_both(worker: WorkerClient, write: Write):
    mesh = (("replicate", 2), ("shard", 2), ("cp", 2))
    capture = captured(worker, write("n.py", NET), ParallelPlan(8, mesh))
    layer = 4 * WIDTH * WIDTH * 2
    assert sent(capture, BACKWARD)["reduce_scatter", layer, 4] == LAYERS
    assert sent(capture, BACKWARD)["all_reduce", layer // 4, 2] == LAYERS


@pytest.mark.thorough
def test_ddp_reduces_over_both(worker: WorkerClient, write: Write):
    capture = captured(worker, write("n.py", NET), ParallelPlan(4, (("dp", 2), ("cp", 2)), data=DDP))
    reduced = {size: ranks for (kind, size, ranks) in sent(capture, BACKWARD) if kind == "all_reduce"}
    assert sum(reduced) == LAYERS * 4 * WIDTH * WIDTH * 2
    assert set(reduced.values()) == {4}


@pytest.mark.parametrize(
    ("more", "mesh", "words"),
    [
        ("", (("cp", 6),), "Sequences of 256 cannot be cut for 6 ranks"),
        (MASKED, (("cp", 2),), "a mask of pairs of tokens"),
        (FLAT, (("cp", 2),), "no input is a batch of sequences"),
    ],
)
def test_what_cannot_be_cut_is_reported(
    worker: WorkerClient, write: Write, more: str, mesh: tuple[tuple[str, int], ...], words: str
):
    with pytest.raises(CommandFailedError, match=words):
        captured(worker, write("n.py", NET + more), ParallelPlan(mesh[0][1], mesh))


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(("Dropped", "Net")))
def test_random_numbers_are_drawn_again_for_a_gpu_that_is_not_here(
    worker: WorkerClient, write: Write, name: str
):
    path = write("n.py", NET + DROPPED)
    by_aten = CompileOptions(options=(("fallback_random", True),)) if name == "Dropped" else None
    capture = captured(worker, path, None, name, StepOptions(checkpointed=True), by_aten)
    (forward,) = [row for row in capture.of_kind(StageKind.AOT_GRAPH) if row.part == "forward"]
    (backward,) = [row for row in capture.of_kind(StageKind.AOT_GRAPH) if row.part == "backward"]
    drawn = [
        sum("rng_state" in node.target for node in stage.graph.nodes if node.op != "placeholder")
        for stage in (forward, backward)
        if stage.graph is not None
    ]
    assert drawn in ([[2, 2]] if name == "Dropped" else [[2, 2], [0, 0]]), (
        "attention without dropout: not from 2.15 on"
    )


def test_a_model_of_transformers_gets_its_positions_and_no_mask(worker: WorkerClient, tmp_path: Path):
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=128
    )
    config.architectures = ["LlamaForCausalLM"]
    config.save_pretrained(tmp_path)
    spec = spec_on_h100(
        TargetSpec("config.json", str(tmp_path), config=ConfigInputs(batch=2, length=256, labels=True)),
        parallel=ParallelPlan(2, (("cp", 2),), data=NOTHING),
        step=StepOptions(),
    )
    capture = capture_with_step(worker, spec)
    graph = capture.of_kind(StageKind.DYNAMO_GRAPH)[0].graph
    given = (getattr(node.value, "shape", None) for node in graph.nodes if node.op == "placeholder")
    shapes = {tuple(map(int, shape)) for shape in given if shape is not None}
    assert {(2, 128), (1, 128)} <= shapes
    assert sum(count for (kind, _, _), count in sent(capture, FORWARD).items() if kind == "all_gather") == 2
