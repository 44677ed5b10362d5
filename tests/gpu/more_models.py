"""More models of transformers, small and with random weights: other attention, norms, experts, convolutions and positions than
`outside_models` has. Recorded on a real GPU, and cross-compiled where transformers is installed.
"""

from typing import Any

import torch
from torch import nn

_TOKENS = "torch.randint(0, 1000, (2, 64))"
_PICTURES = "torch.randn(2, 3, 32, 32)"
_SOUND = "torch.randn(2, 4000)"
_SMALL = {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512}
_WORDS = {**_SMALL, "vocab_size": 1000}
_GROUPED = {**_WORDS, "num_key_value_heads": 2}
_PIXELS = {"image_size": 32, "patch_size": 8}

MODELS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "DistilBert": ("DistilBertModel", _TOKENS, {"dim": 256, "n_layers": 2, "n_heads": 4, "hidden_dim": 512, "vocab_size": 1000}),
    "Electra": ("ElectraModel", _TOKENS, {**_WORDS, "embedding_size": 128}),
    "Albert": ("AlbertModel", _TOKENS, {**_WORDS, "embedding_size": 64}),
    "Deberta": ("DebertaV2Model", _TOKENS, {**_WORDS, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}),
    "ModernBert": ("ModernBertModel", _TOKENS, {**_WORDS, "pad_token_id": 0}),
    "Mistral": ("MistralModel", _TOKENS, {**_GROUPED, "sliding_window": 16}),
    "Gemma2": ("Gemma2Model", _TOKENS, {**_GROUPED, "head_dim": 64, "sliding_window": 16}),
    "Gemma3": ("Gemma3TextModel", _TOKENS, {**_GROUPED, "head_dim": 64, "sliding_window": 16}),
    "Phi3": ("Phi3Model", _TOKENS, {**_GROUPED, "pad_token_id": 0}),
    "Falcon": ("FalconModel", _TOKENS, {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 1000, "alibi": True}),
    "Bloom": ("BloomModel", _TOKENS, {"hidden_size": 256, "n_layer": 2, "n_head": 4, "vocab_size": 1000}),
    "GptNeoX": ("GPTNeoXModel", _TOKENS, _WORDS),
    "GptOss": ("GptOssModel", _TOKENS, {**_GROUPED, "head_dim": 64, "num_local_experts": 4, "sliding_window": 16}),
    "DeepseekV3": ("DeepseekV3Model", _TOKENS, {
        **_WORDS, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 2, "topk_group": 1, "kv_lora_rank": 64, "q_lora_rank": 64,
        "qk_rope_head_dim": 32, "qk_nope_head_dim": 32, "v_head_dim": 64, "moe_intermediate_size": 128, "first_k_dense_replace": 1,
    }),
    "Qwen3Moe": ("Qwen3MoeModel", _TOKENS, {**_GROUPED, "head_dim": 64, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 128}),
    "Olmo2": ("Olmo2Model", _TOKENS, _GROUPED),
    "Xlnet": ("XLNetModel", _TOKENS, {"vocab_size": 1000, "d_model": 256, "n_layer": 2, "n_head": 4, "d_inner": 512}),
    "Mamba2": ("Mamba2Model", _TOKENS, {"hidden_size": 128, "num_hidden_layers": 2, "state_size": 16, "num_heads": 8, "head_dim": 32, "n_groups": 1, "vocab_size": 1000}),
    "Rwkv": ("RwkvModel", _TOKENS, {"hidden_size": 128, "num_hidden_layers": 2, "attention_hidden_size": 128, "vocab_size": 1000, "context_length": 64}),
    "Dinov2": ("Dinov2Model", _PICTURES, {**_SMALL, **_PIXELS}),
    "Swin": ("SwinModel", "torch.randn(2, 3, 64, 64)", {"image_size": 64, "patch_size": 4, "embed_dim": 32, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4}),
    "ConvNext": ("ConvNextModel", _PICTURES, {"hidden_sizes": [32, 64], "depths": [1, 1], "num_stages": 2}),
    "Segformer": ("SegformerModel", "torch.randn(2, 3, 64, 64)", {"num_encoder_blocks": 2, "depths": [1, 1], "sr_ratios": [4, 2], "hidden_sizes": [32, 64], "patch_sizes": [7, 3], "strides": [4, 2], "num_attention_heads": [1, 2], "mlp_ratios": [4, 4]}),
    "Resnet": ("ResNetModel", _PICTURES, {"embedding_size": 32, "hidden_sizes": [64, 128], "depths": [1, 1]}),
    "Wav2Vec2": ("Wav2Vec2Model", _SOUND, {**_SMALL, "conv_dim": [64, 64], "conv_kernel": [10, 3], "conv_stride": [5, 2], "apply_spec_augment": False}),
    "Siglip": ("SiglipVisionModel", _PICTURES, {**_SMALL, **_PIXELS}),
}  # fmt: skip
"""Name → class, inputs, configuration."""
HALF = ("Mistral", "Gemma3", "GptOss", "ModernBert", "Siglip", "DeepseekV3", "Swin", "GptNeoX")
"""Recorded in bfloat16 too."""
INPUTS = {name: inputs for name, (_, inputs, _) in MODELS.items()} | {
    f"{name}Half": MODELS[name][1] for name in HALF
}


class _Small(nn.Module):
    kind = ""
    settings: dict[str, Any] = {}  # noqa: RUF012
    dtype = torch.float32

    def __init__(self) -> None:
        super().__init__()
        import transformers

        model = getattr(transformers, self.kind)
        self.model = model(model.config_class(**self.settings)).to(self.dtype)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        more = {"use_cache": False} if getattr(self.model.config, "use_cache", False) else {}
        return self.model(x.to(self.dtype) if x.is_floating_point() else x, **more).last_hidden_state


for _name in INPUTS:
    _kind, _, _settings = MODELS[_name.removesuffix("Half")]
    _dtype = torch.bfloat16 if _name.endswith("Half") else torch.float32
    globals()[_name] = type(
        _name,
        (_Small,),
        {"kind": _kind, "settings": _settings, "dtype": _dtype, "__module__": __name__, "__doc__": _kind},
    )
