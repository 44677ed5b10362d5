"""Models of x-transformers, monai and kornia, and models under autocast, in channels last and with dynamic sizes: recorded on a real GPU,
and cross-compiled where the packages are installed.
"""

import torch
from torch import nn

_TOKENS = "torch.randint(0, 1000, (2, 64))"
_PICTURE = "torch.randn(2, 3, 64, 64)"
_SCAN, _VOLUME = "torch.randn(2, 1, 64, 64)", "torch.randn(1, 1, 32, 32, 32)"
INPUTS = {
    "Decoder": _TOKENS, "Rotary": _TOKENS, "Encoder": _TOKENS, "UNet": _SCAN, "UNet3d": _VOLUME, "AttentionUNet": _SCAN, "DenseNet": _SCAN,
    "Unetr": _VOLUME, "SegResNet": _VOLUME, "Canny": _PICTURE, "Blur": _PICTURE, "Corners": _PICTURE, "Sift": "torch.randn(8, 1, 32, 32)",
    "AutocastAttention": "torch.randn(2, 64, 256)", "AutocastConvolutions": _PICTURE, "AutocastFloat16": _PICTURE,
    "ChannelsLast": _PICTURE, "Transposed": _PICTURE, "Recurrent": "torch.randn(2, 16, 64)", "Grouped3d": "torch.randn(1, 64, 8, 8, 8)",
    "Mixed": "torch.randn(2, 64, 256)", "Float16Convolutions": "torch.randn(2, 3, 64, 64, dtype=torch.float16)", "Softmaxes": "torch.randn(64, 5000)",
    "Embeddings": _TOKENS, "Indexing": "torch.randn(512, 128)", "Sorting": "torch.randn(64, 512)", "Scans": "torch.randn(64, 512)",
    "Pools": "torch.randn(2, 128, 32, 32)", "Float64": "torch.randn(4, 96, 32, 32, dtype=torch.float64)",
}  # fmt: skip


class _Wrapped(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = self.build()

    def build(self) -> nn.Module:
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x)


class Decoder(_Wrapped):
    def build(self) -> nn.Module:
        from x_transformers import Decoder, TransformerWrapper

        return TransformerWrapper(
            num_tokens=1000, max_seq_len=64, attn_layers=Decoder(dim=256, depth=2, heads=4, attn_flash=True)
        )


class Rotary(_Wrapped):
    def build(self) -> nn.Module:
        from x_transformers import Decoder, TransformerWrapper

        layers = Decoder(
            dim=256, depth=2, heads=4, rotary_pos_emb=True, ff_glu=True, use_rmsnorm=True, attn_kv_heads=2
        )
        return TransformerWrapper(num_tokens=1000, max_seq_len=64, attn_layers=layers)


class Encoder(_Wrapped):
    def build(self) -> nn.Module:
        from x_transformers import Encoder, TransformerWrapper

        layers = Encoder(dim=256, depth=2, heads=4, alibi_pos_bias=True, attn_qk_norm=True)
        return TransformerWrapper(num_tokens=1000, max_seq_len=64, attn_layers=layers)


