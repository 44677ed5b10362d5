"""What is derived of other ranks, held against captures of those ranks: texts of kernels, bytes of parameters, collectives, peaks.

Of ranks with other numbers: AOTAutograd and Inductor leave an addition of 0 out, as the first rank has it.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.analysis.prediction.memory_curve import memory_curve
from compiler.analysis.prediction.rank_memory import rank_memory
from compiler.analysis.ranks.compare_ranks import compare_ranks
from compiler.analysis.ranks.compile_facts import LOWERED, compiles_of, lines_of
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import TargetSpec
from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.prediction.other_ranks import CONSTANTS, SAME, SIZES, STAGE, STORED, UNKNOWN, AlikeRanks
from compiler.model.prediction.parallel_plan import DDP, ParallelPlan, StepOptions, TensorRule, checked
from compiler.model.prediction.simulated_step import STATE
from tests.helpers.capture_with_step import capture_with_step, spec_on_h100, target_in
from tests.helpers.needs import WORKER_WITH_TRITON
from tests.helpers.thoroughness import some

pytestmark = WORKER_WITH_TRITON
Write = Callable[[str, str], Path]
WIDTH = 50
"""7 ranks of 8 have 7 rows, the last one has 1."""
NET = f"""\
import torch
import torch.distributed as dist

class Block(torch.nn.Module):
    def __init__(self, width={WIDTH}):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width, bias=False)
        self.up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block() for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.square().mean()

class Asks(Net):
    def forward(self, x):
        return super().forward(x * (1 + dist.get_rank()))

class Reads(Net):
    def __init__(self):
        import os
        super().__init__()
        self.mine = torch.nn.Parameter(torch.zeros(1 + int(os.environ.get("LOCAL_RANK"))))

    def forward(self, x):
        return super().forward(x) + self.mine.sum()

def example_inputs():
    return (torch.randn(8, 16, {WIDTH}),)
"""
WORDS = """\
import torch

class Net(torch.nn.Module):
    def __init__(self, words=101):
        super().__init__()
        self.words = torch.nn.Embedding(words, 64)
        self.head = torch.nn.Linear(64, words, bias=False)

    def forward(self, x):
        return self.head(torch.tanh(self.words(x))).square().mean()

class Even(Net):
    def __init__(self):
        super().__init__(104)

def example_inputs():
    return (torch.randint(0, 100, (8, 16)),)
"""
RING = """\
import torch

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(128, 3 * 128, bias=False)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, 2, width // 2).permute(2, 0, 3, 1, 4)
        mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + mixed.transpose(1, 2).reshape(batch, length, width)

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block() for _ in range(2))
        self.to(torch.bfloat16)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.square().mean()

def example_inputs():
    return (torch.randn(2, 256, 128, dtype=torch.bfloat16),)
"""
HALVES = (TensorRule("layers.*.up", "colwise"), TensorRule("layers.*.down", "rowwise"))
SEQUENCES = (
    TensorRule("layers.*.norm", "sequence"),
    TensorRule("layers.0", "input", "replicate", "shard(1)"),
    TensorRule("layers.*.up", "colwise", "shard(1)"),
    TensorRule("layers.*.down", "rowwise", output="shard(1)"),
)
VOCABULARY = (
    TensorRule("words", "rowwise", "replicate"),
    TensorRule("head", "colwise", output="replicate"),
)


def captured(
    worker: WorkerClient,
    path: Path,
    plan: ParallelPlan,
    rank: int,
    name: str = "Net",
    config: ConfigInputs | None = None,
) -> Capture:
    target = TargetSpec(path.name, str(path.parent), config=config) if config else target_in(path, name)
    spec = spec_on_h100(
        target,
        parallel=checked(
            ParallelPlan(plan.world, plan.mesh, rank, plan.data, plan.tensor, compiled=plan.compiled)
        ),
        step=StepOptions("adamw"),
    )
    return capture_with_step(worker, spec, f"capture-{rank + 1}")


def group_of(capture: Capture, rank: int) -> AlikeRanks:
    assert capture.other_ranks.problem == ""
    group = capture.other_ranks.group_of(rank)
    assert group is not None
    return group


def state_bytes(capture: Capture) -> int:
    """AdamW keeps two values for each of a parameter's; the count of steps is on the CPU."""
    return sum(held.bytes for held in capture.step.memory if held.kind == STATE)


def peak(capture: Capture) -> int:
    assert capture.step is not None
    return memory_curve(capture.step).peak.total


def derived_peak(capture: Capture, rank: int) -> int | None:
    assert capture.step is not None
    found = rank_memory(capture.other_ranks, capture.step)
    return next(row.peak for row in found.rows if row.group.has(rank))


