"""Rounding as it might have been: a program in float64 with every operation's result moved by up to some units in the
last place of its own dtype. What comes out says how far rounding alone can take a result, also where eager has luck and is exact.
"""

import contextlib
import math
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.torch_internals.dispatcher.dispatch_modes import WatchingMode
from compiler.engine.torch_internals.patch.nothing_compiled import nothing_compiled
from compiler.engine.torch_internals.patch.wrapped_tensors import has_values
from compiler.engine.wide_values import wide_dtype
from compiler.model.capture.capture import CONVOLUTIONS, PRODUCTS

TF32_UNIT = 2.0**-10
"""How far a GPU's tensor cores cut what a convolution, or a product of matrices, in float32 is given, where that is allowed; towards
zero, so that it adds up."""
_PRODUCTS = frozenset({"mm", "addmm", "bmm", "baddbmm", "addbmm", "_addmm_activation", "mv", "addmv"})

_EXACT = frozenset({
    "_unsafe_index", "_unsafe_view", "arange", "cat", "clone", "constant_pad_nd",
    "convert_element_type", "copy", "embedding", "empty_like", "fill", "flip", "full", "full_like",
    "gather", "index", "index_put", "index_select", "iota", "masked_fill", "new_full", "new_ones",
    "ones", "ones_like", "repeat", "roll", "scalar_tensor", "scatter", "select_scatter",
    "slice_scatter", "stack", "where", "abs", "add", "ceil", "clamp", "clamp_max", "clamp_min",
    "floor", "maximum", "minimum", "mul", "neg", "relu", "round", "rsub", "sign", "sub", "trunc",
})  # fmt: skip
"""Operators that round no result that a dtype holds, in whatever order a kernel computes them; a mean, a product of matrices or an
exponential may give such a result by luck."""


def _of_sums(result: torch.Tensor, drawn: torch.Tensor, along: int) -> torch.Tensor:
    return (result * drawn).cumsum(along)


def _of_products(result: torch.Tensor, drawn: torch.Tensor, along: int) -> torch.Tensor:
    return result * drawn.cumsum(along)


_SCANS = {"cumsum": _of_sums, "cumprod": _of_products, "logcumsumexp": _of_products}
"""Operations that make each partial result from the one before it, or block by block: what is rounded goes on to all that follow."""


