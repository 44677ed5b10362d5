"""Which matrix products are padded to aligned sizes where nothing can be measured: as torch's record of a GPU says, as was chosen, or
as is most likely. For good.

GIVES: the answer to each product that ``pad_mm`` would time; nothing is read from this machine's cache of such answers nor written to it.
NEEDS: ``fx_passes.pad_mm``: ``_should_pad``, ``should_pad_bench_key``, ``is_padded_faster``, ``get_do_bench``,
``get_cached_should_pad``, ``set_cached_should_pad``, ``get_cached_base_mm_benchmark_time``, ``set_cached_base_mm_benchmark_time``.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.torch_internals.fake_gpu.padding_estimate import Product, estimate
from compiler.model.capture.gpu_assumptions import PADDING, Assumed
from compiler.model.capture.padding_record import decisions, gpu_of, is_record, product_of
from compiler.model.ir.gpu_target import GpuTarget


class PaddingChoice:
    """Answers by torch's key of a product."""

    def __init__(self, target: GpuTarget, wished: str, note: Callable[[Assumed], None]) -> None:
        self._target = target
        self._wished = wished
        self._recorded = decisions(wished)
        self._note = note
        self.asked: dict[str, Product] = {}

    def known(self, key: str) -> bool | None:
        """In place of torch's cache. Where only times are left to decide the answer comes from here too: torch would draw both
        operands at full size for each product of each layer (half of the capture of a Flux), to time nothing.
        """
        padded = self._recorded.get(product_of(key)) if self._recorded else None
        if padded is not None:
            self._note_choice(key, padded, f"as torch recorded on {gpu_of(self._wished)}")
        elif not _others_decide():
            padded = self.is_faster(key, 1.0, 1.0)
        return padded

    def is_faster(self, key: str, _unpadded: float, _padded: float) -> bool:
        """In place of comparing two times."""
        if self._wished in ("yes", "no"):
            padded, why = self._wished == "yes", "as you chose"
        else:
            padded, why = estimate(self.asked[key], self._target)
            if is_record(self._wished):
                why = f"the record does not have it; {why}"
        self._note_choice(key, padded, why)
        return padded

    def _note_choice(self, key: str, padded: bool, why: str) -> None:
        self._note(
            Assumed(
                PADDING,
                f"{self.asked[key]}: {'padded' if padded else 'not padded'} ({why}).",
                product=product_of(key),
                taken="yes" if padded else "no",
            )
        )


def install(target: GpuTarget, wished: str, note: Callable[[Assumed], None]) -> None:
    """`wished`: "", "yes", "no", or a record (`compiler.model.capture.padding_record`). `note` is told of each product."""
    import torch._inductor.fx_passes.pad_mm as padding

    choice = PaddingChoice(target, wished, note)
    named = padding.should_pad_bench_key
    hints = getattr(padding, "hint_symbols", None) or padding.realize_symbols

    def key_of(match: Any, mat1: Any, mat2: Any, op: Any, *args: Any, **kwargs: Any) -> str:
        key: str = named(match, mat1, mat2, op, *args, **kwargs)
        if key not in choice.asked and not kwargs.get("is_base_time_key"):
            free = tuple(padding.should_exclude_padding_time(match, name) for name in ("mat1", "mat2"))
            given = args[0] if args else kwargs.get("input")
            choice.asked[key] = _product(op, mat1, mat2, given, (free[0], free[1]), hints)
        return key

    answers: Any = padding
    answers.should_pad_bench_key = key_of
    # with TORCHINDUCTOR_ENABLE_CACHING_MODULE answers are kept on disk
    answers._should_pad = inspect.unwrap(answers._should_pad)
    answers.get_cached_should_pad = choice.known
    answers.is_padded_faster = choice.is_faster
    answers.get_do_bench = lambda: lambda *_args, **_kwargs: 1.0
    answers.get_cached_base_mm_benchmark_time = lambda _key: None
    for written in ("set_cached_should_pad", "set_cached_base_mm_benchmark_time"):
        setattr(answers, written, lambda _key, _value=None, **_kwargs: None)


def _others_decide() -> bool:
    """Torch's learned heuristic, or the wish for a deterministic choice, comes before times."""
    from torch._inductor import config

    return bool(config.run_autoheuristic("pad_mm") or getattr(config, "deterministic", False))


def _product(
    op: Any, mat1: Any, mat2: Any, given: Any, free: tuple[bool, bool], hints: Callable[[Any], list[int]]
) -> Product:
    batched = op is torch.ops.aten.bmm
    first, second = hints(mat1.shape), hints(mat2.shape)
    return Product(
        str(op).rpartition(".")[2],
        str(mat1.dtype).removeprefix("torch."),
        first[0] if batched else 0,
        first[-2],
        first[-1],
        second[-1],
        (_is_transposed(hints(mat1.stride())), _is_transposed(hints(mat2.stride()))),
        free,
        given.dim() if given is not None else 0,
    )


def _is_transposed(strides: list[int]) -> bool:
    return strides[-1] != 1 and strides[-2] == 1
