"""Models whose operators CUDA gives to a library where a CPU does not: connectionist losses, recurrent nets, grids, quantization.
Recorded on a real GPU.
"""

import torch
from torch import nn
from torch.nn import functional

_SOUND = "torch.randn(30, 4, 32)"
_PICTURE = "torch.randn(2, 3, 32, 32)"
_SEQUENCES = "torch.randn(4, 16, 32)"
INPUTS = {
    "Ctc": _SOUND, "CtcOfLibrary": _SOUND, "CtcListed": _SOUND, "CtcListedOfLibrary": _SOUND, "SpatialTransformer": _PICTURE, "Warped": _PICTURE,
    "WarpedHalf": _PICTURE, "Warped3d": "torch.randn(1, 2, 8, 8, 8)", "Lstm": _SEQUENCES, "Gru": _SEQUENCES, "LstmHalf": "torch.randn(4, 16, 32, dtype=torch.bfloat16)",
    "Quantized": _SEQUENCES, "Encoded": _SEQUENCES,
}  # fmt: skip


class Ctc(nn.Module):
    """Targets as most write them: a row for each, 64 bits."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(32, 20)
        self.register_buffer("targets", torch.randint(1, 20, (4, 10)))
        self.register_buffer("lengths", torch.full((4,), 30))
        self.register_buffer("of_targets", torch.full((4,), 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.ctc_loss(self.head(x).log_softmax(-1), self.targets, self.lengths, self.of_targets)


class CtcOfLibrary(Ctc):
    """As cuDNN takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.targets = self.targets.flatten().int()
        self.lengths, self.of_targets = self.lengths.int(), self.of_targets.int()


class CtcListed(nn.Module):
    """Lengths that are numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(32, 20)
        self.register_buffer("targets", torch.randint(1, 20, (4, 10)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.ctc_loss(
            self.head(x).log_softmax(-1), self.targets, (30,) * 4, (10,) * 4, zero_infinity=True
        )


class CtcListedOfLibrary(nn.Module):
    """Lengths that are numbers and targets on the CPU: cuDNN's again."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(32, 20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        targets = torch.arange(1, 17, dtype=torch.int32)
        return functional.ctc_loss(self.head(x).log_softmax(-1), targets, (30,) * 4, (4,) * 4)


class SpatialTransformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.found = nn.Sequential(
            nn.Conv2d(3, 8, 5, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 6)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        grid = functional.affine_grid(self.found(x).view(-1, 2, 3), list(x.shape), align_corners=True)
        return functional.grid_sample(x, grid, align_corners=True)


class Warped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.flow = nn.Conv2d(3, 2, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        grid = self.flow(x).permute(0, 2, 3, 1).tanh()
        one = functional.grid_sample(x, grid, align_corners=False, padding_mode="border")
        return one + functional.grid_sample(x, grid, mode="nearest", align_corners=True)


class WarpedHalf(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.half()
        grid = y[:, :2].permute(0, 2, 3, 1).tanh()
        return functional.grid_sample(y, grid, align_corners=True) + functional.grid_sample(
            y, grid, "bicubic", align_corners=True
        )


class Warped3d(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        grid = x[:, :1].expand(-1, 3, -1, -1, -1).permute(0, 2, 3, 4, 1).tanh()
        return functional.grid_sample(x, grid, align_corners=True)


class Lstm(nn.Module):
    dtype = torch.float32

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.LSTM(32, 64, 2, batch_first=True, dropout=0.2, dtype=self.dtype)
        self.head = nn.Linear(64, 8, dtype=self.dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.cells(x.relu())[0][:, -1]).log_softmax(-1)


class LstmHalf(Lstm):
    dtype = torch.bfloat16


class Gru(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(32, 64, bidirectional=True)
        self.plain = nn.RNN(128, 16, nonlinearity="relu", bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.plain(self.cells(x.tanh())[0])[0].softmax(-1)


class Quantized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(32, 32)
        self.register_buffer("scales", torch.rand(32) + 0.1)
        self.register_buffer("zeros", torch.zeros(32, dtype=torch.int32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = torch.fake_quantize_per_channel_affine(
            self.linear.weight, self.scales, self.zeros, 0, -128, 127
        )
        return functional.linear(
            torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127), weight, self.linear.bias
        )


class Encoded(nn.Module):
    """Its fast path in evaluation is one operator."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x, src_key_padding_mask=torch.arange(16, device=x.device).expand(4, 16) > 12)
