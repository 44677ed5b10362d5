"""Optimizers that ask how many steps they did are answered, where the count is a fake.

GIVES: steps of torch.optim's Adam family on fakes.
NEEDS: ``_get_value`` among the names of ``torch.optim.adam`` (for whichever of them this torch has).
"""

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import torch

GIVES = "steps of optimizers without values"
NEEDS = ("torch.optim.adam:_get_value",)
_MODULES = ("adam", "adamw", "sgd")


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """While this is entered, the count is 1."""
    kept: list[tuple[Any, Any]] = []
    for name in _MODULES:
        module = importlib.import_module(f"torch.optim.{name}")
        original = vars(module).get("_get_value")
        if original is not None:
            kept.append((module, original))
            module._get_value = _answering(original)
    try:
        yield
    finally:
        for module, original in kept:
            module._get_value = original


def _answering(original: Any) -> Any:
    return lambda value: 1.0 if isinstance(value, torch.Tensor) else original(value)
