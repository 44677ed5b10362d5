"""One rank of a world that is not there: torch's own parallelism under its fake process group, compiled and run on fakes."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.prediction.known_machines import machine_for
from compiler.analysis.prediction.predict import predict
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.edits.edits import ReplaceTarget
from compiler.model.ir.collectives import collective_of
from compiler.model.ir.diagnostics import Severity
from compiler.model.ir.stage import KernelStage, StageKind
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions, TensorRule
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    COLLECTIVE,
    FORWARD,
    GATHERED,
    GRADIENTS,
    OPTIMIZER,
    PARAMETERS,
    STATE,
)
from compiler.model.protocol.messages import Recompile, Recompiled
from compiler.model.session_file.checks import consistent
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.worker_capture import capture_by

pytestmark = WORKER_WITH_TRITON
Write = Callable[[str, str], Path]
NET = """\
import torch

class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width, bias=False)
        self.up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block(64) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.square().mean()

def example_inputs():
    return (torch.randn(8, 16, 64),)
"""
OWN = """\
import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
mesh = init_device_mesh("cuda", (dist.get_world_size(),), mesh_dim_names=("mine",))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(16, 64), torch.nn.Linear(64, 16)
        self.bias = torch.nn.Parameter(torch.zeros(1 + dist.get_rank()))

    def forward(self, x):
        return (x + self.down(torch.relu(self.up(x)))).sum() + self.bias.sum()

net = parallelize_module(Net(), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})

def example_inputs():
    return (torch.randn(8, 16),)
