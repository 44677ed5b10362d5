"""Models of transformers with random weights, small: recorded on a real GPU, and cross-compiled where transformers is installed."""

import torch
from torch import nn

_TOKENS = "torch.randint(0, 1000, (2, 64))"
_PICTURES = "torch.randn(2, 3, 32, 32)"
INPUTS = {
    "Bert": _TOKENS, "Gpt2": _TOKENS, "Llama": _TOKENS, "LlamaHalf": _TOKENS, "Mixtral": _TOKENS, "T5": _TOKENS, "Opt": _TOKENS,
    "Roberta": _TOKENS, "Vit": _PICTURES, "Clip": _PICTURES, "Mamba": _TOKENS, "Qwen3": _TOKENS,
}  # fmt: skip
_SMALL = {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512}
_WORDS = {**_SMALL, "vocab_size": 1000}


class _Hf(nn.Module):
    keyword = "input_ids"
    cached = True

    def __init__(self) -> None:
        super().__init__()
        self.model = self.build()

    def build(self) -> nn.Module:
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(
            **{self.keyword: x}, **({} if self.cached else {"use_cache": False})
        ).last_hidden_state


class Bert(_Hf):
    def build(self) -> nn.Module:
        import transformers

        return transformers.BertModel(transformers.BertConfig(**_WORDS))


class Roberta(_Hf):
    def build(self) -> nn.Module:
        import transformers

        return transformers.RobertaModel(transformers.RobertaConfig(**_WORDS))


class Gpt2(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.GPT2Model(
            transformers.GPT2Config(n_embd=256, n_layer=2, n_head=4, vocab_size=1000)
        )


class Opt(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.OPTModel(transformers.OPTConfig(**_WORDS, ffn_dim=512, word_embed_proj_dim=256))


class Llama(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.LlamaModel(transformers.LlamaConfig(**_WORDS, num_key_value_heads=2))


class LlamaHalf(Llama):
    def build(self) -> nn.Module:
        return super().build().to(torch.bfloat16)


class Qwen3(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.Qwen3Model(transformers.Qwen3Config(**_WORDS, num_key_value_heads=2, head_dim=64))


class Mixtral(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.MixtralModel(
            transformers.MixtralConfig(**_WORDS, num_key_value_heads=2, num_local_experts=4)
        )


class T5(_Hf):
    def build(self) -> nn.Module:
        import transformers

        return transformers.T5EncoderModel(
            transformers.T5Config(d_model=256, d_kv=64, num_heads=4, num_layers=2, d_ff=512, vocab_size=1000)
        )


class Mamba(_Hf):
    cached = False

    def build(self) -> nn.Module:
        import transformers

        return transformers.MambaModel(
            transformers.MambaConfig(hidden_size=128, num_hidden_layers=2, state_size=8, vocab_size=1000)
        )


class Vit(_Hf):
    keyword = "pixel_values"

    def build(self) -> nn.Module:
        import transformers

        return transformers.ViTModel(transformers.ViTConfig(**_SMALL, image_size=32, patch_size=8))


class Clip(_Hf):
    keyword = "pixel_values"

    def build(self) -> nn.Module:
        import transformers

        return transformers.CLIPVisionModel(
            transformers.CLIPVisionConfig(**_SMALL, image_size=32, patch_size=8)
        )