def sent(capture: Capture) -> list[tuple[str, int, int, int, str]]:
    rows = (moment.sent for moment in capture.step.moments if moment.sent is not None)
    return [(row.kind, row.sent, row.got, row.ranks, row.group) for row in rows]


def texts(capture: Capture) -> list[str]:
    return [kernel.source for stage in capture.stages for kernel in stage.kernels]


def graphs(capture: Capture) -> list[str]:
    """Every call of every lowered graph."""
    parts = compiles_of(capture).values()
    return [line for one in parts for line in lines_of(one, LOWERED) or ()]


def without_numbers(lines: list[str]) -> list[str]:
    return [re.sub(r"\d+", "#", re.sub(r"_\d+\b", "", line)) for line in lines]


def hold_against(base: Capture, real: Capture) -> str:
    """What `base` says of the rank of `real` is what `real` shows; the verdict."""
    here, rank = base.spec.parallel.rank, real.spec.parallel.rank
    group = group_of(base, rank)
    compared = compare_ranks([(str(here), base), (str(rank), real)])
    respects = {difference.what for difference in compared.differences}
    if group.verdict in (SAME, STORED):
        assert compared.differences == ()
        assert texts(base) == texts(real)
    if group.verdict == CONSTANTS:
        assert respects <= {"tensors", "lowered graphs", "kernels"}
        if base.spec.parallel.place(here)["tp"] and base.spec.parallel.place(rank)["tp"]:
            assert respects <= {"lowered graphs", "kernels"}, "where no number is 0, nothing is left out"
            assert without_numbers(graphs(base)) == without_numbers(graphs(real))
        assert len(texts(base)) == len(texts(real))
    if group.verdict in (SAME, STORED, CONSTANTS):
        assert sent(base) == sent(real)
        assert derived_peak(base, rank) == peak(real)
    if group.verdict == SIZES:
        assert "tensors" in respects
    if group.parameters is not None:
        assert 2 * group.parameters == state_bytes(real)
    return group.verdict


@pytest.mark.thorough
def test_fsdp_with_a_last_shard_that_is_smaller(worker: WorkerClient, write: Write):
    path, plan = write("net.py", NET), ParallelPlan(8, (("dp", 8),))
    first, sixth, last = (captured(worker, path, plan, rank) for rank in (0, 6, 7))
    assert hold_against(first, sixth) == SAME
    assert hold_against(first, last) == STORED
    assert hold_against(last, first) == STORED, "whichever is captured"
    assert peak(last) < peak(first)
    group = group_of(first, 7)
    assert group.runs == ((7, 7),)
    assert {shard.name: shard.shape for shard in group.shards}["layers.0.norm.weight"] == (1,)


@pytest.mark.thorough
def test_two_dimensions(worker: WorkerClient, write: Write):
    path = write("net.py", NET)
    plan = ParallelPlan(8, (("dp", 4), ("tp", 2)), tensor=HALVES)
    first = captured(worker, path, plan, 0)
    assert [hold_against(first, captured(worker, path, plan, rank)) for rank in (1, 7)] == [SAME, STORED]
    assert group_of(first, 0).runs == ((0, 5),)


@pytest.mark.thorough
def test_copies_of_shards(worker: WorkerClient, write: Write):
    path, plan = write("net.py", NET), ParallelPlan(8, (("replicate", 2), ("shard", 4)))
    first = captured(worker, path, plan, 1)
    assert [hold_against(first, captured(worker, path, plan, rank)) for rank in (4, 7)] == [SAME, STORED]


@pytest.mark.thorough
def test_ddp_is_the_same_on_all(worker: WorkerClient, write: Write):
    path, plan = write("net.py", NET), ParallelPlan(4, (("dp", 4),), data=DDP)
    first = captured(worker, path, plan, 0)
    assert hold_against(first, captured(worker, path, plan, 3)) == SAME
    assert len(first.other_ranks.groups) == 1  # type: ignore[union-attr]


@pytest.mark.thorough
def test_rows_of_a_vocabulary_that_divides(worker: WorkerClient, write: Write):
    path, plan = write("words.py", WORDS), ParallelPlan(4, (("tp", 4),), tensor=VOCABULARY)
    first = captured(worker, path, plan, 0, "Even")
    second = captured(worker, path, plan, 2, "Even")
    assert hold_against(first, second) == CONSTANTS
    assert hold_against(second, captured(worker, path, plan, 3, "Even")) == CONSTANTS
    assert any(
        "rows of an embedding of (104, 64): 52 to 78 of 104" in words for words in group_of(first, 2).words
    )
    assert texts(first) != texts(second)
    assert any(re.search(r"\b52\b", text) for text in texts(second)), "where its rows begin"


