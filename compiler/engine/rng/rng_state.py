"""The states of all generators that a program usually draws from: whether it drew is seen there, not guessed from results."""

import contextlib
import dataclasses
import random
import sys
from collections.abc import Iterator
from typing import Any

import torch


@dataclasses.dataclass(frozen=True)
class RandomState:
    """Torch's generators (CPU and CUDA), Python's and numpy's."""

    tensors: tuple[torch.Tensor, ...]
    python: Any
    numpy: Any

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RandomState)
            and len(self.tensors) == len(other.tensors)
            and all(torch.equal(one, two) for one, two in zip(self.tensors, other.tensors, strict=True))
            and (self.python, self.numpy) == (other.python, other.numpy)
        )

    __hash__ = None  # type: ignore[assignment]


def random_state() -> RandomState:
    """The states now."""
    cuda = torch.cuda.get_rng_state_all() if _cuda_is_used() else ()
    return RandomState((torch.get_rng_state(), *cuda), random.getstate(), _numpy_state())


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """All generators begin at `seed` meanwhile, and go on afterwards where they were."""
    before = random_state()
    numpy = sys.modules.get("numpy")
    torch.manual_seed(seed)
    random.seed(seed)
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
    try:
        yield
    finally:
        first, *devices = before.tensors
        torch.set_rng_state(first)
        if devices:
            torch.cuda.set_rng_state_all(devices)
        random.setstate(before.python)
        if numpy is not None and before.numpy is not None:
            name, keys, *rest = before.numpy
            numpy.random.set_state((name, numpy.array(keys, dtype=numpy.uint32), *rest))


def states_for(kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The states of the generators that an operation called with `kwargs` may draw from: its own, or the CPU's and this device's."""
    own = kwargs.get("generator")
    if own is not None:
        return [own.get_state()]
    cuda = [torch.cuda.get_rng_state()] if torch.cuda.is_available() and _cuda_is_used() else []
    return [torch.get_rng_state(), *cuda]


def put_back(states: list[torch.Tensor], kwargs: dict[str, Any]) -> None:
    """Give those generators these states again."""
    first, *others = states
    own = kwargs.get("generator")
    if own is not None:
        own.set_state(first)
        return
    torch.set_rng_state(first)
    for state in others:
        torch.cuda.set_rng_state(state)


def same_states(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    """Whether nothing was drawn between them."""
    return len(one) == len(other) and all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def _cuda_is_used() -> bool:
    used: bool = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    return used


def _numpy_state() -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    name, keys, *rest = numpy.random.get_state()
    return (name, tuple(keys.tolist()), *rest)
