"""What a step leaves in the program's tensors is judged too: statistics, caches, an optimizer's parameters. Kernels that wrote something
else there were reported right.
"""

import re
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn

from compiler.api import Capture, Verdict, capture
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import KernelStage
from compiler.model.timing.verdicts import Comparison

pytestmark = pytest.mark.engine
_STORE = re.compile(r"(tmp\d+)\.store\((?:in_)?out_ptr\d+ \+ .*\);")


class Cached(nn.Module):
    """Writes what it computes into a part of a buffer, and into a tensor that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("cache", torch.zeros(32, 16))

    def forward(self, x: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        self.cache[:8].copy_(x * 2 + 1)
        seen.add_(x.cos())
        return torch.tanh(x)


class InTwo(nn.Module):
    """What the first graph writes is read by the second."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.mean.lerp_(x.mean(0), 0.5)
        torch._dynamo.graph_break()
        return torch.relu(x) - self.mean


def _kernels(cap: Capture) -> Iterator[tuple[str, Kernel]]:
    for stage in cap.data.stages:
        if isinstance(stage.content, KernelStage):
            yield from ((stage.id, kernel) for kernel in stage.kernels if kernel.source)


def _stores(cap: Capture) -> list[tuple[str, Kernel, re.Match[str]]]:
    return [(stage, kernel, row) for stage, kernel in _kernels(cap) for row in _STORE.finditer(kernel.source)]


def _judged(cap: Capture, stage: str, kernel: Kernel, source: str) -> Verdict:
    _, verdict = cap.edit(ReplaceKernel(stage, kernel.name, source)).recompile()
    assert verdict is not None
    return verdict


def _wrong(cap: Capture, stage: str, kernel: Kernel, store: re.Match[str]) -> Verdict:
    value, at = store.group(1), store.start()
    other = f"({value} * decltype({value})(1.5f))"
    return _judged(cap, stage, kernel, kernel.source[:at] + other + kernel.source[at + len(value) :])


def _remark(cap: Capture) -> Verdict:
    stage, kernel = next(_kernels(cap))
    return _judged(cap, stage, kernel, f"{kernel.source}\n// looked at")


def _blamed(verdict: Verdict) -> set[str]:
    return {name for row in verdict.data.comparisons for name in row.wrong}


def _of_edited_graph(verdict: Verdict) -> Comparison:
    return next(row for row in verdict.data.comparisons if row.reference == "edited graph, float64")


@pytest.mark.thorough
def test_a_cache_and_an_argument() -> None:
    cap = capture(Cached(), torch.randn(8, 16), torch.randn(8, 16), train=False)
    verdict = _remark(cap)
    assert verdict.right is True
    names = {row.tensor for row in _of_edited_graph(verdict).differences}
    assert names == {"output 0", "cache afterwards", "args[1] afterwards"}
    compiling = next(row for row in verdict.data.comparisons if row.what == "unedited")
    assert {row.tensor for row in compiling.differences} == names
    blamed = [_blamed(_wrong(cap, *store)) for store in _stores(cap)]
    assert sorted(map(sorted, blamed)) == [["args[1] afterwards"], ["cache afterwards"], ["output 0"]]


