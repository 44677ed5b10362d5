"""Two tensors hold the same numbers, what is no number included."""

import math

import pytest
import torch

from compiler.engine.equal_tensors import same_numbers

_NAN = math.nan


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([1.0, _NAN], [1.0, _NAN], True),
        ([1.0, _NAN], [1.0, 0.0], False),  # was reported the same
        ([1.0, math.inf], [1.0, torch.finfo(torch.float32).max], False),  # so was this
        ([0.0, 1.0], [-0.0, 1.0], True),
        ([1, 2], [1, 2], True),
        ([1, 2], [1, 3], False),
        ([1 + 1j], [complex(1, _NAN)], False),
        ([complex(1, _NAN)], [complex(1, _NAN)], True),
        ([True], [True], True),
        ([], [], True),
    ],
)
def test_same_numbers(one: list[complex], other: list[complex], same: bool) -> None:
    assert same_numbers(torch.tensor(one), torch.tensor(other)) is same


def test_another_shape_or_dtype_is_another_tensor() -> None:
    assert not same_numbers(torch.zeros(2), torch.zeros(1, 2))
    assert not same_numbers(torch.zeros(2), torch.zeros(2, dtype=torch.float64))
