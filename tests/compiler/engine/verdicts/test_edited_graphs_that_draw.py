"""Graphs behind AOTAutograd that draw by what Inductor leaves to libraries: run op by op they draw the same, as is seen."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch._inductor import config as inductor_config

import torch_loupe
from compiler.engine.rng.draw_order import NotedDraw
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.verdicts import reference_runs
from compiler.model.edits.edits import EditGroup, ReplaceKernel

pytestmark = pytest.mark.engine


class Picks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.first(x))
        picked = torch.multinomial(hidden.detach().softmax(1), 2)
        return self.second(hidden * 1.5).sum() + hidden.gather(1, picked).cos().sum()


class DropsPaths(nn.Module):
    """As vit-pytorch's models do: the seeds of the dropout are drawn last, and stand first in the graph."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.nn.functional.dropout(torch.relu(self.first(x)), 0.5)
        # every Inductor leaves this one to torch
        kept = torch.multinomial(torch.full((x.shape[0], 2), 0.5), 1) < 1
        return self.second(hidden) * kept


class DrawsAsMuch(nn.Module):
    """As kornia's augmentations do: one seed of Inductor's takes as much of the generator as the two numbers that eager draws."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * -torch.rand(2)


@pytest.fixture(scope="module")
def captured() -> torch_loupe.Capture:
    torch.manual_seed(0)
    return torch_loupe.capture(Picks(), torch.randn(6, 8), train=True)


def _swap(captured: torch_loupe.Capture) -> EditGroup:
    return captured["forward:aot"].replace("relu", torch.ops.aten.gelu.default)


@pytest.mark.thorough
def test_an_edit_of_a_graph_is_judged(captured: torch_loupe.Capture) -> None:
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict.right is True
    assert any(row.reference == "edited graph, float64" for row in verdict.data.comparisons)


@pytest.mark.thorough
def test_a_wrong_kernel_behind_it_is_found(captured: torch_loupe.Capture) -> None:
    new, _ = captured.edit(_swap(captured)).recompile(judge=False)
    stage = "0/0:forward:kernels"
    kernel = next(row for row in new.data.stage(stage).kernels if row.source and "cos" in row.source)
    lines = kernel.source.split("\n")
    at = next(n for n, line in enumerate(lines) if ".cos()" in line or "std::cos(" in line)
    lines[at] = lines[at].replace(".cos()", ".sin()").replace("std::cos(", "std::sin(")
    _, verdict = new.edit(ReplaceKernel(stage, kernel.name, "\n".join(lines))).recompile()
    assert verdict.right is False


class DropsChannels(nn.Module):
    """Inductor draws in place (``bernoulli_``) for what stands in the graph as ``bernoulli``."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.drop = nn.Conv2d(3, 4, 3), nn.Dropout2d(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(torch.relu(self.first(x))).cos()


@pytest.mark.thorough
def test_edits_of_nets_that_drop_channels_are_judged_and_a_wrong_kernel_is_found() -> None:
    torch.manual_seed(0)
    captured = torch_loupe.capture(DropsChannels(), torch.randn(2, 3, 8, 8), train=True)
    swap = _swap(captured)
    new, verdict = captured.edit(swap).recompile()
    assert verdict.right is True, verdict.summary
    stage = "0/0:forward:kernels"
    kernel = next(row for row in new.data.stage(stage).kernels if row.source and "cos(" in row.source)
    wrong = kernel.source.replace(".cos()", ".sin()").replace("std::cos(", "std::sin(")
    _, verdict = new.edit(ReplaceKernel(stage, kernel.name, wrong)).recompile()
    assert verdict.right is False


