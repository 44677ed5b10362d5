"""A tensor subclass like torchao's quantized ones: it holds others, and knows only the operators that its author thought of."""

import torch
from torch.utils._python_dispatch import return_and_correct_aliasing

aten = torch.ops.aten


class Boxed(torch.Tensor):
    """Half of its numbers are kept, and doubled when it is used."""

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> "Boxed":
        return torch.Tensor._make_wrapper_subclass(cls, held.shape, dtype=held.dtype, device=held.device)

    def __init__(self, held: torch.Tensor) -> None:
        self.held = held

    def __tensor_flatten__(self):
        return ["held"], None

    @classmethod
    def __tensor_unflatten__(cls, inner, kept, size, stride):
        return cls(inner["held"])

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.nn.functional.linear:
            given, weight, *bias = args
            return func(given, weight.held * 2, *bias)
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func in (aten.detach.default, aten.clone.default, aten.alias.default):
            return return_and_correct_aliasing(func, args, kwargs or {}, cls(func(args[0].held)))
        raise NotImplementedError(f"Boxed knows no {func}")


class Linear(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        made = torch.nn.Linear(4, 4)
        made.weight = torch.nn.Parameter(Boxed(made.weight.detach() / 2), requires_grad=False)
        self.made = made

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.made(x).relu()


def example_inputs():
    return (torch.ones(2, 4),)
