"""What the self-test compiles."""

import torch


class Small(torch.nn.Module):
    """A layer and something to fuse with it."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(rows, 16) to (rows, 16)."""
        return torch.softmax(torch.relu(self.layer(x)), -1)


def example_inputs() -> tuple[torch.Tensor]:
    """A few rows."""
    return (torch.zeros(8, 16),)
