"""DDP's buckets where no values are: as they are made, and made again before the second step, in the order gradients came.

Torch's reducer begins with all gradients in one bucket. Before the second step it makes buckets of the order in which they
came, the first of 1 MiB and the others of 25, and has rank 0 tell the others its order: by values, which fakes have none of.
Here another reducer of torch's takes the place of the first, with the buckets that torch's own function makes of that order.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch

from compiler.engine.torch_internals.patch.patching import around

GIVES = "DDP's buckets without values"
NEEDS = (
    "torch.distributed:Reducer",
    "torch.distributed:_compute_bucket_assignment_by_size",
    "torch.distributed:_register_comm_hook",
)
_PARAMETERS, _BUCKETS, _LIMITS, _SPARSE, _CAP, _FIRST_CAP = 0, 1, 2, 4, 5, 9
"""Arguments of torch's Reducer, 2.11 to 2.15."""


@contextlib.contextmanager
def noting_arguments() -> Iterator[list[tuple[Any, ...]]]:
    """What reducers are made from meanwhile."""
    made: list[tuple[Any, ...]] = []

    def reducer(*args: Any, original: Any) -> Any:
        made.append(args)
        return original(*args)

    with around(NEEDS[0], reducer):
        yield made


class Buckets:
    """Stands for DDP's reducer."""

    def __init__(
        self, reducer: Any, arguments: tuple[Any, ...], state: object, hook: Callable[[Any, Any], Any]
    ) -> None:
        """`arguments` are those that the reducer was made from; `hook` reduces a bucket, and is given `state`."""
        self._reducer, self._arguments = reducer, arguments
        self._state, self._hook = state, hook
        self._came: list[int] = []
        self._listening = list(self._listen(arguments[_PARAMETERS]))

    def _listen(self, parameters: list[torch.Tensor]) -> Iterator[Any]:
        """Note the order of gradients where the reducer itself does: on the nodes that accumulate them, which it keeps alive."""
        for number, parameter in enumerate(parameters):
            with torch.enable_grad():
                node: Any = parameter.expand_as(parameter).grad_fn
            accumulates = node.next_functions[0][0]
            yield accumulates.register_hook(lambda *_, number=number: self._came.append(number))

    def _rebuild_buckets(self) -> bool:
        """DDP asks before each forward, where Dynamo reads along, which cannot go into torch's own: it is done before that."""
        return False

    def rebuild(self) -> None:
        """Between the first step and the second; not where a gradient did not come, which torch's own would not take."""
        parameters = self._arguments[_PARAMETERS]
        if sorted(self._came) != list(range(len(parameters))):
            return
        for handle in self._listening:
            handle.remove()
        self._listening.clear()
        distributed: Any = torch.distributed
        arguments = list(self._arguments)
        buckets, limits = distributed._compute_bucket_assignment_by_size(
            [parameters[number] for number in self._came],
            [arguments[_FIRST_CAP], arguments[_CAP]],
            arguments[_SPARSE],
            self._came,
        )
        arguments[_BUCKETS], arguments[_LIMITS] = buckets, limits
        self._reducer._remove_autograd_hooks()
        self._reducer = distributed.Reducer(*arguments)
        distributed._register_comm_hook(self._reducer, self._state, self._hook)

    def prepare_for_forward(self) -> None:
        """It counts steps, to time some of them on the GPU; at none it times nothing."""

    def __getattr__(self, name: str) -> object:
        return getattr(self._reducer, name)
