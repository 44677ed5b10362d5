"""Models whose sizes are not aligned as people's are not: vocabularies of GPT-2 and BERT, tokens of a ViT, ten classes. In bfloat16 and of
two layers, else as published. Recorded on a GPU that does nothing else, since torch measures which products to pad.
"""

from typing import Any

import torch
from torch import nn

_HALF = "dtype=torch.bfloat16"
_PICTURES = f"torch.randn(32, 3, 224, 224, {_HALF})"
MODELS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "Gpt2Head": ("GPT2LMHeadModel", "torch.randint(0, 50000, (8, 1024))", {"n_layer": 2}),
    "BertHead": ("BertForMaskedLM", "torch.randint(0, 30000, (8, 512))", {"num_hidden_layers": 2}),
    "VitClasses": ("ViTForImageClassification", _PICTURES, {"num_hidden_layers": 2, "num_labels": 1000}),
    "VitEager": (
        "ViTForImageClassification", _PICTURES,
        {"num_hidden_layers": 2, "num_labels": 10, "attn_implementation": "eager"},
    ),
    "LlamaOdd": (
        "LlamaForCausalLM", "torch.randint(0, 32000, (4, 1023))",
        {"hidden_size": 1024, "intermediate_size": 2730, "num_attention_heads": 16, "num_hidden_layers": 2, "vocab_size": 32003},
    ),
}  # fmt: skip
"""Name → class of transformers, inputs, configuration."""
INPUTS = {name: inputs for name, (_, inputs, _) in MODELS.items()} | {
    "Digits": f"torch.randn(1000, 784, {_HALF})",
    "Series": f"torch.randn(64, 99, 77, {_HALF})",
}


class _Half(nn.Module):
    kind = ""
    settings: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        import transformers

        model = getattr(transformers, self.kind)
        config = model.config_class(**self.settings)
        config._attn_implementation = self.settings.get("attn_implementation", "sdpa")
        self.model = model(config).to(torch.bfloat16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        more = {} if x.is_floating_point() else {"use_cache": False} if self.kind != "BertForMaskedLM" else {}
        return self.model(x, **more).logits


for _name, (_kind, _, _settings) in MODELS.items():
    globals()[_name] = type(
        _name, (_Half,), {"kind": _kind, "settings": _settings, "__module__": __name__, "__doc__": _kind}
    )


class Digits(nn.Sequential):
    """Ten classes of pictures of 28 by 28."""

    def __init__(self) -> None:
        layers = (nn.Linear(784, 1201), nn.ReLU(), nn.Linear(1201, 333), nn.ReLU(), nn.Linear(333, 10))
        super().__init__(*(layer.to(torch.bfloat16) for layer in layers))


class Series(nn.Module):
    """Products of batches whose sizes are all odd."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key = (nn.Linear(77, 515, dtype=torch.bfloat16) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.query(x) @ self.key(x).transpose(1, 2), -1) @ x