@pytest.mark.thorough
def test_where_other_calls_draw_nothing_is_judged(
    captured: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reference_runs.noting_draws

    @contextlib.contextmanager
    def otherwise(*given: Any) -> Iterator[list[list[NotedDraw]]]:
        with real(*given) as noted:
            yield noted
        noted[-1].append(NotedDraw(("multinomial", (), ()), [], []))

    monkeypatch.setattr(reference_runs, "noting_draws", otherwise)
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict.right is None
    assert "draws others" in verdict.summary


def _fallbacks_first(nodes: list[Any]) -> list[Any]:
    """The calls that Inductor leaves to torch before all others, each with what it needs; the last one first."""
    for called in [node for node in nodes if type(node.node).__name__ == "FallbackKernel"]:
        first = [node for node in nodes if node is called or node.get_operation_names() & called.ancestors]
        nodes = first + [node for node in nodes if node not in first]
    return nodes


@pytest.fixture
def drawing_in_another_order() -> Iterator[torch_loupe.Capture]:
    torch.manual_seed(0)
    with inductor_config.patch(_post_fusion_custom_pass=_fallbacks_first):
        yield torch_loupe.capture(DropsPaths(), torch.randn(6, 8), train=True)


def _drawn(
    captured: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> tuple[torch_loupe.Verdict, list[bool]]:
    others = []
    real = reference_runs.is_another_order
    monkeypatch.setattr(
        reference_runs, "is_another_order", lambda *orders: others.append(real(*orders)) or others[-1]
    )
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict is not None
    return verdict, others


@pytest.mark.thorough
def test_compiled_code_may_draw_in_another_order_than_its_graph(
    drawing_in_another_order: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict, others = _drawn(drawing_in_another_order, monkeypatch)
    assert any(others)
    assert verdict.right is True
    assert "other inputs" in verdict.summary


@pytest.mark.thorough
def test_without_that_order_it_would_be_reported_wrong(
    drawing_in_another_order: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_runs, "in_the_order_of", lambda _noted: contextlib.nullcontext())
    verdict, _ = _drawn(drawing_in_another_order, monkeypatch)
    assert verdict.right is False


@pytest.mark.thorough
def test_where_calls_alike_draw_in_another_order_nothing_is_reported_wrong(
    drawing_in_another_order: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference_runs, "in_the_order_of", lambda _noted: contextlib.nullcontext())
    monkeypatch.setattr(reference_runs, "alike", lambda _noted: True)
    verdict, _ = _drawn(drawing_in_another_order, monkeypatch)
    assert verdict.right is None
    assert "not known which is which" in verdict.summary
    assert not any("Eager draws random numbers by" in note for note in verdict.data.notes)  # the same calls


class DropsTwice(nn.Module):
    """Torch makes one call of the two that draw: its pass that merges calls alike does not know that ``uniform`` draws."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first = torch.zeros((x.shape[0], 1)).uniform_(0, 1) < 0.5
        second = torch.zeros((x.shape[0], 1)).uniform_(0, 1) < 0.5
        return torch.relu(self.linear(x) * first) * second


@pytest.mark.thorough
def test_a_call_that_the_compiled_code_does_not_make_is_named() -> None:
    torch.manual_seed(0)
    captured = torch_loupe.capture(DropsTwice(), torch.randn(16, 8))
    if not any("uniform" in kernel.name for kernel in captured.kernels if "torch.ops" in kernel.name):
        pytest.skip("this torch's Inductor draws it itself, and twice")
    _, verdict = captured.edit(captured["dynamo"].replace("relu", torch.nn.functional.gelu)).recompile()
    assert verdict.right is None
    assert "draws other random numbers than eager" in verdict.summary
    reported = "Eager draws random numbers by uniform (2 calls), the compiled graphs by uniform (1 call)."
    assert reported in verdict.data.notes


@torch.library.custom_op(
    "loupe_tests::draws_then_fails", mutates_args=(), tags=(torch.Tag.nondeterministic_seeded,)
)
def _draws_then_fails(x: torch.Tensor) -> torch.Tensor:
    noise = torch.rand(x.shape)
    if x.dtype is not torch.float32:
        raise RuntimeError("no kernel found")
    return x + noise


def test_what_draws_before_it_fails_does_not_shift_what_is_drawn_after() -> None:
    """As attention does, which finds late that it has no kernel for float64."""
    x = torch.zeros(4)

    def narrow(within: Within) -> torch.Tensor:
        with within():
            return torch.rand(4)

    def wide(within: Within) -> torch.Tensor:
        with within():
            with contextlib.suppress(RuntimeError):
                _draws_then_fails(x.double())
            return torch.rand(4)

    tape = RandomTape()
    torch.manual_seed(3)
    own = tape.record(narrow)
    torch.manual_seed(3)
    after = tape.replay(wide)
    assert torch.equal(own, after)
    left = torch.get_rng_state()
    torch.manual_seed(3)
    torch.rand(4)
    assert torch.equal(left, torch.get_rng_state())


@pytest.mark.thorough
def test_a_graph_that_fails_op_by_op_is_no_fault_of_the_edit(
    captured: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_given: Any, **_named: Any) -> None:
        raise RuntimeError("view size is not compatible\nand more")

    monkeypatch.setattr(reference_runs, "edited_graphs_reference", fails)
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict.right is None
    assert "op by op the edited graph fails (RuntimeError: view size is not compatible)" in verdict.summary


def test_an_inference_graph_that_draws_otherwise_op_by_op_is_not_wrong() -> None:
    captured = torch_loupe.capture(DrawsAsMuch(), torch.ones(2))
    _, verdict = captured.edit(
        captured["inference:aot"].replace("neg", torch.ops.aten.gelu.default)
    ).recompile()
    assert verdict.right is None


def draws_without_an_input() -> torch.Tensor:
    """No other inputs can be tried with it."""
    return torch.cos(torch.randn(64))


def test_what_eager_draws_otherwise_does_not_speak_for_a_wrong_kernel() -> None:
    """Eager's other numbers are as far from the graph's as the wrong ones are: it was *not judged*."""
    captured = torch_loupe.capture(draws_without_an_input)
    stage = "0/0:inference:kernels"
    kernel = next(row for row in captured.data.stage(stage).kernels if "cos()" in row.source)
    wrong = re.sub(r"(tmp\d+)(\.store\(\w*out_ptr0)", r"(\1 * decltype(\1)(1.05f))\2", kernel.source)
    assert wrong != kernel.source
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, wrong)).recompile()
    assert verdict.right is False, verdict.summary
