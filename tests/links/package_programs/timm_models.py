"""A small model of timm."""

import timm
import torch


class ResNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = timm.create_model("resnet10t", num_classes=10).eval()

    def forward(self, images):
        return self.model(images)


def example_inputs():
    return (torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(0)),)
