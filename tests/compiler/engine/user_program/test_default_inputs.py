"""Inputs made up for programs that bring none."""

import torch
from torch import nn

from compiler.engine.user_program.default_inputs import guess_inputs


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x, times: int, *, mask, scale: float = 1.0, extra=None, **rest):
        return self.conv(x) * times * scale


def test_the_first_layer_and_the_annotations_say_what_is_taken() -> None:
    (x, times), keyword = guess_inputs(Scaled())
    assert x.shape == (8, 3, 32, 32)
    assert times == 2
    assert keyword.pop("mask").shape == (8, 3, 32, 32)
    assert keyword == {"scale": 1.0, "extra": None}


def test_a_function_gets_tensors() -> None:
    def add(a, b: "float"):
        return a + b

    (a, b), keyword = guess_inputs(add)
    assert isinstance(a, torch.Tensor)
    assert (b, keyword) == (1.0, {})
