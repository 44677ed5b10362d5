"""Values of small tensors that a program makes of numbers alone under fakes: they are what they would be with all other values, so
that ``linspace(0, 0.1, depth).tolist()`` is answered, and a buffer that says whether a codebook is filled.

GIVES: models that ask tensors for values while they are built, and their own flags while they run, without values.
NEEDS: ``torch.Tag.nondeterministic_seeded``, ``FakeTensor.constant``, ``torch.UntypedStorage._cdata``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch.utils import _pytree as pytree
from torch.utils.weak import WeakTensorKeyDictionary

_MOST = 4096
"""Numbers in a tensor; what is larger is a weight, not a setting."""
_CPU = torch.device("cpu")
_WITHOUT_VALUES = ("empty", "new_empty", "_empty", "resize", "set_")
_OF_ANY_SIZE = ("repeat_interleave", "bincount")
"""A few numbers may ask for more memory than there is."""


class KnownValues:
    """Real tensors by their fakes. Views are views of the real ones too, so that what is written to one is in all."""

    def __init__(self) -> None:
        self._real: Any = WeakTensorKeyDictionary()
        self._alike: dict[int, Any] = {}
        """Fakes that are known, by their storage; keys of a dictionary, since tensors compare by their values."""

    def of(self, tensor: Any) -> torch.Tensor | None:
        """The real one, if all of its values are known."""
        if not isinstance(tensor, FakeTensor):
            return tensor if tensor.numel() <= _MOST and tensor.device == _CPU else None
        if tensor.constant is not None:
            return tensor.constant
        storage, real = self._real.get(tensor, (None, None))
        return real if real is not None and storage == _storage(tensor) else None

    def forget(self, tensor: Any) -> None:
        """Nobody knows any more what is in its memory."""
        if isinstance(tensor, FakeTensor) and tensor.layout == torch.strided:
            tensor.constant = None
            for known in list(self._alike.pop(_storage(tensor), ())):
                self._real.pop(known, None)

    def real_result(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What an operation gives on real tensors, run on them; None where not all it is given is known, or it draws numbers."""
        given = pytree.tree_leaves((args, kwargs))
        if not _is_determined(func) or any(_is_symbol_or_device(value) for value in given):
            return None
        if any(isinstance(value, torch.Tensor) and self.of(value) is None for value in given):
            return None
        if not all(self._is_own(tensor) for tensor in _written(func, args, kwargs)):
            return None

        def real(value: Any) -> Any:
            return self.of(value) if isinstance(value, torch.Tensor) else value

        try:
            with torch.no_grad():
                return func(*pytree.tree_map(real, args), **pytree.tree_map(real, dict(kwargs)))
        except RuntimeError:  # an operator that this CPU has not for the type
            return None

    def saw(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """One operation on fakes: what it gave is known where all it was given is, and small."""
        made = pytree.tree_leaves(result)
        known = None
        if all(_is_small(value) for value in made):
            known = self.real_result(func, args, kwargs)
        if known is None:
            for tensor in filter(self._is_own, _written(func, args, kwargs)):
                self.forget(tensor)
            return
        for fake, real in zip(made, pytree.tree_leaves(known), strict=True):
            if isinstance(fake, FakeTensor):
                self.note(fake, real)

    def _is_own(self, tensor: Any) -> bool:
        """Whether it is noted here. What torch itself keeps as a constant, it has written to already."""
        return isinstance(tensor, FakeTensor) and tensor.constant is None

    def moved(self, fake: torch.Tensor, new: torch.Tensor) -> None:
        """The new one, still empty, is the other's copy."""
        real = self.of(fake)
        self.forget(new)  # torch takes what it finds in the new one for a constant, where the old one was one
        if real is not None:
            with unset_fake_temporarily():
                self.note(new, real.clone())

    def note(self, fake: torch.Tensor, real: torch.Tensor) -> None:
        """What is in a fake."""
        storage = _storage(fake)
        self._real[fake] = storage, real
        self._alike.setdefault(storage, WeakTensorKeyDictionary())[fake] = None


def _storage(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _is_symbol_or_device(value: Any) -> bool:
    """Whether a number is a symbol, or the operation says itself which device it makes something on."""
    return isinstance(value, torch.SymInt) or (isinstance(value, torch.device) and value != _CPU)


def _is_small(value: Any) -> bool:
    if not isinstance(value, torch.Tensor):
        return True
    return value.layout == torch.strided and isinstance(value.numel(), int) and value.numel() <= _MOST


def _is_determined(func: Any) -> bool:
    """Whether its result hangs on nothing but what it is given."""
    if not isinstance(func, torch._ops.OpOverload) or func.namespace != "aten":
        return False
    name = func._schema.name.partition("::")[2]
    return torch.Tag.nondeterministic_seeded not in func.tags and not name.startswith(
        (*_WITHOUT_VALUES, *_OF_ANY_SIZE)
    )


def _written(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """The arguments that an operation writes to."""
    if not func._schema.is_mutable:
        return []
    rows = [
        args[place] if place < len(args) else kwargs.get(argument.name)
        for place, argument in enumerate(func._schema.arguments)
        if argument.alias_info is not None and argument.alias_info.is_write
    ]
    return pytree.tree_leaves(rows)
