"""Tells a recorder which operations are called on DTensors: they reach fakes as operations on local tensors only.

Not while compiled code runs, whose calls torch refuses under a mode of dispatch.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from torch.distributed.tensor import DTensor
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from compiler.engine.torch_internals.simulated_step.step_recorder import StepRecorder


class DTensorCalls(TorchDispatchMode):
    """While entered, the recorder's `on_dtensors` is kept."""

    def __init__(self, recorder: StepRecorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Run the operation as it is."""
        named = dict(kwargs or {})
        outer = self._recorder.on_dtensors
        self._recorder.on_dtensors = outer or any(
            isinstance(leaf, DTensor) for leaf in pytree.tree_leaves((list(args), named))
        )
        try:
            return func(*args, **named)
        finally:
            self._recorder.on_dtensors = outer