"""
RULES = (TensorRule("layers.*.up", "colwise"), TensorRule("layers.*.down", "rowwise"))
WEIGHTS = 64 * 64 * 4
"""Of one of two products."""
LAYER = (2 * WEIGHTS + 64) * 4
"""Bytes of the parameters of a layer."""


def captured(
    worker: WorkerClient,
    path: Path,
    plan: ParallelPlan,
    name: str = "Net",
    optimizer: str = "none",
) -> Capture:
    spec = spec_on_h100(
        target_in(path, name),
        parallel=plan,
        step=StepOptions(optimizer),
    )
    return capture_with_step(worker, spec)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "net.py"
    path.write_text(NET)
    return path


@pytest.fixture(scope="module")
def cut(worker: WorkerClient, net: Path) -> Capture:
    return captured(worker, net, ParallelPlan(4, (("tp", 4),), tensor=RULES), optimizer="adamw")


@pytest.fixture(scope="module")
def sharded(worker: WorkerClient, net: Path) -> Capture:
    return captured(worker, net, ParallelPlan(8, (("dp", 8),)), optimizer="adamw")


@pytest.fixture(scope="module")
def both(worker: WorkerClient, net: Path) -> Capture:
    plan = ParallelPlan(64, (("dp", 8), ("tp", 8)), tensor=RULES)
    return captured(worker, net, plan)


def collectives(capture: Capture, phase: str) -> list[tuple[str, int, int, str]]:
    """(kind, bytes of the larger side, ranks, group)."""
    return [
        (moment.sent.kind, max(moment.sent.sent, moment.sent.got), moment.sent.ranks, moment.sent.group)
        for moment in capture.step.moments
        if moment.sent is not None and moment.phase == phase
    ]


def bytes_of(capture: Capture, kind: str) -> int:
    return sum(held.bytes for held in capture.step.memory if held.kind == kind)


@pytest.mark.thorough
def test_tensor_parallel_layers_send_what_they_must(cut: Capture):
    result = ("all_reduce", 8 * 16 * 64 * 4, 4, "tp")
    assert collectives(cut, FORWARD) == [result] * 3
    assert collectives(cut, BACKWARD) == [result] * 3
    graph = cut.stage("0/0:forward:post_grad").graph
    (first, *_) = [sent for node in graph.nodes if (sent := collective_of(graph, node)) is not None]
    assert (first.group_title, first.ranks, first.sent) == ("mesh_tp", 4, 8 * 16 * 64 * 4)


@pytest.mark.thorough
def test_fsdp_gathers_each_layer_and_scatters_its_gradients(sharded: Capture):
    """Its hooks run outside of graphs; what they send and hold is reported all the same."""
    made = sharded
    assert collectives(made, FORWARD) == [("all_gather", LAYER, 8, "dp")] * 3
    assert Counter(collectives(made, BACKWARD)) == {
        ("all_gather", LAYER, 8, "dp"): 3,
        ("reduce_scatter", LAYER, 8, "dp"): 3,
    }
    assert bytes_of(made, PARAMETERS) == 3 * LAYER // 8
    assert bytes_of(made, GRADIENTS) == 3 * LAYER // 8
    assert bytes_of(made, STATE) == 2 * 3 * LAYER // 8, "the count of steps is on the CPU"
    assert bytes_of(made, GATHERED) >= 3 * LAYER
    assert {moment.layer for moment in made.step.moments if moment.phase == FORWARD} >= {
        "layers.0", "layers.1", "layers.2"
    }  # fmt: skip


@pytest.mark.thorough
def test_what_takes_the_host_longer_is_reported(sharded: Capture, cut: Capture):
    """Groups of parameters that FSDP2 looks after, with how many they are; operations of the optimizer on DTensors."""
    names = "fsdp.split_with_sizes_copy", "fsdp.chunk_cat"  # since 2.15 chunk_cat_mixed_dtype
    groups = [row for row in sharded.step.moments if row.name.startswith(names)]
    assert [row.tensors for row in groups] == [3] * 9, "three layers, each gathered twice and reduced once"
    stepped = [row for row in sharded.step.moments if row.phase == OPTIMIZER]
    assert {(row.tensors, row.distributed) for row in stepped} == {(9, True)}
    one_by_one = Counter(row.distributed for row in cut.step.moments if row.phase == OPTIMIZER)
    assert one_by_one == {True: 6 * 8, False: 3 * 8}, "norms are not cut"


@pytest.mark.thorough
def test_both_together_on_a_mesh(both: Capture):
    sent = Counter((kind, ranks, group) for kind, _, ranks, group in collectives(both, FORWARD))
    assert sent == {("all_gather", 8, "dp"): 3, ("all_reduce", 8, "tp"): 3}
    strides = {moment.sent.group: moment.sent.stride for moment in both.step.moments if moment.sent}  # type: ignore[union-attr]
    assert strides == {"dp": 8, "tp": 1}, "neighbours share a layer, hosts share the batch"


@pytest.mark.thorough
def test_copies_of_what_is_sharded(worker: WorkerClient, write: Write):
    made = captured(worker, write("net.py", NET), ParallelPlan(8, (("replicate", 2), ("shard", 4))))
    backward = Counter((kind, ranks) for kind, _, ranks, _ in collectives(made, BACKWARD))
    assert backward[("reduce_scatter", 4)] == 3
    assert backward[("all_reduce", 2)] == 3


@pytest.mark.thorough
def test_ddp_reduces_all_gradients(worker: WorkerClient, write: Write):
    made = captured(worker, write("net.py", NET), ParallelPlan(4, (("dp", 4),), data="ddp"))
    rows = collectives(made, BACKWARD)
    assert {(kind, ranks) for kind, _, ranks, _ in rows} == {("all_reduce", 4)}
    assert sum(size for _, size, _, _ in rows) == 3 * LAYER


@pytest.mark.thorough
def test_ddp_with_several_buckets(worker: WorkerClient, write: Write):
    """Torch cuts the graph at the buckets, and reduces these in the order gradients come: the last layer's first."""
    wide = NET.replace("Block(64)", "Block(2048)").replace("16, 64)", "16, 2048)")
    made = captured(worker, write("net.py", wide), ParallelPlan(4, (("dp", 4),), data="ddp"))
    assert not consistent(made)[1]
    assert not [problem for problem in made.problems if problem.severity is not Severity.NOTE]
    parts = [stage.compile_id for stage in made.of_kind(StageKind.GRAPH_PART)]
    assert len(set(parts)) == len(parts) > 2
    linear, norm = 4 * 2048 * 2048 * 4, 2048 * 4
    sizes = [size for _, size, _, _ in collectives(made, BACKWARD)]
    # as a real run has them, where a norm's gradient comes after that of the linear before it, which is in its part
    assert sizes == [linear, linear, linear, norm + linear, linear, norm + linear, norm]
    kernels = {
        (f"{stage.compile_id}:{stage.part}:wrapper", kernel.call_line)
        for stage in made.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
    }
    inside = [moment for moment in made.step.moments if moment.wrapper]
    assert {moment.wrapper.partition(":")[0] for moment in inside} == set(parts)
    assert [moment for moment in inside if (moment.wrapper, moment.line) not in kernels] == []
    assert predict(made, machine_for(made)).time.unknown == 0


@pytest.mark.thorough
def test_every_launch_of_a_wrapper_is_a_kernel_of_the_capture(both: Capture):
    made = both
    lines = {
        (f"{stage.compile_id}:{stage.part}:wrapper", kernel.call_line)
        for stage in made.of_kind(StageKind.KERNELS)
        for kernel in stage.kernels
    }
    inside = [moment for moment in made.step.moments if moment.wrapper]
    assert len(inside) > 20
    assert [moment for moment in inside if (moment.wrapper, moment.line) not in lines] == []


@pytest.mark.thorough
def test_it_is_predicted_for_the_machine(sharded: Capture):
    made = sharded
    reported = predict(made, machine_for(made))
    assert reported.fits
    assert reported.time.unknown == 0
    assert [name for name, _ in reported.time.phases] == [FORWARD, BACKWARD, OPTIMIZER]
    assert reported.time.exposed > 0
    with pytest.raises(ValueError, match="Known are"):
        machine_for(made, "abacus")


