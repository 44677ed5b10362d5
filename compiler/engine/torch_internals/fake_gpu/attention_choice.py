"""Which kernel of attention torch takes on a GPU that is not here: the rules of ``sdp_utils.cpp``, which only CUDA builds hold
and only a driver can answer.

GIVES: cuDNN, flash, efficient or math for given inputs, with why the faster ones are refused.
NEEDS: that CUDA's C++ decides as it does in torch 2.11 to 2.15; differences between them are in `Rules`. Held against
``torch._fused_sdp_choice`` of a real GPU by ``tests/data/attention_choices_*.json.xz``.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from compiler.model.ir.gpu_target import GpuTarget

CUDNN, FLASH, EFFICIENT, MATH = "cudnn", "flash", "efficient", "math"
BACKENDS = {MATH: 0, FLASH: 1, EFFICIENT: 2, CUDNN: 3}
"""``at::SDPBackend``."""
_HALF = (torch.float16, torch.bfloat16)
_ORDER_OF_TORCH = (1, 2, 0, 3, 4)
"""What ``_get_sdp_priority_order`` gives before a program set another (with `torch.nn.attention.sdpa_kernel`)."""
_NEWEST_COMPUTE = (12, 1)
"""The newest capability that the fused kernels are let run on."""
_LARGEST_GRID = 65535


class Rules(NamedTuple):
    """Where releases of torch differ. Which release has which check was read off the messages in the wheels' own
    ``libtorch_cuda.so`` and headers.
    """

    cudnn: int
    """The release that PyPI's wheel of this torch brings."""
    sixteenths: bool = False
    """cuDNN takes a dropout of whole sixteenths only."""
    cudnn_grid: bool = False
    """cuDNN looks at the number of heads and batches."""
    aligned_offsets: bool = False
    """The efficient kernel wants storage offsets aligned."""
    grouped_efficient: bool = False
    """The efficient kernel takes fewer heads of key and value than of query."""
    backward_widths: bool = False
    """cuDNN looks at widths that have a backward, and takes 256 on Blackwell too."""
    flash_grid: bool = False
    """Flash looks at the number of heads and batches."""


class Attention(NamedTuple):
    """One call of ``scaled_dot_product_attention``: tensors of shape (batch, heads, length, width)."""

    query: Any
    key: Any
    value: Any
    mask: Any = None
    dropout: float = 0.0
    causal: bool = False
    grouped: bool = False

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """Query, key and value."""
        return self.query, self.key, self.value

    @property
    def trains(self) -> bool:
        """Whether a gradient will be asked for."""
        return torch.is_grad_enabled() and any(part.requires_grad for part in self.parts)


class Choice(NamedTuple):
    """What runs, and why nothing faster does."""

    backend: str
    refused: tuple[tuple[str, str], ...]
    """(backend, reason), in the order they were tried."""


Refusal = Iterator[str]


RULES = {
    (2, 11): Rules(91900),
    (2, 12): Rules(92000, sixteenths=True),
    (2, 13): Rules(92000, sixteenths=True, cudnn_grid=True, aligned_offsets=True),
    (2, 14): Rules(92400, True, True, True, True, True),
    (2, 15): Rules(92600, True, True, True, True, True, True),
}


def rules_of_this_torch() -> Rules:
    """Of the torch that is installed, as a CUDA wheel of it decides."""
    major, minor = (int(part) for part in torch.__version__.split(".")[:2])
    return RULES.get((major, minor), RULES[max(RULES)])


