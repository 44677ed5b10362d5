"""Small programs into whose compiling faults are put."""

import torch
from torch import nn


class Small(nn.Module):
    """A norm, a product, an activation and a reduction."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.up = nn.Linear(16, 48)

    def forward(self, x):
        x = self.norm(x)
        x = nn.functional.gelu(self.up(x))
        return nn.functional.softmax(x, dim=-1)


class FeedForward(nn.Module):
    """That of a transformer's layer, with what stands around it."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(16), nn.LayerNorm(16)
        self.up, self.down = nn.Linear(16, 48), nn.Linear(48, 16)

    def forward(self, x):
        x = x.view(2, 12, 16)
        y = self.down(nn.functional.gelu(self.up(self.before(x))))
        return self.after(x + y)


class Broken(nn.Module):
    """Two graphs, a break between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 16)
        self.second = nn.Linear(16, 16)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        torch._dynamo.graph_break()
        return torch.sigmoid(self.second(x))


class MaskIfTraced(nn.Module):
    """Tracing makes a mask that eager does without, as models of transformers do."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(16, 16)

    def forward(self, x):
        x = x.view(2, 12, 16)
        mask = None
        if torch.compiler.is_compiling():
            rows = torch.arange(12, device=x.device)
            mask = (rows[:, None] >= 0) & x.new_ones(12, 12, dtype=torch.bool)
        y = nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)
        return nn.functional.gelu(self.up(y))


def example_inputs():
    return (torch.randn(24, 16),)


class Positive(nn.Module):
    """The example's numbers are all ones."""

    def forward(self, x):
        return torch.abs(x)


class Reversed(nn.Module):
    """Reads what it made in another order."""

    def forward(self, x):
        x = x @ x.t()
        y = torch.sin(x + x.t() + x.flip(0) + x.flip(1) + x.roll(1))  # reads enough to be given a buffer
        return y, torch.relu(y.flip(0) * 2 + x)


class OddTail(nn.Module):
    """Rows of 21: the last vector of each is not full."""

    def forward(self, x):
        return nn.functional.softmax(x[:, :13].contiguous(), dim=-1)


class NarrowNorm(nn.Module):
    """A norm of bfloat16, far from zero."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(16, dtype=torch.bfloat16)

    def forward(self, x):
        return self.norm(x.to(torch.bfloat16) + 8)


class GivesView(nn.Module):
    """A view of an input is given back."""

    def forward(self, x):
        return x.t(), torch.relu(x)


class TwoDropouts(nn.Module):
    """Two masks, drawn one after the other."""

    def forward(self, x):
        return nn.functional.dropout(x, 0.5) + 2 * nn.functional.dropout(x, 0.5)


class Clobbers(nn.Module):
    """The backward reads what the forward saved."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(16, 16)

    def forward(self, x):
        return torch.tanh(torch.sigmoid(self.up(x)) * x)


class Wide(nn.Module):
    """Time enough in one kernel that what is slow in it shows."""

    def forward(self, x):
        x = x.repeat(20, 16)
        y = torch.sin(x)
        return y, torch.exp(y).sum(dim=-1)


class Chain(nn.Module):
    """Much that one fused kernel does at once, and a sine whose scalar code can be made slow."""

    def forward(self, x):
        y = torch.sin(x.repeat(10, 4))
        for _ in range(60):
            y = y * 1.001 + 0.01
        return y


class ManyGuards(nn.Module):
    """Little to compute, and much to look at before; each step changes something, or torch 2.11 would not look again."""

    def __init__(self) -> None:
        super().__init__()
        self.factors = {f"factor {index}": 1.0 + index for index in range(1500)}

    def forward(self, x):
        total = 0.0
        for name in self.factors:
            total += self.factors[name]
        self.last = x
        return x * total


class WithSecrets(nn.Module):
    """Names that nobody else is to read; the numbers of the second input pick rows."""

    def __init__(self) -> None:
        super().__init__()
        self.secret_table = nn.Embedding(8, 16)

    def forward(self, secret_input):
        secret_rows = (secret_input[:, 0] * 0).long() + 3 + torch.arange(24) % 5
        secret_value = self.secret_table(secret_rows)
        secret_sum = secret_value + secret_input
        return torch.tanh(secret_sum)


class Tanh(nn.Module):
    """Nothing else."""

    def forward(self, x):
        return torch.tanh(x)


class Region(nn.Module):
    """Compiled once for all its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 16)
        self.second = nn.Linear(16, 16)

    @torch.compiler.nested_compile_region
    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


class Regions(nn.Module):
    """Torch 2.13 to 2.15 write the sum over a region's result, which the backward still reads: gradients are wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.regions = nn.ModuleList(Region() for _ in range(3))

    def forward(self, x):
        for region in self.regions:
            x = x + region(x)
        return x


class OwnTensors(nn.Module):
    """Makes a tensor itself that must be of the dtype of what is added."""

    def forward(self, x):
        return torch.zeros(2, 3).index_add(0, torch.tensor([0, 1, 0]), x).tanh()
