"""A denoising loop as pipelines of diffusers have it."""

import torch
from diffusers import DDIMScheduler, UNet2DModel

torch.manual_seed(0)
unet = torch.compile(
    UNet2DModel(
        sample_size=16,
        block_out_channels=(16, 32),
        norm_num_groups=8,
        layers_per_block=1,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    ).eval()
)
scheduler = DDIMScheduler()
scheduler.set_timesteps(4)
sample = torch.randn(1, 3, 16, 16)
with torch.no_grad():
    for moment in scheduler.timesteps:
        sample = scheduler.step(unet(sample, moment).sample, moment, sample).prev_sample
        print(int(moment), sample.abs().sum().item().hex(), flush=True)
