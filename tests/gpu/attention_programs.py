"""Attention in many shapes, each with the inputs that decide which kernel torch takes: recorded on a real GPU."""

import torch
from torch import nn
from torch.nn import functional


class Heads(nn.Module):
    """Projects, attends, projects back."""

    width, heads, groups, dropout, causal = 256, 4, 0, 0.0, False
    dtype = torch.float32

    def __init__(self) -> None:
        super().__init__()
        self.kept = self.groups or self.heads
        each = self.width // self.heads
        self.query = nn.Linear(self.width, self.width)
        self.key = nn.Linear(self.width, each * self.kept)
        self.value = nn.Linear(self.width, each * self.kept)
        self.out = nn.Linear(self.width, self.width)
        self.to(self.dtype)

    def mask(self, x: torch.Tensor) -> torch.Tensor | None:
        return None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q = self.query(x).view(batch, length, self.heads, -1).transpose(1, 2)
        k = self.key(x).view(batch, length, self.kept, -1).transpose(1, 2)
        v = self.value(x).view(batch, length, self.kept, -1).transpose(1, 2)
        dropout = self.dropout if self.training else 0.0
        y = functional.scaled_dot_product_attention(
            q, k, v, self.mask(x), dropout, self.causal, enable_gqa=bool(self.groups)
        )
        return self.out(y.transpose(1, 2).reshape(batch, length, self.width))


class Plain(Heads):
    """float32: the efficient kernel."""


class PlainHalf(Heads):
    """bfloat16 on Hopper: cuDNN's."""

    dtype = torch.bfloat16


class CausalHalf(Heads):
    dtype, causal = torch.bfloat16, True


class DroppedHalf(Heads):
    """A dropout that cuDNN does not take."""

    dtype, dropout = torch.bfloat16, 0.1


class SixteenthDropped(Heads):
    """A dropout that cuDNN takes."""

    dtype, dropout = torch.bfloat16, 0.125


class Dropped(Heads):
    dropout = 0.1


class Odd(Heads):
    """Heads of 10: nothing fused takes them in float32."""

    width, heads = 40, 4


class OddHalf(Heads):
    """Heads of 20 in half precision: flash pads them."""

    width, heads, dtype = 80, 4, torch.float16


class Wide(Heads):
    """Heads of 160."""

    width, heads, dtype = 640, 4, torch.bfloat16


class Grouped(Heads):
    groups, dtype = 2, torch.bfloat16


class GroupedSingle(Heads):
    groups = 2


class Masked(Heads):
    """A boolean mask over keys, spread over the queries."""

    def mask(self, x: torch.Tensor) -> torch.Tensor | None:
        return (x[..., 0] > -1)[:, None, None, :]


class MaskedHalf(Masked):
    dtype = torch.bfloat16


class FullMask(Heads):
    """A mask whose last dimension is spread: nothing fused takes it."""

    def mask(self, x: torch.Tensor) -> torch.Tensor | None:
        return (x[..., :1] > -1)[:, None].expand(-1, 1, -1, x.shape[1])


class AddedMask(Heads):
    """A mask that is added, of a length that is no multiple of 16."""

    def mask(self, x: torch.Tensor) -> torch.Tensor | None:
        length = x.shape[1]
        return torch.zeros(length, length, device=x.device).masked_fill(
            torch.ones(length, length, device=x.device, dtype=torch.bool).triu(1), float("-inf")
        )


class Double(Heads):
    """float64: written out."""

    dtype = torch.float64


class OneHead(nn.Module):
    """Three dimensions: written out."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(64, 192)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.inner(x).chunk(3, -1)
        return functional.scaled_dot_product_attention(q, k, v)


class Crossed(nn.Module):
    """One query for each sequence of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.MultiheadAttention(128, 4, dropout=0.1, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x[:, :1], x, x, need_weights=False)[0]


SHAPES = {
    "Plain": "2, 64, 256", "PlainHalf": "2, 64, 256", "CausalHalf": "2, 64, 256", "DroppedHalf": "2, 64, 256",
    "SixteenthDropped": "2, 64, 256", "Dropped": "2, 64, 256", "Odd": "2, 50, 40", "OddHalf": "2, 50, 80",
    "Wide": "2, 64, 640", "Grouped": "2, 64, 256", "GroupedSingle": "2, 64, 256", "Masked": "2, 64, 256",
    "MaskedHalf": "2, 64, 256", "FullMask": "2, 64, 256", "AddedMask": "2, 50, 256", "Double": "2, 64, 256",
    "OneHead": "2, 64, 64", "Crossed": "2, 64, 128",
}  # fmt: skip
"""The shape of the input of each."""
DTYPES = {"Double": "float64", "OddHalf": "float16"} | dict.fromkeys(
    ("PlainHalf", "CausalHalf", "DroppedHalf", "SixteenthDropped", "Wide", "Grouped", "MaskedHalf"),
    "bfloat16",
)
