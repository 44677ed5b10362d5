"""Real values as fakes, to try operations on without running them."""

from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.torch_internals.fake_gpu.fake_backend import fake_mode


def as_fakes(values: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A fake tensor mode, and the values with every tensor a fake of it."""
    mode = fake_mode(dynamic=False)

    def faked(value: Any) -> Any:
        return mode.from_tensor(value.detach()) if isinstance(value, torch.Tensor) else value

    return mode, pytree.tree_map(faked, values)
