"""The backward of a program on lazy tensors: as pending as its forward, until somebody asks for a gradient's value."""

from collections.abc import Callable
from typing import Any

import msgspec
import torch
from torch.utils import _pytree as pytree

from compiler.engine.errors import problem_from
from compiler.engine.held_tensors import tensors_in
from compiler.engine.user_program.stepper import tangent
from compiler.model.ir.diagnostics import Problem, Severity


class LazyBackward:
    """Puts a backward behind a program. Where torch cannot run it on lazy tensors, that is reported once, and left out."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self.problem: Problem | None = None

    def stepped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, then the gradients of its results by parameters and arguments."""

        def step(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            if not self._wanted or self.problem is not None:
                return result
            return result, self._gradients(function, result, (args, kwargs))

        return step

    def _gradients(self, function: Callable[..., Any], result: Any, given: Any) -> Any:
        parameters = function.parameters() if isinstance(function, torch.nn.Module) else ()
        leaves = [
            value
            for value in (*parameters, *pytree.tree_leaves(given))
            if isinstance(value, torch.Tensor) and value.requires_grad
        ]
        ends = [(index, value) for index, value in enumerate(tensors_in(result)) if value.requires_grad]
        if not leaves or not ends:
            return ()
        directions = [tangent(index, value) for index, value in ends]
        try:
            return torch.autograd.grad([value for _, value in ends], leaves, directions, allow_unused=True)
        except Exception as error:  # noqa: BLE001  torch's kernels refuse lazy tensors in many ways; the forward stands
            what = "The backward does not run on lazy tensors"
            reported = problem_from(error, what, "The forward is shown without it.")
            self.problem = msgspec.structs.replace(reported, severity=Severity.WARNING)
            return ()