@pytest.mark.thorough
def test_a_stage_of_a_pipeline_has_its_layers(worker: WorkerClient, write: Write):
    path = write("net.py", NET)
    first = captured(worker, path, ParallelPlan(3, (("pp", 3),)))
    assert bytes_of(first, PARAMETERS) == LAYER
    last = captured(worker, path, ParallelPlan(3, (("pp", 3),), stage=2))
    assert bytes_of(last, PARAMETERS) == LAYER


@pytest.mark.thorough
def test_a_program_that_makes_its_mesh_itself_finds_its_world(worker: WorkerClient, write: Write):
    """As torchrun would start it: the variables, `init_process_group`, its own names of dimensions."""
    made = captured(worker, write("own.py", OWN), ParallelPlan(16, rank=5), "net")
    assert ("all_reduce", 8 * 16 * 4, 16, "mine") in collectives(made, FORWARD)
    assert 4 * 6 in [held.bytes for held in made.step.memory if held.name == "bias"], "this is rank 5"
    assert any("16 ranks; this is rank 5" in row.what for row in made.problems)


@pytest.mark.thorough
def test_a_plan_that_names_nothing_says_what_there_is(worker: WorkerClient, write: Write):
    plan = ParallelPlan(4, (("tp", 4),), tensor=(TensorRule("blocks.*.up", "colwise"),))
    with pytest.raises(CommandFailedError) as failed:
        captured(worker, write("net.py", NET), plan)
    assert "'blocks.*.up', which no module is called" in failed.value.problem.what
    assert "layers.*.up" in failed.value.problem.remedy


@pytest.mark.thorough
def test_what_does_not_divide_is_reported_before_torch_fails(worker: WorkerClient, write: Write):
    plan = ParallelPlan(3, (("tp", 3),), tensor=RULES)
    with pytest.raises(
        CommandFailedError, match=r"layers\.0\.up is to be cut colwise over tp=3, and its 256 rows"
    ):
        captured(worker, write("net.py", NET), plan)


@pytest.mark.thorough
def test_what_fsdp_does_not_take_is_reported(worker: WorkerClient, write: Write):
    scaled = NET.replace(
        "        self.up =", "        self.scale = torch.nn.Parameter(torch.tensor(2.0))\n        self.up ="
    )
    with pytest.raises(
        CommandFailedError, match=r"FSDP2 does not take this model: .*scale to a 1D tensor"
    ) as reported:
        captured(worker, write("net.py", scaled), ParallelPlan(4, (("dp", 4),)))
    assert "--data ddp" in reported.value.problem.remedy


@pytest.mark.thorough
def test_a_model_without_a_plan_asks_for_one(worker: WorkerClient, write: Write):
    with pytest.raises(CommandFailedError, match="the model brings no plan"):
        captured(worker, write("net.py", NET), ParallelPlan(2, (("tp", 2),)))


@pytest.mark.thorough
def test_what_a_collective_outside_of_graphs_is_called_in_words(sharded: Capture):
    outside = [moment for moment in sharded.step.moments if moment.what == COLLECTIVE and not moment.wrapper]
    assert len(outside) == 9
    assert all(moment.stream != 0 for moment in outside), "FSDP2 sends on streams of its own"


@pytest.mark.thorough
def test_a_graph_of_one_rank_is_edited_and_compiled_again(worker: WorkerClient, net: Path):
    made = captured(worker, net, ParallelPlan(4, (("tp", 4),), tensor=RULES))
    graph = made.stage("0/0:dynamo").graph
    node = next(node for node in graph.nodes if "gelu" in node.target)
    first = msgspec.structs.replace(node.args, items=node.args.items[:1])
    edit = ReplaceTarget("0/0:dynamo", node.id, "call_function", "torch.sigmoid", first)
    reply = worker.ask(Recompile(made.id, (edit,), "capture-2"), Recompiled)
    kernels = reply.capture.stage("0/0:forward:kernels").content
    assert isinstance(kernels, KernelStage)
    assert any("sigmoid" in kernel.name for kernel in kernels.kernels.kernels)
    assert reply.capture.step is None, "what is predicted was of the code before"


def test_a_model_of_transformers_brings_its_own_plan(worker: WorkerClient, tmp_path: Path):
    pytest.importorskip("transformers")
    path = tmp_path / "config.json"
    path.write_text(
        '{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, '
        '"num_attention_heads": 8, "num_key_value_heads": 4, "num_hidden_layers": 2, "vocab_size": 256}'
    )
    spec = spec_on_h100(
        TargetSpec("config.json", str(tmp_path), config=ConfigInputs("causal-lm", 2, 32, True)),
        parallel=ParallelPlan(4, (("tp", 4),)),
        step=StepOptions("adamw"),
    )
    capture = capture_by(worker, spec)
    rows = Counter(kind for kind, _, _, group in collectives(capture, FORWARD) if group == "tp")
    assert rows["all_reduce"] >= 4, "two a layer"
