"""What a target is once it is found: a callable with what it is called with."""

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import torch


@dataclasses.dataclass
class Program:
    """A callable with the arguments it is called with."""

    kind: str
    callable: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    path: str
    namespace: types.ModuleType | None = None
    """The module that the target was found in."""
    compiled: Callable[..., Any] | None = None
    """What torch.compile made of the callable, where the program gave that in its stead."""
    goes_back_itself: bool = False
    """Whether its results can't be gone back from, since it does so itself (a training step): noted where a step finds out."""

    @property
    def as_given(self) -> Callable[..., Any]:
        """As the program has it."""
        return self.callable if self.compiled is None else self.compiled

    @property
    def module(self) -> torch.nn.Module | None:
        """The callable, if it is a module."""
        return self.callable if isinstance(self.callable, torch.nn.Module) else None
