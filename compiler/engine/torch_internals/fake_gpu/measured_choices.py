"""What torch decides on a GPU by measuring or in CUDA's C++ is assumed here, and noted. For good.

GIVES: the backend of attention (`attention_choice`), whether matrix products are padded (`padding_choice`), the winner of
max-autotune, which fusions are worth it.
NEEDS: the Python kernels and ``_op_dk`` of ``scaled_dot_product_attention``,
``AlgorithmSelectorCache.make_benchmark_fn``, ``Scheduler.speedup_by_fusion``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from compiler.engine.torch_internals.fake_gpu import padding_choice
from compiler.engine.torch_internals.fake_gpu.attention_choice import (
    BACKENDS,
    Attention,
    Choice,
    Chooser,
    rules_of_this_torch,
)
from compiler.engine.torch_internals.fake_gpu.attention_stub import install_answer
from compiler.engine.torch_internals.fake_gpu.own_kernels import implement
from compiler.model.capture.gpu_assumptions import ATTENTION, FUSION, PADDING, WINNER, Assumed
from compiler.model.ir.gpu_target import GpuTarget

assumed: list[Assumed] = []
"""What was assumed so far; the same may come several times."""

_LONGER, _SHORTER = 2.0, 1.0
"""Times that stand for a measurement."""


def install(target: GpuTarget, chosen: Mapping[str, str]) -> None:
    """Assume what was chosen (`compiler.model.capture.gpu_assumptions`), and what torch would most likely find for the rest."""
    _install_attention(target, chosen.get(ATTENTION, ""))
    padding_choice.install(target, chosen.get(PADDING, ""), assumed.append)
    _install_winner(chosen.get(WINNER, ""))
    _install_fusions()


def _install_fusions() -> None:
    """With ``benchmark_fusion`` torch builds and times each fusion."""
    from torch._inductor import config
    from torch._inductor.scheduler import Scheduler

    asked = Scheduler.speedup_by_fusion

    def taken(scheduler: Any, node1: Any, node2: Any) -> Any:
        if not config.benchmark_fusion:
            return asked(scheduler, node1, node2)
        words = "benchmark_fusion times each fusion on the GPU; all are taken, as without that option."
        assumed.append(Assumed(FUSION, words))
        with config.patch(benchmark_fusion=False):
            return asked(scheduler, node1, node2)

    Scheduler.speedup_by_fusion = taken  # type: ignore[assignment]


def _install_winner(wanted: str) -> None:
    import torch._inductor.config as config
    import torch._inductor.select_algorithm as selecting

    cache: Any = selecting.AlgorithmSelectorCache

    def rank(choices: Sequence[Any]) -> dict[Any, float]:
        templates = [choice for choice in choices if isinstance(choice, selecting.TritonTemplateCaller)]
        libraries = [choice for choice in choices if choice not in templates]
        named = [choice for choice in choices if choice.name == wanted]
        usual = (libraries if wanted == "library" else []) or templates or list(choices)
        best = (named or usual)[0]
        assumed.append(
            Assumed(
                WINNER,
                f"max-autotune takes {best.name} of {len(choices)} candidates (torch times them on the GPU).",
                tuple((str(choice.name), str(getattr(choice, "description", ""))) for choice in choices),
            )
        )
        return {choice: _SHORTER if choice is best else _LONGER for choice in choices}

    cache.make_benchmark_fn = classmethod(lambda _cls, *_args, **_kwargs: rank)
    cache.make_precompile_fn = lambda _self, *_args, **_kwargs: dict
    # torch would print a table with the times that stand for a measurement
    cache.log_results = staticmethod(lambda *_args, **_kwargs: None)
    # renamed in 2.15, where the old name warns
    known = "benchmark_template_fusion" in config._config
    setattr(config, "benchmark_template_fusion" if known else "benchmark_epilogue_fusion", False)


def _install_attention(target: GpuTarget, wished: str) -> None:
    """Torch's own function stays, with its masks, paddings and groups; only what it asks CUDA for is answered here."""
    operator = torch.ops.aten.scaled_dot_product_attention.default
    keys = torch._C.DispatchKey
    chooser = Chooser(target, rules_of_this_torch())
    answer = install_answer()

    def attend(
        query: Any,
        key: Any,
        value: Any,
        attn_mask: Any = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Any:
        call = Attention(query, key, value, attn_mask, dropout_p, is_causal, enable_gqa)
        if query.device.type == "cuda":
            choice = chooser.choose(call)
            backend = wished if wished and chooser.takes(wished, call) else choice.backend
            assumed.append(Assumed(ATTENTION, _format_choice(wished, backend, choice)))
            answer.backend = BACKENDS[backend]
        return operator._op_dk(
            keys.CompositeImplicitAutograd, query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
        )  # fmt: skip

    for dispatched in (keys.CompositeImplicitAutograd, keys.Autograd, keys.AutogradCUDA):
        operator.py_kernels.pop(dispatched, None)
    operator.py_impl(keys.CompositeImplicitAutograd)(attend)
    operator.py_impl(keys.AutogradCUDA)(attend)
    implement({"scaled_dot_product_attention": attend}, "AutogradCUDA")  # C++ asks outside of graphs, too


def _format_choice(wished: str, backend: str, choice: Choice) -> str:
    if wished and backend != wished:
        return f"scaled_dot_product_attention runs on the {backend} backend, since {wished} does not take such inputs."
    if wished:
        return f"scaled_dot_product_attention runs on the {backend} backend, as you chose."
    why = "; ".join(f"{other} {reason}" for other, reason in choice.refused)
    return (
        f"scaled_dot_product_attention runs on the {backend} backend, by the rules of torch's CUDA code"
        f"{f' ({why})' if why else ''}."
    )
