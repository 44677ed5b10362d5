"""How far an edit moves results is told where eager draws other random numbers, too."""

import pytest
import torch
from torch import nn

import torch_loupe
from compiler.analysis.text_format.verdict_headline import headline
from compiler.model.edits.edits import BypassNode
from compiler.model.timing.verdicts import SAME_NUMBERS

pytestmark = pytest.mark.engine


class Scales(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.dropout(self.linear(x), 0.5).cos() * 5.0


@pytest.fixture(scope="module")
def captured() -> torch_loupe.Capture:
    return torch_loupe.capture(Scales(), torch.randn(6, 8), train=True)


@pytest.mark.parametrize(("stage", "share"), [("forward:post_grad", 0.2), ("0/0:dynamo", 0.2)])
def test_how_far_an_edit_moves_results(captured: torch_loupe.Capture, stage: str, share: float) -> None:
    wanted = captured[stage]
    _, verdict = captured.edit(wanted.edited(wanted.text.replace("5.0", "6.0"))).recompile()
    assert verdict.right is True
    rows = {row.reference: row for row in verdict.data.comparisons if row.what == "edited"}
    row = rows[SAME_NUMBERS if stage.endswith("post_grad") else "eager"]
    assert row.worst.max_relative == pytest.approx(share, rel=1e-3)
    assert f"moves results by up to {share:.0%}" in headline(verdict.data).moved


class Stops(nn.Module):
    """As vector quantisers and target networks do."""

    def __init__(self) -> None:
        super().__init__()
        self.online, self.target = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.online(x) + self.target(x).detach()


def test_a_gradient_that_an_edit_gives_is_a_change() -> None:
    captured = torch_loupe.capture(Stops(), torch.randn(3, 4), train=True)
    stage = captured["0/0:dynamo"]
    stop = next(node for node in stage.nodes if node.target == "detach")
    _, verdict = captured.edit(BypassNode(stage.id, stop.id, stop.inputs()[0])).recompile()
    assert verdict.right is True
    moved = headline(verdict.data).moved
    assert "grad of target." in moved
    assert "one that the reference does not have" in moved
