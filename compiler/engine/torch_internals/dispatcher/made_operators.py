"""Custom operators and submodules made from parts of graphs."""

from collections.abc import Callable
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree

GIVES = "custom operators made from parts of graphs"
NEEDS = ("torch.library:custom_op", "torch._C:_is_alias_of", "torch._C:_ForceDispatchKeyGuard")

_made: dict[str, Any] = {}
"""Operators by qualified name; an operator once registered stays, and its name says what it does."""


def register(name: str, module: torch.fx.GraphModule) -> None:
    """Make ``torch.ops.<name>`` call a module: tensors in, one tensor or several out, gradients included."""
    if name in _made:
        return
    count = sum(node.op == "placeholder" for node in module.graph.nodes)
    output = next(iter(reversed(module.graph.nodes))).args[0]
    several = len(output) if isinstance(output, tuple | list) else 0
    inputs = ", ".join(f"Tensor a{index}" for index in range(count))
    results = f"({', '.join(['Tensor'] * several)})" if several else "Tensor"
    run = _unaliased(module)
    operator = torch.library.custom_op(name, run, mutates_args=(), schema=f"({inputs}) -> {results}")
    operator.register_fake(run)
    gradient = _gradient_operator(f"{name}_backward", module)

    def setup(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs)

    def backward(ctx: Any, *gradients: Any) -> Any:
        flat = pytree.tree_leaves(gradients)
        found = gradient([one.contiguous() for one in flat], list(ctx.saved_tensors))
        given = tuple(
            one if value.is_floating_point() else None
            for one, value in zip(found, ctx.saved_tensors, strict=True)
        )
        return given if count != 1 else given[0]

    operator.register_autograd(backward, setup_context=setup)
    _made[name] = operator


def _unaliased(module: torch.fx.GraphModule) -> Callable[..., Any]:
    """The module, its results tensors of their own: an operator may give no view of what it takes."""

    def run(*inputs: torch.Tensor) -> Any:
        results = module(*inputs)
        seen: list[torch.Tensor] = list(inputs)

        def own(value: torch.Tensor) -> torch.Tensor:
            if any(torch._C._is_alias_of(value, other) for other in seen):
                value = value.clone()
            seen.append(value)
            return value

        return tuple(own(value) for value in results) if isinstance(results, tuple | list) else own(results)

    return run


def _differentiating() -> Any:
    """Inside an operator torch records no gradients; while this is entered it does."""
    hidden = torch._C._dispatch_tls_local_exclude_set()
    for key in ("AutogradFunctionality", "AutogradOther", "ADInplaceOrView"):
        hidden = hidden.remove(getattr(torch._C.DispatchKey, key))
    return torch._C._ForceDispatchKeyGuard(torch._C._dispatch_tls_local_include_set(), hidden)


def _gradient_operator(name: str, module: torch.fx.GraphModule) -> Any:
    """The vector-Jacobian product of a module as an operator of its own, made by running the module again."""

    def run(gradients: list[torch.Tensor], inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        with _differentiating(), torch.enable_grad():
            leaves = [value.detach().requires_grad_(value.is_floating_point()) for value in inputs]
            results = pytree.tree_leaves(module(*leaves))
            pairs = [
                (result, gradient)
                for result, gradient in zip(results, gradients, strict=True)
                if result.requires_grad
            ]
            wanted = [leaf for leaf in leaves if leaf.requires_grad]
            found = iter(
                torch.autograd.grad(
                    [result for result, _ in pairs], wanted, [one for _, one in pairs], allow_unused=True
                )
            )
        made = []
        for leaf in leaves:
            own = next(found) if leaf.requires_grad else None
            made.append(
                torch.zeros(leaf.shape, dtype=leaf.dtype, device=leaf.device)
                if own is None
                else own.contiguous().clone()
            )
        return made

    def fake(gradients: list[torch.Tensor], inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        return [torch.empty(value.shape, dtype=value.dtype, device=value.device) for value in inputs]

    operator = torch.library.custom_op(
        name, run, mutates_args=(), schema="(Tensor[] gradients, Tensor[] inputs) -> Tensor[]"
    )
    operator.register_fake(fake)
    return operator
