"""Small models of transformers, random weights: their forward lives in an installed package, only the call is ours."""

import torch
import transformers

_IDS = torch.randint(0, 100, (2, 12), generator=torch.Generator().manual_seed(0))


class _Model(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model.eval()

    def forward(self, ids):
        return self.model(ids)[0]


class Bert(_Model):
    def __init__(self):
        config = transformers.BertConfig(
            vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
        )
        super().__init__(transformers.BertModel(config))


class Gpt2(_Model):
    def __init__(self):
        config = transformers.GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=2, use_cache=False)
        super().__init__(transformers.GPT2LMHeadModel(config))


class Llama(_Model):
    def __init__(self):
        config = transformers.LlamaConfig(
            vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
            num_key_value_heads=1, use_cache=False,
        )  # fmt: skip
        super().__init__(transformers.LlamaForCausalLM(config))


class Mixtral(_Model):
    def __init__(self):
        config = transformers.MixtralConfig(
            vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
            num_key_value_heads=1, num_local_experts=2, use_cache=False,
        )  # fmt: skip
        super().__init__(transformers.MixtralForCausalLM(config))


class Mamba(_Model):
    def __init__(self):
        config = transformers.MambaConfig(
            vocab_size=100, hidden_size=32, num_hidden_layers=2, state_size=4, use_cache=False
        )
        super().__init__(transformers.MambaForCausalLM(config))


class T5(_Model):
    def __init__(self):
        config = transformers.T5Config(
            vocab_size=100, d_model=32, num_layers=2, num_heads=2, d_ff=64, d_kv=16, use_cache=False
        )
        super().__init__(transformers.T5ForConditionalGeneration(config))

    def forward(self, ids):
        return self.model(input_ids=ids, decoder_input_ids=ids)[0]


class Vit(_Model):
    def __init__(self):
        config = transformers.ViTConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, image_size=32,
            patch_size=8,
        )  # fmt: skip
        super().__init__(transformers.ViTModel(config))

    def forward(self, ids):
        images = torch.ones(2, 3, 32, 32) * ids.sum()
        return self.model(images)[0]


def example_inputs():
    return (_IDS,)
