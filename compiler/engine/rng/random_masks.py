"""What an operation that drew gives once more, in another precision, from the numbers that it drew."""

from typing import Any

import torch

VALUES = frozenset(
    {
        *(
            "rand",
            "randn",
            "rand_like",
            "randn_like",
            "randint",
            "randint_like",
            "randperm",
            "normal",
            "normal_",
        ),
        *(
            "bernoulli",
            "bernoulli_",
            "uniform",
            "uniform_",
            "exponential",
            "exponential_",
            "cauchy",
            "cauchy_",
        ),
        *("log_normal", "log_normal_", "geometric", "geometric_", "random", "random_", "poisson", "binomial"),
        *("multinomial", "_standard_gamma", "_sample_dirichlet", "normal_functional"),
    }
)
"""They give the numbers themselves."""
MASKED = frozenset(
    {
        "native_dropout",
        "_fused_dropout",
        "rrelu_with_noise",
        "rrelu_with_noise_",
        "rrelu_with_noise_functional",
    }
)
"""They give something computed with numbers, and the numbers beside it."""


def remade(
    name: str,
    args: tuple[Any, ...],
    taken: list[torch.Tensor],
    given: list[torch.Tensor],
    made: list[torch.Tensor],
) -> None:
    """Write into `made`, the results of the second run, what they are with the numbers of the first, which gave `given`.

    `taken` are the tensors that the operation was called with, as they were before.
    """
    if name not in MASKED:
        for result, drawn in zip(made, given, strict=True):
            result.copy_(drawn)
        return
    made[1].copy_(given[1])
    source, numbers = taken[0], given[1]
    if name == "native_dropout":
        share = float(args[1])
        scale = 0.0 if share == 1 else 1 / (1 - share)
        made[0].copy_(source * numbers.to(source.dtype) * scale)
    elif name == "_fused_dropout":
        made[0].copy_(source * numbers.to(source.dtype) / float(args[1]))
    else:
        made[0].copy_(source * numbers.to(source.dtype))
