"""A transformer encoder of twelve layers: its joint graph has about 2,300 nodes."""

import torch
from torch import nn


class DeepEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)

    def forward(self, x):
        return self.encoder(x)


def example_inputs():
    return (torch.randn(2, 8, 32),)
