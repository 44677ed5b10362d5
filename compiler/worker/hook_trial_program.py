"""What hooks are tried on: a little of everything that they listen to."""

import time

import torch

_NEW = 1 + (time.time_ns() % 1_000_000) / 1e8
"""A number that no kernel had before, so that kernels are built."""


class Tried(torch.nn.Module):
    """Layers with dropout, attention written out, a break in a called function, sizes that change."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.drop = torch.nn.Linear(16, 16), torch.nn.Dropout(0.25)
        self.calls = torch.nn.Buffer(torch.zeros(()))

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        """Of the shape that it is given, as torch has a pattern for."""
        q = x.view(1, 2, -1, 8) * _NEW
        weights = torch.softmax(torch.matmul(q, q.transpose(-2, -1)).div(2.0), dim=-1)
        return torch.matmul(weights, q).view(-1, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(rows, 16) to (rows,)."""
        self.calls.add_(1)
        dropped: torch.Tensor = self.drop(torch.relu(self.layer(x)))
        y = dropped + self.attend(x)
        y = torch.cat(torch.split(y, [8, 8], 1), 1) + self.calls
        torch._dynamo.graph_break()
        marked = y.detach().clone()
        marked[torch.tensor([0, 1])] = 2.0
        added = marked.scatter_add(0, torch.zeros(2, 16, dtype=torch.int64), marked[:2]).cumsum(0)
        chosen = added[added[:, 0] > 0]
        for rows in (8, 6, 5):
            _scaled(y[:rows], rows)
        return (y @ y.T).permute(1, 0).mean(-1) + chosen.mean()


def _scaled(y: torch.Tensor, rows: int) -> torch.Tensor:
    torch._dynamo.graph_break()
    if y.shape[0] == rows:
        return y * rows
    return y


def example_inputs() -> tuple[torch.Tensor]:
    """A few rows."""
    return (torch.randn(8, 16),)
