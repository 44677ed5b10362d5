"""``python -m tests.gpu.every_option record|compare FILE …``: options of torch.compile that change what Inductor writes for a GPU, each on
a few models of vit-pytorch (`every_model`). A kind is named as OPTION=VALUE@MODULE.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

from tests.gpu import record
from tests.gpu.every_model import Cases, main, parsed
from tests.gpu.kinds_of_packages import PackageModel

OPTIONS = (
    "aggressive_fusion=true", "allow_buffer_reuse=false", "b2b_gemm_pass=true", "benchmark_combo_kernel=true", "benchmark_epilogue_fusion=false",
    "benchmark_fusion=true", "combo_kernels=true", "comprehensive_padding=false", "constant_and_index_propagation=false",
    "conv_1x1_as_mm=true", "coordinate_descent_tuning=true", "cpp_wrapper=true", "debug_fusion=true", "dce=true", "emulate_precision_casts=true",
    "epilogue_fusion=false", "fallback_random=true", "force_layout_optimization=true", "force_same_precision=true", "fx_wrapper=false",
    "group_fusion=true", "inplace_buffers=false", "inplace_padding=false", "keep_output_stride=false", "layout_optimization=false",
    "loop_ordering_after_fusion=false", "max_autotune=true", "max_autotune_pointwise=true", "max_fusion_size=4", "max_pointwise_cat_inputs=2",
    "memory_planning=true", "nan_asserts=true", "pattern_matcher=false", "permute_fusion=true", "pick_loop_orders=false", "prologue_fusion=false",
    "realize_opcount_threshold=3", "reorder_for_locality=false", "reorder_for_peak_memory=false", "scalar_asserts=false", "shape_padding=false",
    "size_asserts=false", "split_cat_fx_passes=false", "split_reductions=false", "triton.autotune_pointwise=false", "triton.cooperative_reductions=true",
    "triton.dense_indexing=true", "triton.descriptive_names=torch", "triton.divisible_by_16=false", "triton.max_tiles=3", "triton.multi_kernel=1",
    "triton.persistent_reductions=false", "triton.prefer_nd_tiling=true", "triton.tile_reductions=true", "triton.unique_kernel_names=false",
    "triton.use_block_ptr=true", "unroll_reductions_threshold=1", "use_mixed_mm=false", "warn_mix_layout=true",
)  # fmt: skip
MODELS = ("cvt", "mobile_vit", "simple_vit")


def kinds() -> Iterable[str]:
    """Every option on every model."""
    return [f"{option}@{model}" for option in OPTIONS for model in MODELS]


class OptionModel(PackageModel):
    """The model of a kind, of which its option is none of its business."""

    def __init__(self, kind: str, half: bool = False):
        super().__init__(f"vit-pytorch/{kind.partition('@')[2]}", half)


def _option(kind: str) -> dict[str, Any]:
    name, _, value = kind.partition("@")[0].partition("=")
    try:
        return {name: json.loads(value)}
    except ValueError:
        return {name: value}


class _Cases(Cases):
    def _compiled(self, key: str) -> dict[str, Any]:
        record.OPTIONS = _option(parsed(key)[0])
        return super()._compiled(key)

    def written(self, key: str, found: Any = None) -> Any:
        """With its option."""
        return super().written(key, found)._replace(options=tuple(_option(parsed(key)[0]).items()))


if __name__ == "__main__":
    sys.exit(main("tests.gpu.every_option", _Cases(OptionModel, ("vit_pytorch",)), kinds))
