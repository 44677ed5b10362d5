"""Graphs behind AOTAutograd that draw by what Inductor leaves to libraries: run op by op they draw the same, as is seen."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.engine.rng.random_tape import RandomTape, Within
from compiler.engine.verdicts import judge_edits
from compiler.model.edits.edits import EditGroup, ReplaceKernel
from compiler.model.ir.stage import KernelStage

pytestmark = pytest.mark.engine


class Picks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.first(x))
        picked = torch.multinomial(hidden.detach().softmax(1), 2)
        return self.second(hidden * 1.5).sum() + hidden.gather(1, picked).cos().sum()


@pytest.fixture(scope="module")
def captured() -> torch_loupe.Capture:
    torch.manual_seed(0)
    return torch_loupe.capture(Picks(), torch.randn(6, 8), train=True)


def _swap(captured: torch_loupe.Capture) -> EditGroup:
    return captured["forward:aot"].replace("relu", torch.ops.aten.gelu.default)


def test_an_edit_of_a_graph_is_judged(captured: torch_loupe.Capture) -> None:
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict is not None
    assert verdict.right is True
    assert any(row.reference == "edited graph, float64" for row in verdict.data.comparisons)


@pytest.mark.thorough
def test_a_wrong_kernel_behind_it_is_found(captured: torch_loupe.Capture) -> None:
    new, _ = captured.edit(_swap(captured)).recompile(judge=False)
    stage = "0/0:forward:kernels"
    content = new.data.stage(stage).content
    assert isinstance(content, KernelStage)
    kernel = next(row for row in content.kernels.kernels if row.source and "cos" in row.source)
    lines = kernel.source.split("\n")
    at = next(n for n, line in enumerate(lines) if ".cos()" in line or "std::cos(" in line)
    lines[at] = lines[at].replace(".cos()", ".sin()").replace("std::cos(", "std::sin(")
    _, verdict = new.edit(ReplaceKernel(stage, kernel.name, "\n".join(lines))).recompile()
    assert verdict is not None
    assert verdict.right is False


@pytest.mark.thorough
def test_where_other_calls_draw_nothing_is_judged(
    captured: torch_loupe.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = judge_edits.noting_draws

    @contextlib.contextmanager
    def otherwise(*given: Any) -> Iterator[list[Any]]:
        with real(*given) as draws:
            yield draws
        draws.append(("multinomial", (), ()))

    monkeypatch.setattr(judge_edits, "noting_draws", otherwise)
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict is not None
    assert verdict.right is None
    assert "draws others" in verdict.summary


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
    def fails(*_given: Any) -> None:
        raise RuntimeError("view size is not compatible\nand more")

    monkeypatch.setattr(judge_edits, "edited_graphs_reference", fails)
    _, verdict = captured.edit(_swap(captured)).recompile()
    assert verdict is not None
    assert verdict.right is None
    assert "op by op the edited graph fails (RuntimeError: view size is not compatible)" in verdict.summary
