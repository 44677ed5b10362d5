"""What a target is once it is found: a callable with what it is called with."""

import contextlib
import dataclasses
import types
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch

from compiler.engine.user_program.held_state.held_by_functions import modules_of


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

    in_place: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    """Around a step of a copy of a function: what the function finds in globals is meanwhile the copy's."""

    @property
    def as_given(self) -> Callable[..., Any]:
        """As the program has it."""
        return self.callable if self.compiled is None else self.compiled

    @property
    def module(self) -> torch.nn.Module | None:
        """The callable, if it is a module."""
        return self.callable if isinstance(self.callable, torch.nn.Module) else None

    def modules(self) -> list[tuple[str, torch.nn.Module]]:
        """(what stands before the names of its state, a module): the callable itself, or what a function holds."""
        return modules_of(self.callable)

    def is_training(self) -> bool | None:
        """Whether any of its modules is in train mode; None where it has none."""
        modules = [module for _, module in self.modules()]
        return any(module.training for module in modules) if modules else None
