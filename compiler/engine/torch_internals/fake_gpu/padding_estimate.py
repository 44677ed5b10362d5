"""Whether padding a matrix product pays on a GPU that is not here: estimated from products measured on such a one.

The trees in ``resources/padding_h100.json`` were fitted by `tests.gpu.fit_padding` to ``tests/data/padding_h100_torch2.11.json.xz``:
torch's own benchmark of each product on a quiet H100. In float32 the few products that were padded there follow no rule (1.4 % of
6,712), so "not padded" is the best answer; likewise where every contiguous dimension is aligned (1 of 1,427).
"""

import functools
import math
from typing import Any, NamedTuple

import msgspec

from compiler.installation import RESOURCES
from compiler.model.ir.gpu_target import GpuTarget

MEASURED = RESOURCES / "padding_h100.json"
_FASTER = 1.1
"""How many times as long the product must take unpadded: ``pad_mm.is_padded_faster``."""


class Product(NamedTuple):
    """A matrix product as ``pad_mm`` sees it."""

    op: str
    """``mm``, ``addmm`` or ``bmm``."""
    dtype: str
    batch: int
    """0 unless it is ``bmm``."""
    m: int
    k: int
    n: int
    transposed: tuple[bool, bool]
    """Whether a factor's rows are not contiguous."""
    free: tuple[bool, bool]
    """Whether padding a factor costs nothing, since what makes it can write it padded."""
    input_dims: int = 0
    """Of what ``addmm`` adds."""

    def __str__(self) -> str:
        sizes = f"{self.m}×{self.k} by {self.k}×{self.n}"
        return f"{self.op} of {f'{self.batch} × ' if self.batch else ''}{sizes}, {self.dtype}"


_OF_MODELS = "41 of 48 products of seven models"
"""Of `tests.gpu.padded_models`; of products like those they were made from it is 95 %."""


class Estimate(NamedTuple):
    """What padding most likely does there."""

    padded: bool
    why: str


def estimate(product: Product, target: GpuTarget) -> Estimate:
    """What torch would most likely find on that GPU."""
    if target.is_amd or (target.major, target.minor) != (9, 0):
        return Estimate(False, "torch measures that on the GPU; there is no measurement of such a GPU here")
    if product.dtype not in ("bfloat16", "float16"):
        return Estimate(False, "as 98.6 % of the float32 products measured on an H100")
    if not has_unaligned_rows(product):
        return Estimate(False, "as all but 1 of 1,427 measured on an H100 whose rows are aligned")
    times = times_as_long(product)
    return Estimate(
        times > _FASTER,
        f"{times:.2g} × as long unpadded, estimated from {_measured()['products']:,} products measured on an H100; "
        f"such estimates are right for {_OF_MODELS}",
    )


def times_as_long(product: Product) -> float:
    """How many times as long it takes unpadded as padded, on an H100."""
    row, trees = features(product), _measured()["trees"]
    return math.exp(_log_time(row, trees["unpadded"]) - _log_time(row, trees["padded"]))


def has_unaligned_rows(product: Product) -> bool:
    """Whether a contiguous dimension of a factor or of the result is not a multiple of 8."""
    first, second = product.transposed
    inner = (product.m if first else product.k, product.k if second else product.n, product.n)
    return any(size % 8 for size in inner)


def features(product: Product) -> list[float]:
    """What a time depends on; the order is part of the file."""
    m, k, n, batch = product.m, product.k, product.n, product.batch or 1
    unaligned_m, unaligned_k, unaligned_n = (size != 1 and size % 8 != 0 for size in (m, k, n))
    operations, elements = 2 * batch * m * k * n, batch * (m * k + k * n + m * n)
    copied = batch * m * k if (unaligned_m or unaligned_k) and not product.free[0] else 0
    copied += batch * k * n if (unaligned_k or unaligned_n) and not product.free[1] else 0
    return [
        math.log2(m),
        math.log2(k),
        math.log2(n),
        math.log2(batch),
        math.log2(operations),
        operations / (2 * elements),
        copied / elements,
        math.log2(copied + 1),
        *(math.gcd(size, 8) for size in (m, k, n)),
        *product.transposed,
        *product.free,
        product.input_dims,
        product.op == "bmm",
        product.dtype == "float16",
    ]


@functools.cache
def _measured() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(MEASURED.read_bytes())
    return found


def _log_time(row: list[float], trees: list[Any]) -> float:
    first, *others = trees
    total: float = first
    for node in others:
        while isinstance(node, list):
            feature, threshold, low, high = node
            node = low if row[feature] <= threshold else high
        total += node
    return total
