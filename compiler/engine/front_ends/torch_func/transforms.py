"""A program as a pure function of tensors, and the functions that torch.func makes of it."""

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.func import grad, jvp, vmap
from torch.utils import _pytree as pytree

from compiler.engine.user_program.held_state.functional_call import FunctionalCall
from compiler.engine.user_program.loading import Program

EXAMPLES = 3
"""How many examples a batch of vmap's has here."""

Function = Callable[..., Any]


@dataclasses.dataclass(frozen=True)
class Transformed:
    """One function made of the program, with arguments for it."""

    name: str
    """``vmap(f)``."""
    title: str
    function: Function
    arguments: tuple[Any, ...]


class PureProgram:
    """``f(weights, inputs)``: parameters and inputs are arguments; buffers are the module's own, and are not written."""

    def __init__(self, program: Program) -> None:
        self._pure = FunctionalCall(program.callable)
        self.weights = {name: value.detach() for name, value in self._pure.parameters.items()}
        self._buffers = {name: value.clone() for name, value in self._pure.buffers.items()}
        leaves, self._spec = pytree.tree_flatten((program.args, program.kwargs))
        self._leaves = leaves
        self.watch: Callable[[torch.Tensor], object] | None = None
        """Called with the first input as the program sees it, where somebody wants to look."""
        self._places = [index for index, value in enumerate(leaves) if isinstance(value, torch.Tensor)]
        self.inputs = [leaves[index].detach() for index in self._places]

    def __call__(self, weights: dict[str, torch.Tensor], inputs: list[torch.Tensor]) -> Any:
        """What the program gives for these."""
        leaves = list(self._leaves)
        if self.watch is not None and inputs:
            self.watch(inputs[0])
        for index, value in zip(self._places, inputs, strict=True):
            leaves[index] = value
        args, kwargs = pytree.tree_unflatten(leaves, self._spec)
        buffers = {name: value.clone() for name, value in self._buffers.items()}
        return self._pure({**weights, **buffers}, args, kwargs)

    def loss(self, weights: dict[str, torch.Tensor], inputs: list[torch.Tensor]) -> torch.Tensor:
        """The sum of everything it gives, since a gradient needs one number."""
        results = [value for value in pytree.tree_leaves(self(weights, inputs)) if _floats(value)]
        if not results:
            raise ValueError("the program gives no floating point tensor that a gradient could be taken of")
        return torch.stack([value.sum() for value in results]).sum() if len(results) > 1 else results[0].sum()

    def loss_of_first(
        self, first: torch.Tensor, weights: dict[str, torch.Tensor], inputs: list[torch.Tensor]
    ) -> Any:
        """The loss as a function of the first floating point input."""
        at = next(index for index, value in enumerate(inputs) if _floats(value))
        return self.loss(weights, [*inputs[:at], first, *inputs[at + 1 :]])

    def transformed(self) -> tuple[Transformed, ...]:
        """The program itself, and what torch.func makes of it."""
        batch = [torch.stack([value] * EXAMPLES) for value in self.inputs]
        twice = [torch.stack([value] * 2) for value in batch]
        gradient: Function = grad(self.loss) if self.weights else grad(self.loss_of_first)
        first = next((value for value in self.inputs if _floats(value)), None)
        single = (self.weights, self.inputs)
        made = [
            Transformed("f", "Program", self, single),
            Transformed("vmap(f)", "Batch", _many(self), (self.weights, batch)),
            Transformed("vmap(vmap(f))", "Batches", _many(_many(self)), (self.weights, twice)),
        ]
        if self.weights:
            made += [
                Transformed("grad(f)", "Gradient", gradient, single),
                Transformed("vmap(grad(f))", "Per example", _many(gradient), (self.weights, batch)),
            ]
        if first is not None:
            slope: Function = grad(self.loss_of_first)
            curved = grad(lambda *args: slope(*args).sum())
            made += [
                Transformed("grad(grad(f))", "Second", curved, (first, *single)),
                Transformed("jvp(f)", "Direction", self._along(first), (first, torch.ones_like(first))),
            ]
            if not self.weights:
                made.append(Transformed("grad(f)", "Gradient", slope, (first, *single)))
        return tuple(made)

    def agreement(self) -> float:
        """The largest difference between ``vmap(f)`` and a loop over the examples."""
        batch = [torch.stack([value] * EXAMPLES) for value in self.inputs]
        at_once = pytree.tree_leaves(_many(self)(self.weights, batch))
        looped = [
            pytree.tree_leaves(self(self.weights, [value[index] for value in batch]))
            for index in range(EXAMPLES)
        ]
        pairs = zip(at_once, zip(*looped, strict=True), strict=True)
        gaps = [(one - torch.stack(others)).abs().max().item() for one, others in pairs if _floats(one)]
        return max(gaps, default=0.0)

    def _along(self, first: torch.Tensor) -> Function:
        def along(value: torch.Tensor, direction: torch.Tensor) -> Any:
            return jvp(
                lambda given: self.loss_of_first(given, self.weights, self.inputs), (value,), (direction,)
            )

        return along


def _many(function: Function) -> Function:
    return vmap(function, in_dims=(None, 0), randomness="different")


def _floats(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()
