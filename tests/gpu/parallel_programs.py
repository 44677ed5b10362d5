"""Small models of the kind that is trained on several GPUs, and how each is spread over two: for `tests.gpu.parallel_reality`.

Plain torch. ``SIZE=small`` in the environment makes them small enough for a CPU; ``SIZE=buckets`` too, with more parameters
than one of DDP's buckets holds; ``SIZE=host`` so small that GPUs wait for the host all the time.
"""

import os

import torch
from torch import nn
from torch.nn import functional

SIZE = os.environ.get("SIZE", "")
SMALL = SIZE in ("small", "buckets")
WIDTH, HEADS, HIDDEN, LAYERS, WORDS, BATCH, LENGTH = (
    (512, 4, 2048, 3, 8192, 2, 32)
    if SIZE == "buckets"
    else (64, 4, 128, 3, 256, 2, 32)
    if SMALL
    else (256, 4, 512, 10, 512, 1, 128)
    if SIZE == "host"
    else (2048, 16, 5632, 6, 32000, 4, 2048)
)
DTYPE = torch.float32 if SMALL else torch.bfloat16


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (
            part(x).view(batch, length, -1, WIDTH // HEADS).transpose(1, 2)
            for part in (self.wq, self.wk, self.wv)
        )
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(mixed.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w3 = (nn.Linear(WIDTH, HIDDEN, bias=False) for _ in range(2))
        self.w2 = nn.Linear(HIDDEN, WIDTH, bias=False)

    def forward(self, x):
        return self.w2(functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_norm, self.ffn_norm = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.attention, self.feed_forward = Attention(), FeedForward()

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.ffn_norm(x))


class Model(nn.Module):
    """A Llama-like stack, with its loss."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH)
        self.output = nn.Linear(WIDTH, WORDS, bias=False)
        self.to(DTYPE)

    def forward(self, words, following):
        x = self.embedding(words)
        for layer in self.layers:
            x = layer(x)
        return functional.cross_entropy(self.output(self.norm(x)).flatten(0, 1), following.flatten())


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = (nn.Conv2d(width, width, 3, padding=1, bias=False) for _ in range(2))
        self.first_norm, self.second_norm = (nn.BatchNorm2d(width) for _ in range(2))

    def forward(self, x):
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(inner)))


class Vision(nn.Module):
    """A small residual net with batch normalization, with its loss; in float32."""

    def __init__(self):
        super().__init__()
        width = 8 if SMALL else 256
        self.stem, self.stem_norm = nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width)
        self.layers = nn.Sequential(*(Residual(width) for _ in range(LAYERS)))
        self.output = nn.Linear(width, 16)

    def forward(self, images, labels):
        x = self.layers(functional.relu(self.stem_norm(self.stem(images))))
        return functional.cross_entropy(self.output(x.mean((2, 3))), labels)


def model_of(case):
    """The module of a case, not spread yet."""
    if case in VISION:
        net = Vision()
        return nn.SyncBatchNorm.convert_sync_batchnorm(net) if case == "ddp_sync" else net
    return Model().float() if case == "fsdp_mixed" else Model()


def inputs_of(case):
    """One batch of a case."""
    if case in VISION:
        size = 8 if SMALL else 32
        return torch.randn(BATCH * 16, 3, size, size), torch.randint(0, 16, (BATCH * 16,))
    words = torch.randint(0, WORDS, (BATCH, LENGTH))
    return words, words.clone()


TENSOR_PLAN = {
    "layers.*.attention.wq": "colwise",
    "layers.*.attention.wk": "colwise",
    "layers.*.attention.wv": "colwise",
    "layers.*.attention.wo": "rowwise",
    "layers.*.feed_forward.w1": "colwise",
    "layers.*.feed_forward.w3": "colwise",
    "layers.*.feed_forward.w2": "rowwise",
}
RANKS = int(os.environ.get("RANKS", "2"))
CASES = tuple(os.environ.get("CASES", "").split()) or (
    *("single", "checkpointed", "tp", "fsdp", "fsdp_mixed"),
    *(() if SMALL else ("cp",)),
    "ddp",
    *(("fsdp_tp",) if RANKS > 2 else ()),
)
"""One GPU; the same with the activations of each layer computed again; the layers cut over all; FSDP2 over all, each layer
compiled; the same with float32 parameters gathered in bfloat16; sequences cut over all, with FSDP2 (ring attention is for GPUs
only); DistributedDataParallel; each layer cut over two, and FSDP2 over such pairs.
"""
ALONE = ("single", "checkpointed")
VISION = ("ddp_norm", "ddp_sync")
"""DistributedDataParallel around batch normalization, whose statistics it sends before each forward; and normalized over all ranks,
which asks for values and breaks graphs. By name: not among the cases that are tried when none is named.
"""
