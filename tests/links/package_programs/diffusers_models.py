"""A small UNet of diffusers."""

import diffusers
import torch


class UNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = diffusers.UNet2DConditionModel(
            sample_size=16, in_channels=4, out_channels=4, block_out_channels=(16, 32), layers_per_block=1,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), cross_attention_dim=16, norm_num_groups=8,
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), attention_head_dim=4,
        ).eval()  # fmt: skip

    def forward(self, sample):
        steps = torch.zeros(sample.shape[0], dtype=torch.long)
        states = torch.ones(sample.shape[0], 5, 16)
        return self.model(sample, steps, encoder_hidden_states=states).sample


def example_inputs():
    return (torch.randn(1, 4, 16, 16, generator=torch.Generator().manual_seed(0)),)
