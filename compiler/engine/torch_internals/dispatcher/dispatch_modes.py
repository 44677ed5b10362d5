"""Watching a program's operations, those in the bodies of higher-order operators too, and computing beside it meanwhile."""

import abc
import contextlib
from collections.abc import Iterator
from typing import Any

import torch
import torch.utils._python_dispatch as python_dispatch
from torch._ops import HigherOrderOperator
from torch.utils import _pytree as pytree

GIVES = "operations in the bodies of higher-order operators; gradients whose directions are not taken for numbers which the program drew"
NEEDS = (
    "torch.utils._python_dispatch:_disable_current_modes",
    "torch._ops:HigherOrderOperator",
)


class WatchingMode(python_dispatch.TorchDispatchMode):
    """A mode that is shown operators; of a higher-order one (``torch.cond``) those of the bodies that it runs. Torch runs none in a mode
    that does not say that it takes them.
    """

    supports_higher_order_operators = True

    # These two are torch's own, with the types that it leaves out.
    def __init_subclass__(cls) -> None:
        super().__init_subclass__()

    def __init__(self) -> None:
        super().__init__()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, HigherOrderOperator):
            args, kwargs = pytree.tree_map(self._watched, (args, kwargs or {}))
            return func(*args, **kwargs)
        return self.operator(func, args, kwargs or {})

    def _watched(self, value: Any) -> Any:
        if not callable(value) or isinstance(value, torch.Tensor):
            return value

        def body(*args: Any, **kwargs: Any) -> Any:
            with self:
                return value(*args, **kwargs)

        return body

    @abc.abstractmethod
    def operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What an operator gives; the mode is not entered meanwhile."""


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """While this is entered, no mode sees what is computed."""
    with python_dispatch._disable_current_modes():
        yield
