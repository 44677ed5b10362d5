"""A target as a function of the tensors that it holds too: a module's, or those that a function finds by itself."""

import contextlib
import functools
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import torch

from compiler.engine.user_program.held_state.held_by_functions import Held, lone_tensors, modules_of


class FunctionalCall:
    """Calls a target with other tensors in place of those that it holds; by the names that ``tensors_of`` gives them."""

    def __init__(self, target: Any) -> None:
        self._around = around = FunctionAsModule(target)
        self._names: dict[str, str] = {}
        """Those in `_around` by those that the program gives."""
        self.parameters: dict[str, torch.Tensor] = {}
        self.buffers: dict[str, torch.Tensor] = {}
        for found, tensors in (
            (self.parameters, around.named_parameters()),
            (self.buffers, around.named_buffers()),
        ):
            for inner, tensor in tensors:
                name = around.name_of(inner)
                self._names[name] = inner
                found[name] = tensor

    def __call__(
        self, tensors: Mapping[str, torch.Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """What it gives for these; what is not named is as it is."""
        given = {self._names[name]: tensor for name, tensor in tensors.items()}
        return torch.func.functional_call(self._around, given, args, kwargs)


class FunctionAsModule(torch.nn.Module):
    """A target with its modules as parts, and the tensors that it holds in none of them as tensors of its own."""

    def __init__(
        self, target: Any, in_place: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    ) -> None:
        super().__init__()
        self._call, self._in_place = functools.partial(target), in_place  # a module would be a part by itself
        modules = modules_of(target)
        self._prefixes = [prefix for prefix, _ in modules]
        for at, (_, module) in enumerate(modules):
            self.add_module(str(at), module)
        self._alone: dict[str, Held] = {}
        for held in lone_tensors(target):
            self._alone[name := f"alone{len(self._alone)}"] = held
            if isinstance(held.value, torch.nn.Parameter):
                self.register_parameter(name, held.value)
            else:
                self.register_buffer(name, held.value)

    def name_of(self, inner: str) -> str:
        """The program's name of a tensor by the one here."""
        first, _, rest = inner.partition(".")
        return self._prefixes[int(first)] + rest if rest else self._alone[first].name

    def parts(self) -> list[tuple[str, torch.nn.Module]]:
        """(what stands before the program's names of its state, a module), one of them of what is in none."""
        rest = torch.nn.Module()
        for name, held in self._alone.items():  # set as they are: names with dots are refused otherwise
            tensors: dict[str, Any] = rest._parameters if name in self._parameters else rest._buffers  # noqa: SLF001
            tensors[held.name] = getattr(self, name)
        modules = zip(self._prefixes, self.children(), strict=True)
        return [*modules, ("", rest)]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """As the target."""
        with self._in_place():
            try:
                for name, held in self._alone.items():
                    held.put(getattr(self, name))
                return self._call(*args, **kwargs)
            finally:
                for held in self._alone.values():
                    held.put(held.value)
