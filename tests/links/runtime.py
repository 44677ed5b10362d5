"""What stands in the place of operations while links are measured: a recorder of what they make, and an opaque operator.

The operator gives a tensor of the same size, strides and dtype, and has a backward of the same shapes, so that nothing
around it need change.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import torch


@dataclasses.dataclass
class Made:
    """What a site made when the program ran eagerly."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    requires_grad: bool


RECORDED: dict[int, list[Made]] = {}
"""Site → one for each tensor it made."""
UNFIT: set[int] = set()
"""Sites that make no tensor, that make different ones each time, or that are functions of the user's."""


MODULES: set[int] = set()
"""Sites that call a module of torch's."""


def forget() -> None:
    """Before another program is recorded."""
    RECORDED.clear()
    UNFIT.clear()
    MODULES.clear()


def _note(site: int, value: Any) -> None:
    values = list(value) if isinstance(value, tuple | list) else [value]
    if not values or not all(isinstance(item, torch.Tensor) for item in values):
        UNFIT.add(site)
        return
    made = [Made(tuple(item.size()), item.stride(), item.dtype, item.requires_grad) for item in values]
    if isinstance(value, torch.Tensor):
        made = made[:1]
    elif not isinstance(value, tuple):
        UNFIT.add(site)
    if RECORDED.setdefault(site, made) != made:
        UNFIT.add(site)


def _is_users(function: Any) -> bool:
    """A function or module whose inside has sites of its own."""
    target = (
        type(function) if isinstance(function, torch.nn.Module) else getattr(function, "__func__", function)
    )
    module = getattr(target, "__module__", None) or ""
    if isinstance(function, torch.nn.Module):
        return not module.startswith("torch.nn.modules") or module.endswith(".container")
    return hasattr(target, "__code__") and not module.startswith("torch")


def links_record(site: int, value: Any, function: Any = None) -> Any:
    """Write down what a site made, and give it."""
    if _is_users(function):
        UNFIT.add(site)
    elif isinstance(function, torch.nn.Module):
        MODULES.add(site)
    _note(site, value)
    return value


def links_record_unpacking(site: int, value: Any) -> Any:
    """Write down what unpacking a tensor makes."""
    if not isinstance(value, torch.Tensor):
        UNFIT.add(site)
        return value
    parts = tuple(value)
    _note(site, parts)
    return parts


TURNED = [False]
"""Whether the gradients that the operator gives lie in memory the other way round. What only copies a gradient because
of how it lies (a ``clone`` before a ``view``) is there with one of the two.
"""


def _like(item: torch.Tensor, turned: bool) -> torch.Tensor:
    if not turned:
        return torch.empty_like(item, memory_format=torch.contiguous_format)
    order = list(range(item.dim()))[::-1]
    return torch.empty([item.size(i) for i in order], dtype=item.dtype).permute(order)


@torch.library.custom_op("torch_loupe_links::probe", mutates_args=())
def probe(
    inputs: Sequence[torch.Tensor], size: Sequence[int], stride: Sequence[int], dtype: torch.dtype
) -> torch.Tensor:
    """A tensor of that kind."""
    return torch.empty_strided(tuple(size), tuple(stride), dtype=dtype, device="cpu").zero_()


@probe.register_fake
def _(inputs: Any, size: Any, stride: Any, dtype: Any) -> torch.Tensor:
    return torch.empty_strided(tuple(size), tuple(stride), dtype=dtype, device="cpu")


@torch.library.custom_op("torch_loupe_links::probe_backward", mutates_args=())
def probe_backward(
    grad: torch.Tensor, inputs: Sequence[torch.Tensor], result: torch.Tensor, turned: bool
) -> list[torch.Tensor]:
    """Gradients of the inputs' shapes."""
    return [_like(item, turned).zero_() for item in inputs]


@probe_backward.register_fake
def _(grad: Any, inputs: Any, result: Any, turned: Any) -> Any:
    return [_like(item, turned) for item in inputs]


def _setup(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs[0], output)


def _backward(ctx: Any, grad: Any) -> Any:
    *inputs, result = ctx.saved_tensors
    wanted = [index for index, item in enumerate(inputs) if item.is_floating_point()]
    grads: list[Any] = [None] * len(inputs)
    made = probe_backward(grad, [inputs[i] for i in wanted], result, TURNED[0])
    for index, value in zip(wanted, made, strict=True):
        grads[index] = value
    return grads, None, None, None


probe.register_autograd(_backward, setup_context=_setup)


def _tensors(values: Sequence[Any]) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, torch.nn.Module) and not _is_users(value):
            found += [*value.parameters(), *value.buffers()]
        elif isinstance(value, tuple | list):
            found += _tensors(value)
    return found


def links_probe(site: int, *operands: Any) -> Any:
    """The operator in the place of a site."""
    inputs = _tensors(operands)
    made = [probe(inputs, list(item.size), list(item.stride), item.dtype) for item in RECORDED[site]]
    return made[0] if len(made) == 1 else tuple(made)


def links_probe_unpacking(site: int, value: Any) -> Any:
    """The operator in the place of each part of an unpacked tensor."""
    return tuple(probe([value], list(item.size), list(item.stride), item.dtype) for item in RECORDED[site])