class Chooser:
    """Chooses for one GPU and one release of torch."""

    def __init__(self, target: GpuTarget, rules: Rules) -> None:
        self._target, self._rules = target, rules
        self._compute = (target.major, target.minor)
        self._refuses: dict[str, Callable[[Attention], Refusal]] = {
            CUDNN: self._cudnn,
            FLASH: self._flash,
            EFFICIENT: self._efficient,
            MATH: _math,
        }

    @property
    def order(self) -> tuple[str, ...]:
        """Backends in the order torch tries them."""
        of_program = tuple(torch._C._get_sdp_priority_order())
        if of_program != _ORDER_OF_TORCH:
            named = {number: backend for backend, number in BACKENDS.items()}
            return tuple(named[number] for number in of_program if number in named)
        prefers_cudnn = (
            not self._target.is_amd and self._rules.cudnn > 91500 and self._target.major in (9, 10)
        )
        fused = (CUDNN, FLASH, EFFICIENT) if prefers_cudnn else (FLASH, EFFICIENT)
        return (*fused, MATH) if prefers_cudnn else (*fused, MATH, CUDNN)

    def choose(self, call: Attention) -> Choice:
        """The first backend that takes these inputs. Raises RuntimeError, as torch does, where none does."""
        refused: list[tuple[str, str]] = []
        for backend in self.order:
            reason = next(self._refuses[backend](call), "")
            if not reason:
                return Choice(backend, tuple(refused))
            refused.append((backend, reason))
        reasons = "; ".join(f"{backend} {reason}" for backend, reason in refused)
        raise RuntimeError(f"No available kernel for scaled_dot_product_attention: {reasons}.")

    def takes(self, backend: str, call: Attention) -> bool:
        """Whether a backend that is wished for takes these inputs."""
        return not next(self._refuses[backend](call), "")

    def _cudnn(self, call: Attention) -> Refusal:
        wide = self._compute == (9, 0) or self._target.major == 10
        if self._target.is_amd:
            yield "is NVIDIA's"
        if call.dropout > 0 and 91100 < self._rules.cudnn < 91400:
            yield "cuDNN 9.11 to 9.13 has no dropout"
        if not torch.backends.cuda.cudnn_sdp_enabled():
            yield "is switched off"
        yield from _not_four_dimensions(call)
        if (
            torch.are_deterministic_algorithms_enabled()
            and not torch.is_deterministic_algorithms_warn_only_enabled()
        ):
            yield "is not deterministic"
        yield from _not_of(call, self._low_precision())
        yield from _odd_mask(call)
        yield from self._not_built_for((8, 0))
        if self._rules.sixteenths and call.dropout * 16 != int(call.dropout * 16):
            yield "takes a dropout of whole sixteenths"
        yield from _no_length(call)
        yield from self._strided(call, a_single_one_may=True)
        yield from _other_heads(call, grouped=True, key_like_value=False)
        yield from self._cudnn_shapes(call, wide)

    def _cudnn_shapes(self, call: Attention, wide: bool) -> Refusal:
        _, _, length, width = call.query.shape
        keys, of_value = call.key.shape[2], call.value.shape[3]
        if self._rules.cudnn_grid:
            yield from _too_many(call)
        limit = 128
        if (wide and self._rules.backward_widths) or self._compute == (9, 0):
            limit = 256
        elif wide and self._rules.cudnn >= 91100 and _sure(width == 192) and _sure(of_value == 128):
            limit = 192
        if not (_sure(width <= limit) and _sure(of_value <= limit)):
            yield f"takes heads of at most {limit}"
        if not (_sure(width % 8 == 0) and _sure(of_value % 8 == 0)):
            yield "takes heads of multiples of 8"
        if not _sure(keys != 1):
            yield "takes no key of length 1"
        if call.dropout != 0 and not _sure(length != 1):
            yield "takes no query of length 1 with dropout"
        if call.trains and wide and self._rules.backward_widths:
            narrow = _sure(width <= 128) and _sure(of_value <= 128)
            if not narrow and (width, of_value) not in ((192, 128), (256, 256)):
                yield "has no backward for heads of this width"

    def _flash(self, call: Attention) -> Refusal:
        if not torch.backends.cuda.flash_sdp_enabled():
            yield "is switched off"
        yield from _not_four_dimensions(call)
        if self._rules.flash_grid:
            yield from _too_many(call)
        if call.mask is not None:
            yield "takes no mask"
        width = call.query.shape[-1]
        if not (
            _sure(width == call.key.shape[-1])
            and _sure(width == call.value.shape[-1])
            and _sure(width <= self._widest)
        ):
            yield f"takes heads of one width of at most {self._widest}"
        yield from self._not_built_for((8, 0))
        small = (8, 6) <= self._compute <= (8, 9) or (12, 0) <= self._compute <= (12, 1)
        has_backward = _sure(width <= 192) or (call.dropout == 0 and _sure(width > 224))
        if small and call.trains and not self._target.is_amd and not has_backward:
            yield "has no backward for heads this wide on this GPU"
        if call.causal and not _sure(call.query.shape[-2] == call.key.shape[-2]):
            yield "takes is_causal only where query and key are equally long"
        yield from _not_of(call, self._low_precision())
        yield from _other_heads(call, grouped=True, key_like_value=True)
        yield from _no_length(call)
        yield from self._strided(call, a_single_one_may=True)

    def _efficient(self, call: Attention) -> Refusal:
        if not torch.backends.cuda.mem_efficient_sdp_enabled():
            yield "is switched off"
        yield from self._not_built_for((5, 0))
        yield from _not_four_dimensions(call)
        width, of_value = call.query.shape[-1], call.value.shape[-1]
        alignment = self._alignment(call.query.dtype)
        fits = (
            _sure(width == call.key.shape[-1])
            and _sure(width % alignment == 0)
            and _sure(width > 0)
            and _sure(of_value % alignment == 0)
            and _sure(of_value > 0)
        )
        if not fits:
            yield f"takes heads of multiples of {alignment}"
        if self._target.is_amd and not (
            _sure(width == of_value) and _sure(width % 8 == 0) and _sure(width <= 256)
        ):
            yield "takes heads of one width of at most 256, in multiples of 8"
        if self._rules.aligned_offsets and self._target.major >= 8 and not self._target.is_amd:
            unit = alignment * call.query.element_size()
            if not all(
                _maybe(part.storage_offset() * part.element_size() % unit == 0) for part in call.parts
            ):
                yield f"takes tensors that begin at multiples of {unit} bytes"
        yield from _no_length(call)
        yield from self._strided(call, a_single_one_may=False)
        grouped = self._rules.grouped_efficient and not self._target.is_amd
        yield from _other_heads(call, grouped=grouped, key_like_value=True)
        if (
            self._target.is_amd
            and call.mask is not None
            and call.mask.dtype not in (torch.bool, call.query.dtype)
        ):
            yield "takes a mask of its own type"
        newer = self._target.is_amd or self._target.major >= 8
        yield from _not_of(call, (*_HALF, torch.float32) if newer else (torch.float16, torch.float32))

    @property
    def _widest(self) -> int:
        return 512 if self._target.is_amd else 256

    def _low_precision(self) -> tuple[torch.dtype, ...]:
        return _HALF if self._target.major >= 8 else (torch.float16,)

    def _alignment(self, dtype: torch.dtype) -> int:
        """Elements that CUTLASS loads at once."""
        half, major = dtype in _HALF, self._target.major
        if self._target.is_amd:
            return 8 if half else 4
        on_tensor_cores = major >= 8 or (major == 7 and half)
        least = 4 if major >= 8 else 1
        return max(least, 128 // (16 if half else 32)) if on_tensor_cores else least

    def _not_built_for(self, oldest: tuple[int, int]) -> Refusal:
        if not self._target.is_amd and not oldest <= self._compute <= _NEWEST_COMPUTE:
            yield f"is not built for compute capability {self._target.major}.{self._target.minor}"

    def _strided(self, call: Attention, a_single_one_may: bool) -> Refusal:
        rows = all(_sure(part.stride(-1) == 1) for part in call.parts)
        if not rows and not (a_single_one_may and _sure(call.query.shape[-1] == 1)):
            yield "takes tensors whose last dimension has stride 1"
        if call.mask is not None and not _sure(call.mask.stride(-1) == 1):
            yield "takes a mask whose last dimension has stride 1"


def _sure(condition: Any) -> bool:
    """Guarded as torch guards it: a size that only a run knows counts as refused."""
    from torch.fx.experimental.symbolic_shapes import guard_or_false

    return condition if isinstance(condition, bool) else bool(guard_or_false(condition))


def _maybe(condition: Any) -> bool:
    from torch.fx.experimental.symbolic_shapes import guard_or_true

    return condition if isinstance(condition, bool) else bool(guard_or_true(condition))


def _math(_call: Attention) -> Refusal:
    if not torch.backends.cuda.math_sdp_enabled():
        yield "is switched off"


def _not_four_dimensions(call: Attention) -> Refusal:
    if any(part.dim() != 4 for part in call.parts):
        yield "takes four dimensions"


def _too_many(call: Attention) -> Refusal:
    if not all(_sure(size <= _LARGEST_GRID) for size in call.query.shape[:2]):
        yield f"takes no more than {_LARGEST_GRID} heads or batches"


def _not_of(call: Attention, dtypes: tuple[torch.dtype, ...]) -> Refusal:
    kinds = {part.dtype for part in call.parts}
    if len(kinds) > 1 or not kinds <= set(dtypes):
        yield f"takes {', '.join(str(dtype).removeprefix('torch.') for dtype in dtypes)}"


def _no_length(call: Attention) -> Refusal:
    if _sure(call.query.shape[-2] == 0) or _sure(call.key.shape[-2] == 0):
        yield "takes no empty sequence"


def _other_heads(call: Attention, grouped: bool, key_like_value: bool) -> Refusal:
    batches, heads = ([part.shape[place] for part in call.parts] for place in (0, 1))
    if not all(_sure(batches[0] == batch) for batch in batches[1:]):
        yield "takes one batch size"
    of_query, of_key, of_value = heads
    if call.grouped and grouped:
        divides = _sure(of_query % of_key == 0) and (key_like_value or _sure(of_query % of_value == 0))
        if (key_like_value and not _sure(of_key == of_value)) or not divides:
            yield "takes heads of key and value that divide those of the query"
    elif not (_sure(of_query == of_key) and _sure(of_query == of_value)):
        yield "takes one number of heads"


def _odd_mask(call: Attention) -> Refusal:
    """cuDNN's: of the full size, or 1 where it is spread."""
    mask = call.mask
    if mask is None:
        return
    if mask.requires_grad:
        yield "takes no mask that wants a gradient"
    batch, heads, length, _ = call.query.shape
    full = (batch, heads, length, call.key.shape[2])
    of_mask = tuple(mask.shape)
    if len(of_mask) not in (2, 4) or not all(
        _sure(size == whole) or size == 1 for size, whole in zip(of_mask, full[-len(of_mask) :], strict=True)
    ):
        yield "takes a mask of (batch, heads, query, key) or (query, key)"
