"""The backward of a graph that is run op by op, where autograd calls it: in the middle of a backward that also runs compiled code.

What is around the graph's operations (noise, the record of random numbers) is around these, node by node, and around no other: a
bias whose gradient cancels to nothing is moved by the roundings of the backward alone.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.rng.random_tape import Within

_OPEN: list[contextlib.ExitStack] = []
"""What is entered around a node that runs now."""
_ENTERED = "loupe_within"


@contextlib.contextmanager
def closing_backward() -> Iterator[None]:
    """Around a step, outside of any mode: what a node that raised left entered is left, not whenever it is collected."""
    known = len(_OPEN)
    try:
        yield
    finally:
        while len(_OPEN) > known:
            with contextlib.suppress(RuntimeError):  # autograd has put the thread's modes back by itself
                _OPEN.pop().close()


def within_backward(outputs: Any, inputs: Iterable[Any], within: Within) -> None:
    """Enter `within` around every node of autograd that leads from `outputs` to `inputs`, or to a leaf, when it is run; once around one
    that several calls lead to (autocast keeps a weight that it has cast): hooks of two calls would not leave in turn what they entered.
    """
    ends = {value.grad_fn for value in pytree.tree_leaves(list(inputs)) if isinstance(value, torch.Tensor)}
    for node in _between(outputs, ends):
        if not node.metadata.get(_ENTERED):
            node.metadata[_ENTERED] = True
            _enter_around(node, within)


def _between(outputs: Any, ends: set[Any]) -> Iterator[Any]:
    waiting: list[Any] = [
        value.grad_fn for value in pytree.tree_leaves(outputs) if isinstance(value, torch.Tensor)
    ]
    seen: set[Any] = {None, *ends}
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.name().endswith("AccumulateGrad"):  # of a leaf, which may be the program's own
            continue
        yield node
        waiting += [following for following, _ in node.next_functions]


def _enter_around(node: Any, within: Within) -> None:
    own: list[contextlib.ExitStack] = []

    def before(gradients: Any) -> None:
        own.append(contextlib.ExitStack())
        own[-1].enter_context(within())
        _OPEN.append(own[-1])

    def after(given: Any, gradients: Any) -> None:
        if own:
            _OPEN.remove(own[-1])
            own.pop().close()

    node.register_prehook(before)
    node.register_hook(after)
