"""Rounding explains small differences where little is left of large numbers, and nothing else."""

import pytest
import torch

from compiler.engine.accuracy.rounding_bounds import noise_explains, rounding_explains
from compiler.engine.rng.rounding_noise import numbered, rounding_noise, unit_of

pytestmark = pytest.mark.engine


def little_left(x: torch.Tensor) -> torch.Tensor:
    return (x + 1e4) - x.roll(1) - 1e4


def test_a_sum_in_another_order_is_rounding():
    x = torch.rand(64) + 1
    other = (x + 1e4) - (x.roll(1) + 1e4)
    assert "rounding" in rounding_explains(other, little_left(x), little_left(x.double()))


def test_another_branch_is_not():
    x = torch.rand(64) + 1
    assert not rounding_explains(little_left(x) * 2, little_left(x), little_left(x.double()))
    assert not rounding_explains(little_left(x)[:3], little_left(x), little_left(x.double()))


def normalised(x: torch.Tensor) -> torch.Tensor:
    """Of equal numbers nothing is left but rounding, made large; eager may be exact by luck."""
    y = x * 3.0
    return (y - y.mean()) / 1e-6


def noisy(x: torch.Tensor) -> list[torch.Tensor]:
    found = []
    for number in range(3):
        with rounding_noise(unit_of(x), numbered(number)):
            found.append(normalised(x.double()))
    return found


def test_what_rounding_makes_of_nothing_is_rounding_also_where_eager_is_exact():
    x = torch.ones(64)
    eager, wide = normalised(x), normalised(x.double())
    assert torch.equal(eager.double(), wide)
    lucky = eager + 0.2
    assert not rounding_explains(lucky, eager, wide)
    assert "rounding alone takes float64 " in noise_explains(lucky, wide, noisy(x))
    assert not noise_explains(eager + 30, wide, noisy(x))


def test_noise_leaves_what_is_not_rounded_alone():
    """Swin's shifted windows: a float for each region, compared after copies and a difference."""
    numbers = torch.arange(8).repeat(2).view(4, 4)
    given = torch.randn(4, 4).double()  # what float32 holds
    with rounding_noise(unit_of(torch.ones(1)), numbered(0)):
        regions = torch.ops.prims.convert_element_type(numbers, torch.float64)
        windows = torch.cat((regions, regions)).t().clone()
        difference = windows.unsqueeze(1) - windows.unsqueeze(2)
        mask = torch.zeros(4, 8, 8).double().masked_fill(difference != 0, -100.0)
        assert torch.equal(given.clone(), given)
        assert not torch.equal(given * 1.1, given.detach() * 1.1 + 0)  # rounded: moved, each time otherwise
        assert not torch.equal((given * given).double(), given.square())
        assert not torch.equal(torch.ones(3).double().mean(), torch.tensor(1.0).double())  # by luck
    assert int((mask == 0).sum()) == 4 * 2 * 4**2  # two regions to a window
    assert set(mask.unique().tolist()) == {-100.0, 0.0}


def test_noise_leaves_random_numbers_zeros_and_whole_numbers_alone():
    def draws() -> torch.Tensor:
        torch.manual_seed(3)
        return torch.rand(4, dtype=torch.float64)

    plain = draws()
    with rounding_noise(1e-7, numbered(0)):
        assert torch.allclose(draws(), plain, rtol=1e-6)
        assert torch.equal(torch.zeros(3) * 2, torch.zeros(3))
        assert torch.equal(torch.arange(3) + 1, torch.tensor([1, 2, 3]))
    assert unit_of((1, torch.arange(2))) == 0
