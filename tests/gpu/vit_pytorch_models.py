"""The models of vit-pytorch: the last class of each of its modules, of sizes filled in by the names of what it must be given."""

import importlib
import inspect
import pkgutil
from typing import Any

import torch
from torch import nn

from tests.gpu.call_signatures import accepted, needed
from tests.gpu.diffusers_models import Called

_SIZES: dict[str, Any] = {
    "image_size": 64, "image_patch_size": 16, "patch_size": 16, "num_classes": 10, "dim": 128, "depth": 2, "heads": 4, "mlp_dim": 256,
    "cls_depth": 1, "frames": 4, "frame_patch_size": 2, "seq_len": 64, "spatial_depth": 1, "temporal_depth": 1, "max_tokens_per_depth": (12, 8),
    "freq_patch_size": 8, "num_residual_streams": 2, "num_slots": 8, "sm_dim": 64, "lg_dim": 128, "ndim": 2, "input_shape": (64, 64),
    "num_hierarchies": 2, "block_repeats": (1, 1), "reduction_factor": (8, 4, 2, 1), "mlp_mult": 2,
}  # fmt: skip
_OF_ONE: dict[str, dict[str, Any]] = {
    "cct": {"img_size": 64, "embedding_dim": 128, "num_layers": 2, "num_heads": 4, "mlp_ratio": 2.0, "num_classes": 10},
    "cct_3d": {"img_size": 32, "num_frames": 4, "embedding_dim": 128, "num_layers": 2, "num_heads": 4, "mlp_ratio": 2.0, "num_classes": 10},
    "levit": {"image_size": 224, "stages": 3, "dim": (64, 96, 128), "heads": (2, 3, 4)},
    "max_vit": {"dim": 64, "depth": (1, 1), "dim_head": 32},
    "max_vit_with_registers": {"dim": 64, "depth": (1, 1), "dim_head": 32},
    "cross_vit": {"sm_patch_size": 8, "cross_attn_depth": 1, "depth": 2}, "jumbo_vit": {"jumbo_cls_k": 2}, "looped_vit": {"image_size": 64, "patch_size": 16},
    "look_vit": {"highres_patch_size": 8}, "t2t": {"depth": 2, "heads": 4, "mlp_dim": 256},
    "twins_svt": {"s2_emb_dim": 64, "s3_emb_dim": 64, "s4_emb_dim": 64, "s3_depth": 1, "s4_depth": 1},
    "mobile_vit": {"image_size": (64, 64), "dims": (96, 120, 144), "channels": (16, 32, 48, 48, 64, 64, 80, 80, 96, 96, 384)},
    "nest": {"patch_size": 8}, "pit": {"depth": (1, 1), "patch_size": 8}, "scalable_vit": {"depth": (1, 1, 1, 1), "heads": (1, 2, 4, 4), "dim": 32},
    "sep_vit": {"depth": (1, 1), "heads": (2, 4), "dim": 32}, "simple_vit_1d": {"patch_size": 8}, "vit_1d": {"patch_size": 8},
}  # fmt: skip
_SIDES = {
    "max_vit": 224, "max_vit_with_registers": 224, "levit": 224, "crossformer": 224, "regionvit": 224, "cvt": 64, "twins_svt": 224,
    "scalable_vit": 256, "sep_vit": 224,
}  # fmt: skip
_AROUND_ANOTHER = (
    "accept_video_wrapper", "dino", "distill", "efficient", "es_vit", "extractor", "learnable_memory_vit", "lejepa", "levjepa", "levjepa_nd",
    "mae", "mp3", "mpp", "recorder", "simmim", "vaat", "vat", "vat_siglip", "na_vit", "na_vit_nested_tensor", "na_vit_nested_tensor_3d",
    "vit_nd_masking", "local_vit",
)  # fmt: skip
"""What takes another model, or pictures of several sizes; holds none; or cannot be called (local_vit)."""


def names() -> list[str]:
    """Its modules that hold a model of pictures, of videos or of series."""
    import vit_pytorch

    found = (module.name for module in pkgutil.iter_modules(vit_pytorch.__path__))
    return [name for name in found if name not in _AROUND_ANOTHER]


def built(name: str) -> Called:
    """With random weights, and two inputs."""
    module = importlib.import_module(f"vit_pytorch.{name}")
    models = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, nn.Module) and value.__module__ == module.__name__
    ]
    sizes = {key: _SIZES[key] for key in needed(models[-1]) if key in _SIZES}
    model = models[-1](**(sizes | _OF_ONE.get(name, {})))
    parameter = accepted(model)[0]
    side = 32 if name == "cct_3d" else _SIDES.get(name, 64)
    shape = {"series": (2, 3, 64), "video": (2, 3, 4, side, side)}.get(parameter, (2, 3, side, side))
    if name == "cct_3d":
        shape = (2, 3, 4, side, side)
    return Called(model, {parameter: torch.randn(shape, generator=torch.Generator().manual_seed(0))})
