"""Every kind of model that transformers builds from a configuration alone, made small: found by its own tables, so nobody here chose them."""

import functools
import os
import warnings
from typing import Any

import torch
from torch import nn

from tests.gpu.call_signatures import accepted

_LAYERS = (
    "num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", "decoder_layers", "num_encoder_layers",
    "num_decoder_layers", "num_blocks", "depth", "encoder_num_hidden_layers", "decoder_num_hidden_layers", "num_block_layers",
    "vision_layers", "text_layers", "num_transformer_layers",
)  # fmt: skip
_WIDTHS = (
    "hidden_size", "d_model", "n_embd", "dim", "embed_dim", "hidden_dim", "encoder_hidden_size", "decoder_hidden_size", "emb_dim",
    "width", "attention_hidden_size", "projection_dim", "d_embed",
)  # fmt: skip
_HEADS = (
    "num_attention_heads", "n_head", "n_heads", "encoder_attention_heads", "decoder_attention_heads", "num_heads", "attention_heads",
    "encoder_num_attention_heads", "decoder_num_attention_heads", "num_attn_heads",
)  # fmt: skip
_INNER = (
    "intermediate_size", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "d_ff", "n_inner", "d_inner", "ffn_hidden_size",
    "dim_feedforward", "moe_intermediate_size", "shared_expert_intermediate_size", "encoder_intermediate_size",
    "decoder_intermediate_size",
)  # fmt: skip
_SMALLER = {
    **dict.fromkeys(_LAYERS, 2), **dict.fromkeys(_WIDTHS, 128), **dict.fromkeys(_HEADS, 4), **dict.fromkeys(_INNER, 256),
    "vocab_size": 1000, "num_key_value_heads": 2, "num_kv_heads": 2, "head_dim": 32, "d_kv": 32, "num_experts": 4, "num_local_experts": 4,
    "n_routed_experts": 4, "moe_num_experts": 4, "num_experts_per_tok": 2, "moe_topk": 2, "moe_k": 2, "n_group": 1, "topk_group": 1,
    "kv_lora_rank": 32, "q_lora_rank": 32, "qk_rope_head_dim": 16, "qk_nope_head_dim": 16, "v_head_dim": 32,
    "first_k_dense_replace": 1, "image_size": 64, "patch_size": 8, "sliding_window": 16, "max_position_embeddings": 512,
    "n_positions": 512, "embedding_size": 64,
}  # fmt: skip
_DRAWN = ("layerdrop", "encoder_layerdrop", "decoder_layerdrop", "mask_time_prob", "mask_feature_prob")
"""What the program draws by Python or on the way: another graph each time."""
_TOO_LARGE = 60_000_000
_BOTH = (
    "clip", "siglip", "siglip2", "align", "altclip", "blip", "chinese_clip", "clipseg", "groupvit", "flava", "bridgetower", "vilt",
    "xclip", "metaclip_2", "owlvit", "owlv2",
)  # fmt: skip
"""Models that need a picture beside the words."""


def kinds() -> list[str]:
    """What can be built and is small enough, by name; weights are not made for asking."""
    found = []
    for kind in _tables()[0]:
        try:
            with torch.device("meta"):
                model, config = _built(kind)
            if _inputs(model, config) and sum(weight.numel() for weight in model.parameters()) < _TOO_LARGE:
                found.append(kind)
        except Exception:  # of its six hundred some want what this machine does not have
            continue
    return found


@functools.cache
def _tables() -> tuple[Any, Any]:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    warnings.simplefilter("ignore")
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    from transformers.models.auto.modeling_auto import MODEL_MAPPING

    return {
        kind: CONFIG_MAPPING[kind] for kind in CONFIG_MAPPING if CONFIG_MAPPING[kind] in MODEL_MAPPING
    }, MODEL_MAPPING


def _shrink(config: Any, depth: int = 0) -> Any:
    for name, value in list(vars(config).items()):
        if hasattr(value, "to_diff_dict") and depth < 3:
            _shrink(value, depth + 1)
        elif name in _DRAWN:
            setattr(config, name, 0.0)
        elif name == "image_size" and isinstance(value, list | tuple):
            setattr(config, name, (64,) * len(value))
        elif name in ("bos_token_id", "eos_token_id", "decoder_start_token_id", "pad_token_id"):
            if name == "pad_token_id" or (isinstance(value, int) and value >= 1000):
                setattr(config, name, 0 if name == "pad_token_id" else 1)
        elif name in _SMALLER and type(value) is int:
            setattr(config, name, _SMALLER[name])
        elif name in ("layer_types", "mlp_layer_types") and isinstance(value, list):
            setattr(config, name, (list(dict.fromkeys(value)) + value)[:2])
    return config


def _built(kind: str) -> tuple[Any, Any]:
    configurations, models = _tables()
    config = _shrink(configurations[kind]())
    config.use_cache = False
    made = models[configurations[kind]]
    return (made[0] if isinstance(made, tuple | list) else made)(config), config


def _inputs(model: Any, config: Any) -> dict[str, torch.Tensor]:
    names = accepted(model)
    seen = getattr(config, "vision_config", None) or config
    size = getattr(seen, "image_size", 64) or 64
    side = size if isinstance(size, int) else size[0]
    channels = getattr(seen, "num_channels", 3) or 3
    found: dict[str, torch.Tensor] = {}
    drawn = torch.Generator().manual_seed(0)
    if "input_ids" in names:
        found["input_ids"] = torch.randint(3, 900, (2, 32), generator=drawn, device="cpu")
    if "decoder_input_ids" in names:
        found["decoder_input_ids"] = torch.randint(3, 900, (2, 16), generator=drawn, device="cpu")
    if "pixel_values" in names and ("input_ids" not in names or config.model_type in _BOTH):
        found["pixel_values"] = torch.randn(2, channels, side, side, generator=drawn, device="cpu")
    if "input_values" in names:
        found["input_values"] = torch.randn(2, 4000, generator=drawn, device="cpu")
    if "input_features" in names and "input_ids" not in names:
        bins = getattr(config, "num_mel_bins", 80) or 80
        long = 2 * getattr(config, "max_source_positions", 64)
        shape = (2, bins, long) if config.model_type == "whisper" else (2, 128, bins)
        found["input_features"] = torch.randn(shape, generator=drawn, device="cpu")
    return found


class TransformersModel(nn.Module):
    """A model with random weights, called with tensors in the order of `example_inputs`."""

    def __init__(self, kind: str, half: bool = False):
        super().__init__()
        torch.manual_seed(0)
        self.model, config = _built(kind)
        if half:
            self.model.to(torch.bfloat16)
        inputs = _inputs(self.model, config)
        self.names = tuple(inputs)
        self.given = tuple(
            value.to(torch.bfloat16) if half and value.is_floating_point() else value
            for value in inputs.values()
        )

    def forward(self, *given: torch.Tensor) -> Any:
        """What the model gives, without the names."""
        return self.model(**dict(zip(self.names, given, strict=True))).to_tuple()
