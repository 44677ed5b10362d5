"""How far rounding takes what is computed from many numbers."""

import pytest
import torch

from compiler.engine.rng.rounding_noise import numbered, rounding_noise

EPS = torch.finfo(torch.float32).eps
TERMS = 10_000


def _in_sequence(name: str, values: torch.Tensor) -> torch.Tensor:
    """In float32, rounded at each partial result."""
    partial, found = values[0].clone(), [values[0].clone()]
    for value in values[1:]:
        partial = partial + value if name == "cumsum" else partial * value
        found.append(partial)
    return torch.stack(found)


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_what_a_scan_rounds_goes_on_to_all_that_follow(name: str) -> None:
    generator = torch.Generator().manual_seed(0)
    values = torch.rand(TERMS, generator=generator) if name == "cumsum" else torch.ones(TERMS)
    if name == "cumprod":
        values += 1e-3 * (torch.rand(TERMS, generator=generator) - 0.5)
    exact = getattr(values.double(), name)(0)
    with rounding_noise(EPS, numbered(1)):
        noisy = getattr(values.double(), name)(0)

    def off(found: torch.Tensor) -> float:
        return float(((found - exact) / exact).abs().max())

    once = EPS
    assert off(_in_sequence(name, values)) > 2 * once  # what one rounding of each result would not explain
    assert 0.5 * off(_in_sequence(name, values)) < off(noisy) < EPS * TERMS**0.5


def test_what_is_scanned_along_another_dimension_stays_apart() -> None:
    values = torch.ones(3, TERMS, dtype=torch.float64)
    with rounding_noise(EPS, numbered(1)):
        noisy = values.cumsum(0)
    assert float(((noisy - values.cumsum(0)) / values.cumsum(0)).abs().max()) < 8 * EPS