@pytest.mark.thorough
def test_rows_of_a_vocabulary_that_does_not(worker: WorkerClient, write: Write):
    path, plan = write("words.py", WORDS), ParallelPlan(4, (("tp", 4),), tensor=VOCABULARY)
    first = captured(worker, path, plan, 0)
    verdicts = [hold_against(first, captured(worker, path, plan, rank)) for rank in (1, 3)]
    assert verdicts == [CONSTANTS, SIZES]
    assert derived_peak(first, 3) is None, "to be captured, not guessed"
    assert "words.weight is of (23, 64), not (26, 64)" in group_of(first, 3).words[0]


@pytest.mark.thorough
def test_pieces_of_sequences(worker: WorkerClient, write: Write):
    path, plan = write("net.py", NET), ParallelPlan(4, (("tp", 4),), tensor=SEQUENCES)
    first, third = captured(worker, path, plan, 0), captured(worker, path, plan, 3)
    assert hold_against(first, third) == CONSTANTS
    assert hold_against(third, captured(worker, path, plan, 1)) == CONSTANTS
    assert group_of(first, 3).words == (f"dimension 1 of a tensor of (8, 16, {WIDTH}): 12 to 16 of 16",)


@pytest.mark.thorough
def test_pieces_that_are_not_as_large(worker: WorkerClient, write: Write):
    """No parameter is cut here, only what flows."""
    path = write("net.py", NET.replace(f"(8, 16, {WIDTH})", f"(8, 18, {WIDTH})"))
    plan = ParallelPlan(4, (("tp", 4),), tensor=SEQUENCES[:2])
    first = captured(worker, path, plan, 0)
    assert [hold_against(first, captured(worker, path, plan, rank)) for rank in (1, 3)] == [CONSTANTS, SIZES]
    assert group_of(first, 3).words == (f"dimension 1 of a tensor of (8, 18, {WIDTH}): 3, not 5",)


@pytest.mark.thorough
def test_ring_attention_is_not_derived(worker: WorkerClient, write: Write):
    """Each rank computes other pieces under a causal mask; ranks with the same part of the sequence do the same."""
    path, plan = write("net.py", RING), ParallelPlan(4, (("dp", 2), ("cp", 2)))
    first = captured(worker, path, plan, 0)
    assert hold_against(first, captured(worker, path, plan, 2)) == SAME
    other = captured(worker, path, plan, 1)
    assert hold_against(first, other) == UNKNOWN
    assert texts(first) != texts(other)
    assert any("_templated_ring_attention" in words for words in group_of(first, 1).words)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "where"), some((("Asks", "forward (net.py:"), ("Reads", "__init__ (net.py:")))
)
def test_a_program_that_asks_for_its_rank_is_not_derived(
    worker: WorkerClient, write: Write, name: str, where: str
):
    path, plan = write("net.py", NET), ParallelPlan(4, (("dp", 4),), compiled="whole")
    first = captured(worker, path, plan, 0, name)
    group = group_of(first, 3)
    assert group.verdict == UNKNOWN
    assert (group.parameters is None) == (name == "Reads"), "what is asked for later makes no parameter"
    assert any(where in words for words in group.words)
    assert texts(first) != texts(captured(worker, path, plan, 3, name))


@pytest.mark.thorough
def test_other_stages_are_other_programs(worker: WorkerClient, write: Write):
    path, plan = write("net.py", NET), ParallelPlan(4, (("pp", 2), ("dp", 2)))
    last = captured(worker, path, plan, 3)
    assert last.spec.parallel.stage == 1
    assert [group_of(last, rank).verdict for rank in range(4)] == [STAGE, STAGE, SAME, SAME]
    assert hold_against(last, captured(worker, path, plan, 2)) == SAME


def test_models_of_transformers(worker: WorkerClient, tmp_path: Path):
    pytest.importorskip("transformers")
    inputs = ConfigInputs("causal-lm", 2, 32, True)
    llama = tmp_path / "llama" / "config.json"
    llama.parent.mkdir()
    llama.write_text(
        '{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, '
        '"num_attention_heads": 8, "num_key_value_heads": 4, "num_hidden_layers": 2, "vocab_size": 257}'
    )
    cut = ParallelPlan(4, (("tp", 4),))
    first = captured(worker, llama, cut, 0, config=inputs)
    assert [hold_against(first, captured(worker, llama, cut, rank, config=inputs)) for rank in (1, 3)] == [
        CONSTANTS,
        SIZES,
    ]
    gpt2 = tmp_path / "gpt2" / "config.json"
    gpt2.parent.mkdir()
    gpt2.write_text(
        '{"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 2, '
        '"vocab_size": 257, "n_positions": 64}'
    )
    sharded = ParallelPlan(6, (("dp", 6),))
    first = captured(worker, gpt2, sharded, 0, config=inputs)
    assert hold_against(first, captured(worker, gpt2, sharded, 5, config=inputs)) == STORED