@pytest.mark.thorough
def test_running_statistics() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
    cap = capture(net, torch.randn(4, 3, 16, 16), train=True)
    verdict = _remark(cap)
    assert verdict.right is True
    compiling = [row for row in verdict.data.comparisons if row.what == "the call that compiled"]
    assert "1.running_var afterwards" in {row.tensor for row in compiling[0].differences}
    assert compiling[0].agrees is True
    blamed = [_blamed(_wrong(cap, *store)) for store in _stores(cap)]
    assert {"1.running_mean afterwards"} in blamed
    assert {"1.running_var afterwards"} in blamed


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_optimizers_step(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    net = nn.Linear(32, 64).to(dtype)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(2):
        net(torch.randn(4, 32, dtype=dtype)).square().mean().backward()
        optimizer.step()
    step: Callable[[], object] = lambda: optimizer.step()  # noqa: E731  as people write it
    cap = capture(step)
    verdict = _remark(cap)
    assert verdict.right is True
    unedited = next(row for row in verdict.data.comparisons if row.reference == "float64")
    assert unedited.agrees is True, "its copy in float64 has the gradients that the step takes"
    names = {row.tensor for row in unedited.differences}
    assert "optimizer.state[0]['exp_avg_sq'] afterwards" in names
    blamed = set[str]().union(*(_blamed(_wrong(cap, *store)) for store in _stores(cap)[:3]))
    assert {
        "optimizer.state[0]['exp_avg'] afterwards",
        "optimizer.state[0]['exp_avg_sq'] afterwards",
    } <= blamed


@pytest.mark.thorough
def test_a_step_that_is_the_first_of_its_optimizer() -> None:
    """Adam's first step is as long whatever factor stands before all gradients: only they and its averages show it."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.Adam(net.parameters())

    def step(x: torch.Tensor) -> torch.Tensor:
        optimizer.zero_grad()
        loss = net(x).tanh().square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    cap = capture(step, torch.randn(8, 8))
    assert _remark(cap).right is True
    stage, kernel = next((stage, kernel) for stage, kernel in _kernels(cap) if "backward" in stage)
    store = next(_STORE.finditer(kernel.source))
    verdict = _wrong(cap, stage, kernel, store)
    assert verdict.right is False
    assert {"net.0.weight.grad afterwards", "optimizer.state[0]['exp_avg'] afterwards"} <= _blamed(verdict)


@pytest.mark.thorough
def test_what_the_first_graph_writes_reaches_the_second_in_float64_too() -> None:
    cap = capture(InTwo(), torch.randn(8, 16) + 3, train=False)
    (relu,) = (
        node
        for stage in cap.stages
        if stage.kind == "dynamo_graph"
        for node in stage.nodes
        if node.target == "torch.relu"
    )
    stage = next(stage for stage in cap.stages if stage.kind == "dynamo_graph" and relu in stage.nodes)
    _, verdict = cap.edit(stage.replace(relu.id, "torch.sigmoid")).recompile()
    assert verdict.right is True
    first = next(stage for stage in cap.stages if stage.kind == "dynamo_graph")
    (mean,) = (node for node in first.nodes if node.target == "mean")
    _, verdict = cap.edit(first.replace(mean.id, "torch.sum")).recompile()
    assert verdict.right is True


@pytest.mark.thorough
def test_a_whole_training_step() -> None:
    """Backward, parameters that the optimizer's graph holds, and statistics: in float64 as well."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(32, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 8))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    given = torch.randn(16, 32), torch.randint(0, 8, (16,))
    step(*given)
    cap = capture(step, *given)
    averages = [row["momentum_buffer"] for row in optimizer.state.values()]
    before = [average.clone() for average in averages]
    verdict = _remark(cap)
    assert verdict.right is True
    assert all(map(torch.equal, averages, before))
    unedited = next(row for row in verdict.data.comparisons if row.reference == "float64")
    assert unedited.agrees is True
    blamed = [_blamed(_wrong(cap, *store)) for store in _stores(cap) if ":inference:" in store[0]]
    assert {"optimizer.state[3]['momentum_buffer'] afterwards"} in blamed
    stage = next(
        stage
        for stage in cap.stages
        if stage.kind == "dynamo_graph" and any(node.target == "mul_" for node in stage.nodes)
    )
    node = next(node for node in stage.nodes if node.target == "mul_")
    _, verdict = cap.edit(stage.replace(node.id, torch.Tensor.div_)).recompile()
    assert verdict.right is True
    assert (
        next(
            row for row in verdict.data.comparisons if row.reference == "eager" and row.what == "edited"
        ).worst.max_relative
        > 0.01
    )  # type: ignore[union-attr]


@pytest.mark.thorough
def test_foreach_operators_that_write_to_their_inputs() -> None:
    """Inductor asks the results of an operator that gives none: EMA of torch.optim.swa_utils could not be judged."""
    net = nn.Linear(8, 8)
    averaged = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    averaged.update_parameters(net)
    net.weight.data.add_(1)
    cap = capture(lambda: averaged.update_parameters(net))
    assert _remark(cap).right is True
    assert _blamed(_wrong(cap, *_stores(cap)[0])) == {"averaged.module.weight afterwards"}


class Remembers(nn.Module):
    """With gradients its second step leads back through the first."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))
        self.register_buffer("last", torch.zeros(4, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.last.mul_(0.5).add_(x @ self.weight)
        return torch.relu(self.last) + x


@pytest.mark.thorough
def test_a_program_whose_steps_cannot_follow_each_other_has_no_times() -> None:
    """A static cache in training: the edit was told to fail."""
    cap = capture(Remembers(), torch.randn(4, 4), train=True)
    stage = next(stage for stage in cap.stages if stage.kind == "dynamo_graph")
    _, verdict = cap.edit(stage.replace("relu", torch.sigmoid)).recompile()
    assert (verdict.right, verdict.data.after) == (True, None)
    assert "fails where one step follows another (RuntimeError: Trying to backward through the graph" in str(
        verdict
    )