class Noise(WatchingMode):
    """Zeros stay zeros, and what is copied or added without rounding stays as it is (the numbers of a mask's regions, which a program
    compares with each other); results that are views of arguments, or arguments written to, stay as they are.
    """

    def __init__(self, eps: float, generator: torch.Generator, tf32: Collection[str], louder: float) -> None:
        super().__init__()
        self._eps, self._unit = eps * louder, eps
        self._tf32 = tf32 if torch.finfo(torch.float64).eps < eps < TF32_UNIT else ()
        self._generator = generator
        self.in_tf32 = False
        """Whether anything was computed with fewer digits of its inputs."""

    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._tf32 and _may_be_in_tf32(func, args, self._tf32):
            args, self.in_tf32 = pytree.tree_map(self._as_tf32, args), True
        results = func(*args, **kwargs)
        if not has_values(results):  # a higher-order operator traces its gradient
            return results
        if any(given.alias_info is not None for given in func._schema.returns):  # noqa: SLF001  torch has no other name
            return results
        along = args[1] if len(args) > 1 else kwargs.get("dim")
        return pytree.tree_map(partial(self._moved, func, along), results)

    def _moved(self, func: Any, along: Any, result: Any) -> Any:
        """`along`: of a scan, its dimension."""
        if not isinstance(result, torch.Tensor) or (wide := wide_dtype(result.dtype)) is None:
            return result
        name, drawn = func.overloadpacket.__name__, self._drawn(result.shape, wide).to(result.device)
        moved = _SCANS[name](result, drawn, along) if name in _SCANS else result * drawn
        for shape in _together(result.shape):
            terms = result.numel() // max(math.prod(shape), 1)
            times = math.cbrt(terms) if "norm" in func._schema.name else 1.0  # noqa: SLF001  torch has no other name
            moved += result.abs() * times * self._drawn(shape, wide).to(result.device)
        if _rounds_nothing_held(name):
            moved.masked_fill_(_is_held(result, self._unit), 0)
        if (
            result.layout is torch.strided and 0 in result.stride()
        ):  # an expanded gradient, which a higher-order operator may give
            return result.add(moved, alpha=self._eps)
        return result.add_(moved, alpha=self._eps)

    def _as_tf32(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        cut = self._numbers(value.shape, torch.float64)
        return value - value * TF32_UNIT * cut.to(value.device)

    def _drawn(self, shape: Sequence[int], wide: torch.dtype) -> torch.Tensor:
        middle = 1 + 1j if wide.is_complex else 1
        return 2 * self._numbers(shape, wide) - middle

    def _numbers(self, shape: Sequence[int], wide: torch.dtype) -> torch.Tensor:
        from_ = self._generator
        return torch.rand(tuple(shape), generator=from_, dtype=wide, device=from_.device)


def _rounds_nothing_held(name: str) -> bool:
    return name in _EXACT or name.endswith("_copy")


def _is_held(value: torch.Tensor, eps: float) -> torch.Tensor:
    """Which elements a dtype with this unit in the last place holds without rounding them; none that are no numbers."""
    if value.is_complex():
        return _is_held(value.real, eps) & _is_held(value.imag, eps)
    digits = torch.frexp(value).mantissa * 2.0 ** (1 - round(math.log2(eps)))
    return digits == digits.round()


def _may_be_in_tf32(func: Any, args: tuple[Any, ...], tf32: Collection[str]) -> bool:
    name = func.overloadpacket.__name__
    what = CONVOLUTIONS if "convolution" in name else PRODUCTS if name in _PRODUCTS else ""
    return what in tf32 and any(isinstance(value, torch.Tensor) and _is_on_gpu(value) for value in args)


def _is_on_gpu(value: torch.Tensor) -> bool:
    return value.device.type == "cuda"


def _together(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """What is rounded the same way throughout, as shapes that broadcast: a channel, whose mean was rounded once, and a row, whose
    sum was. What then cancels to nothing over many values, such as the gradient of a bias before a batch norm, is moved by
    as many roundings, not by their root. A normalization adds as many terms itself: its sums were found to be off by about the
    cube root of that many roundings.
    """
    if len(shape) > 1:
        yield tuple(size if dimension == 1 else 1 for dimension, size in enumerate(shape))
        yield (*shape[:-1], 1)


@contextlib.contextmanager
def rounding_noise(
    eps: float, generator: torch.Generator, tf32: Collection[str] = (), louder: float = 1.0
) -> Iterator[Noise]:
    """While this is entered, results are moved by up to `eps` of their value, or `louder` times that, for each way in which they are
    rounded (`_together`). What a dtype of that `eps` holds is copied and added as it is, however loud the noise.
    `generator` is none of the program's, whose numbers stay what they are, and goes on where this is entered again. `tf32`: what a
    GPU may compute with fewer digits of its float32 inputs (`allowed_tf32`).
    """
    with nothing_compiled(), Noise(eps, generator, tf32, louder) as noise:
        yield noise


def numbered(number: int) -> torch.Generator:
    """For the noise of that number."""
    return torch.Generator().manual_seed(number)


def unit_of(values: Any) -> float:
    """One unit in the last place, relative, of the narrowest floating or complex tensor of a tree; 0 where there is none."""
    return max(
        (
            torch.finfo(value.dtype).eps
            for value in pytree.tree_leaves(values)
            if isinstance(value, torch.Tensor) and wide_dtype(value.dtype) is not None
        ),
        default=0.0,
    )
