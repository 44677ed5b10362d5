"""What a backend is given instead of the program's tensors when it compiles a graph of Dynamo's again."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
import torch.fx
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils.weak import TensorWeakRef


def _with_scalar(value: Any, mode: Any) -> Any:
    scalar = getattr(value, "item_memo", None)
    if scalar is None or mode is None or value.fake_mode is mode:
        return value
    again = mode.from_tensor(value)
    again.item_memo = scalar
    return again


def _make_autograd_nodes(values: Iterable[Any]) -> None:
    """Of a view that was written on while the graph was read autograd makes the node again when it is asked for; AOTAutograd asks
    under another fake mode than the view's, where that fails.
    """
    with unset_fake_temporarily():
        for value in values:
            if isinstance(value, torch.Tensor):
                _ = value.grad_fn


def wants_gradient(module: torch.fx.GraphModule) -> list[bool | None]:
    """Of each input, whether the tensor that the program gives wants a gradient. Dynamo's own fake of it may say otherwise: where the
    graph writes on the input what wants one, Dynamo wrote it there; where it gives the input other data (a module moved in the
    graph), torch keeps a copy that wants none.
    """
    found: list[bool | None] = []
    for node in module.graph.nodes:
        if node.op == "placeholder":
            given = getattr(node.meta.get("grapharg"), "_example", None)
            given = given() if isinstance(given, TensorWeakRef) else given
            found.append(given.requires_grad if isinstance(given, torch.Tensor) else None)
    return found


def _as_given(value: Any, wants_gradient: bool | None) -> Any:
    if wants_gradient is None or getattr(value, "requires_grad", wants_gradient) == wants_gradient:
        return value
    return value.detach().requires_grad_(wants_gradient)


def given_again(values: Sequence[Any], wanted: Sequence[bool | None], mode: Any) -> list[Any]:
    """Dynamo's fakes of a graph's inputs as the program gave them: wanting gradients where it did (`wants_gradient`), and in the
    fake mode of the backend where they hold what is known of a number.
    """
    _make_autograd_nodes(values)
    return [_with_scalar(_as_given(value, wants), mode) for value, wants in zip(values, wanted, strict=True)]