class UNet(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import UNet

        return UNet(2, 1, 2, channels=(16, 128, 128), strides=(2, 2), num_res_units=1, norm="batch")


class UNet3d(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import UNet

        return UNet(3, 1, 2, channels=(16, 128, 128), strides=(2, 2), num_res_units=1)


class AttentionUNet(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import AttentionUnet

        return AttentionUnet(2, 1, 2, channels=(16, 128), strides=(2,))


class DenseNet(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import DenseNet

        return DenseNet(2, 1, 4, init_features=80, growth_rate=16, block_config=(2, 2))


class Unetr(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import UNETR

        return UNETR(1, 2, (32, 32, 32), feature_size=8, hidden_size=128, mlp_dim=256, num_heads=4)


class SegResNet(_Wrapped):
    def build(self) -> nn.Module:
        from monai.networks.nets import SegResNet

        return SegResNet(3, init_filters=16, blocks_down=(1, 1), blocks_up=(1,))


class Canny(_Wrapped):
    def build(self) -> nn.Module:
        from kornia.filters import GaussianBlur2d, Sobel

        return nn.Sequential(GaussianBlur2d((5, 5), (1.5, 1.5)), Sobel())


class Blur(_Wrapped):
    def build(self) -> nn.Module:
        from kornia.filters import BoxBlur, Laplacian, UnsharpMask

        return nn.Sequential(BoxBlur((3, 3)), UnsharpMask((5, 5), (1.0, 1.0)), Laplacian(3))


class Corners(_Wrapped):
    def build(self) -> nn.Module:
        from kornia.feature import CornerGFTT

        return CornerGFTT()


class Sift(_Wrapped):
    def build(self) -> nn.Module:
        from kornia.feature import HardNet

        return HardNet(False)


class AutocastAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(256, 4, 512, batch_first=True, norm_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast(x.device.type, torch.bfloat16):
            return self.layer(x).float().sum(1)


class AutocastConvolutions(nn.Module):
    dtype = torch.bfloat16

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 96, 3, padding=1), nn.BatchNorm2d(96), nn.SiLU(), nn.Conv2d(96, 128, 3, stride=2)
        )
        self.head = nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast(x.device.type, self.dtype):
            return self.head(self.body(x).mean((2, 3)))


class AutocastFloat16(AutocastConvolutions):
    dtype = torch.float16


class ChannelsLast(AutocastConvolutions):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x.contiguous(memory_format=torch.channels_last)).relu()


class Transposed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Conv2d(3, 128, 4, 2, 1)
        self.up = nn.ConvTranspose2d(128, 80, 4, 2, 1, output_padding=1)
        self.norm = nn.GroupNorm(8, 80)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.gelu(self.norm(self.up(self.down(x).relu())))


class Grouped3d(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv3d(64, 128, 3, padding=1)
        self.second = nn.Conv3d(128, 128, 3, padding=1, groups=128)
        self.last = nn.Conv1d(128, 80, 3, padding=2, dilation=2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.second(self.first(x).relu()).flatten(2)).tanh()


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(64, 128)
        self.head = nn.Linear(128, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = x.new_zeros(x.shape[0], 128)
        for part in x.unbind(1)[:4]:
            state = self.cell(part, state)
        return self.head(state).log_softmax(-1)


class Mixed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.low = nn.Linear(256, 512, dtype=torch.float16)
        self.norm = nn.RMSNorm(512)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.low(x.half()).float())
        return torch.nn.functional.dropout(y, 0.3, self.training).softmax(-1).cumsum(1)


class Float16Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 96, 3, padding=1, dtype=torch.float16)
        self.depthwise = nn.Conv2d(96, 96, 3, padding=1, groups=96, dtype=torch.float16)
        self.point = nn.Conv2d(96, 160, 1, dtype=torch.float16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.hardswish(self.point(nn.functional.relu6(self.depthwise(self.first(x)))))


class Float64(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(96, 128, 3, dtype=torch.float64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x).tanh().mean(1)


class Softmaxes(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        top, at = x.softmax(-1).topk(5)
        return x.logsumexp(-1) + top.sum(-1) + x.std(-1) + at.float().mean(-1)


class Embeddings(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(1000, 128, padding_idx=0)
        self.bag = nn.EmbeddingBag(1000, 128)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.words(x).mean(1) + self.bag(x)


class Indexing(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = torch.arange(0, 512, 3, device=x.device)
        y = x[rows].index_add(0, torch.zeros_like(rows), x[: len(rows)])
        return torch.where(y > 0, y, y.exp()).scatter_add(1, y.argsort(1), y)


class Sorting(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        values, at = x.sort(-1)
        return values.gather(1, at) + x.median(-1, keepdim=True).values + x.kthvalue(3, keepdim=True).values


class Scans(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.cumsum(1) + x.cummax(1).values + x.sigmoid().cumprod(1) + x.logcumsumexp(1)


class Pools(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        small = nn.functional.max_pool2d(x, 2) + nn.functional.avg_pool2d(x, 2)
        large = nn.functional.interpolate(small, scale_factor=2, mode="bilinear")
        return nn.functional.adaptive_avg_pool2d(large * x, 3)
