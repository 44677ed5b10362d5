"""A generation loop with a static key-value cache, its forward compiled."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=100,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=2,
    max_position_embeddings=64,
)
model = LlamaForCausalLM(config).eval()
forward = torch.compile(model.forward)
ids = torch.randint(0, 100, (1, 6))
cache = StaticCache(config=config, max_cache_len=32)
with torch.no_grad():
    position = torch.arange(6)
    step, tokens = ids, []
    for _ in range(8):
        out = forward(input_ids=step, past_key_values=cache, cache_position=position, use_cache=True)
        step = out.logits[:, -1:].argmax(-1)
        tokens.append(step.item())
        position = position[-1:] + 1
print(tokens)
