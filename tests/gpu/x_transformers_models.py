"""x-transformers with the options that its README shows one by one, and language models of its author's other packages (local-attention,
linformer, performer-pytorch, reformer-pytorch, routing-transformer, linear-attention-transformer, conformer, mlp-mixer-pytorch,
perceiver-pytorch), small.
"""

import importlib
from typing import Any

import torch

from tests.gpu.call_signatures import accepted
from tests.gpu.diffusers_models import Called

_LAYERS: dict[str, dict[str, Any]] = {
    "plain": {}, "flash": {"attn_flash": True}, "rotary": {"rotary_pos_emb": True, "attn_flash": True}, "alibi": {"alibi_pos_bias": True, "alibi_num_heads": 2},
    "alibi_flash": {"alibi_pos_bias": True, "attn_flash": True}, "rmsnorm_swiglu": {"use_rmsnorm": True, "ff_glu": True, "ff_swish": True},
    "one_kv_head": {"attn_one_kv_head": True}, "kv_heads": {"attn_kv_heads": 2, "attn_flash": True}, "talking_heads": {"attn_pre_talking_heads": True},
    "memory_kv": {"attn_num_mem_kv": 8}, "gate_residual": {"gate_residual": True}, "qk_norm": {"attn_qk_norm": True, "attn_qk_norm_dim_scale": True},
    "dynamic_bias": {"dynamic_pos_bias": True}, "relative_bias": {"rel_pos_bias": True}, "shift": {"shift_tokens": 1}, "sandwich": {"sandwich_norm": True},
    "macaron": {"macaron": True}, "topk": {"attn_sparse_topk": 8}, "relu_squared": {"ff_relu_squared": True},
    "on_attention": {"attn_on_attn": True}, "gate_values": {"attn_gate_values": True}, "xpos": {"rotary_pos_emb": True, "rotary_xpos": True},
    "no_bias_deep": {"ff_no_bias": True, "pre_norm_has_final_norm": False}, "hyper_connections": {"num_residual_streams": 4}, "softclamp": {"attn_softclamp_logits": True},
}  # fmt: skip
_TOKENS, _LENGTH, _DIM = 256, 128, 128
_OTHERS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "local_attention": ("local_attention", "LocalTransformer", {"num_tokens": _TOKENS, "dim": _DIM, "depth": 2, "max_seq_len": _LENGTH, "causal": True, "local_attn_window_size": 32}, "x"),
    "linformer": ("linformer", "LinformerLM", {"num_tokens": _TOKENS, "dim": _DIM, "seq_len": _LENGTH, "depth": 2, "heads": 4, "k": 32}, "x"),
    "performer": ("performer_pytorch", "PerformerLM", {"num_tokens": _TOKENS, "max_seq_len": _LENGTH, "dim": _DIM, "depth": 2, "heads": 4, "dim_head": 32}, "x"),
    "reformer": ("reformer_pytorch", "ReformerLM", {"num_tokens": _TOKENS, "dim": _DIM, "depth": 2, "max_seq_len": _LENGTH, "heads": 4, "bucket_size": 16, "causal": True}, "x"),
    "routing": ("routing_transformer", "RoutingTransformerLM", {"num_tokens": _TOKENS, "dim": _DIM, "depth": 2, "max_seq_len": _LENGTH, "heads": 4, "window_size": 32}, "x"),
    "linear_attention": ("linear_attention_transformer", "LinearAttentionTransformerLM", {"num_tokens": _TOKENS, "dim": _DIM, "depth": 2, "max_seq_len": _LENGTH, "heads": 4}, "x"),
    "conformer": ("conformer", "Conformer", {"dim": _DIM, "depth": 2, "heads": 4, "dim_head": 32}, "states"),
    "mixer": ("mlp_mixer_pytorch", "MLPMixer", {"image_size": 64, "channels": 3, "patch_size": 16, "dim": _DIM, "depth": 2, "num_classes": 10}, "picture"),
    "perceiver": ("perceiver_pytorch", "Perceiver", {"input_channels": 3, "input_axis": 2, "num_freq_bands": 6, "max_freq": 10.0, "depth": 2, "num_latents": 32, "latent_dim": _DIM, "num_classes": 10}, "last"),
}  # fmt: skip


def names() -> list[str]:
    """Decoders and encoders by option, the other wrappers, the other packages."""
    kinds = [f"{kind}_{name}" for name in _LAYERS for kind in ("decoder", "encoder")]
    kinds.remove("encoder_xpos")  # of causal attention only
    return [*kinds, "vit", "continuous", "encoder_decoder", *_OTHERS]


def built(name: str) -> Called:
    """With random weights, two rows of 128."""
    given = torch.Generator().manual_seed(0)
    tokens = torch.randint(0, _TOKENS, (2, _LENGTH), generator=given)
    if name in _OTHERS:
        module, cls, sizes, what = _OTHERS[name]
        model: Any = getattr(importlib.import_module(module), cls)(**sizes)
        inputs = {
            "x": tokens,
            "states": torch.randn(2, _LENGTH, _DIM, generator=given),
            "picture": torch.randn(2, 3, 64, 64, generator=given),
            "last": torch.randn(2, 32, 32, 3, generator=given),
        }
        return Called(model, {accepted(model)[0]: inputs[what]})
    return _of_x_transformers(name, tokens, given)


def _of_x_transformers(name: str, tokens: torch.Tensor, given: torch.Generator) -> Called:
    x: Any = importlib.import_module("x_transformers")

    sizes: dict[str, Any] = {"dim": _DIM, "depth": 2, "heads": 4, "attn_dim_head": 32}
    if name == "vit":
        vit = x.ViTransformerWrapper(
            image_size=64, patch_size=16, num_classes=10, attn_layers=x.Encoder(**sizes)
        )
        return Called(vit, {"img": torch.randn(2, 3, 64, 64, generator=given)})
    if name == "continuous":
        layers = x.Encoder(**sizes)
        net = x.ContinuousTransformerWrapper(dim_in=32, dim_out=16, max_seq_len=_LENGTH, attn_layers=layers)
        mask = torch.ones(2, _LENGTH, dtype=torch.bool)
        return Called(net, {"x": torch.randn(2, _LENGTH, 32, generator=given), "mask": mask})
    if name == "encoder_decoder":
        both: dict[str, Any] = {}
        for side in ("enc", "dec"):
            both |= {f"{side}_{key}": value for key, value in sizes.items() if key != "dim"}
            both |= {f"{side}_num_tokens": _TOKENS, f"{side}_max_seq_len": _LENGTH}
        target = torch.randint(0, _TOKENS, (2, 64), generator=given)
        return Called(x.XTransformer(dim=_DIM, **both), {"src": tokens, "tgt": target})
    kind, _, option = name.partition("_")
    layers = {"decoder": x.Decoder, "encoder": x.Encoder}[kind](**sizes, **_LAYERS[option])
    return Called(
        x.TransformerWrapper(num_tokens=_TOKENS, max_seq_len=_LENGTH, attn_layers=layers), {"x": tokens}
    )
