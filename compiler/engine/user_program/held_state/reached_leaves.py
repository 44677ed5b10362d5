"""The leaves of autograd that a program's results lead to and no module of its target names: parameters of a module that a function
finds in its closure or in globals, tensors that an object keeps as they are.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from compiler.engine.user_program.held_state.held_by_functions import tensors_of


def leaves_behind(ends: Iterable[torch.Tensor], begun: int) -> Iterator[torch.Tensor]:
    """Each once, in the order that a walk meets them. Nodes of autograd from before `begun` are of another step: what lies behind them
    is not this program's, and going through them frees what the next step needs.
    """
    for node in functions_behind(ends, lambda node: node._sequence_nr() >= begun):  # noqa: SLF001  how old it is
        if (leaf := getattr(node, "variable", None)) is not None:
            yield leaf


def functions_behind(
    ends: Iterable[torch.Tensor], goes_on: Callable[[Any], bool] = lambda _: True
) -> Iterator[Any]:
    """Each node of autograd's graph once, but for those that `goes_on` refuses and what is behind these alone. Leaves are not asked."""
    waiting: list[Any] = [end.grad_fn for end in ends]
    seen = {None, *waiting}
    while waiting:
        node = waiting.pop()
        if node is None or not (hasattr(node, "variable") or goes_on(node)):
            continue
        yield node
        for following, _ in node.next_functions:
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def named_leaves(
    leaves: list[torch.Tensor], target: Any, otherwise: Callable[[], Callable[[torch.Tensor], str | None]]
) -> dict[str, torch.Tensor]:
    """By the names that the program holds them under: a function's own, else what `otherwise` gives; those made within the step have
    none and are left out.
    """
    of_functions = {id(held): name for name, held in tensors_of(target)}
    found = {of_functions[id(leaf)]: leaf for leaf in leaves if id(leaf) in of_functions}
    if len(found) < len(leaves):
        named = otherwise()
        found |= {
            name: leaf
            for leaf in leaves
            if id(leaf) not in of_functions and (name := named(leaf)) is not None
        }
    return found
