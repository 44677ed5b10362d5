"""Marks for nodes that AOTAutograd makes without metadata, where it is certain what they are of.

* The gradient of an in-place operation. Torch joins backward to forward by the number of the autograd node, but while
  an in-place operation is made functional another number is drawn before its node is traced: the gradient bears a number
  that no forward node has, and the next is the in-place operation's.
* The sum of the gradients of a tensor that is used more than once: it bears the number of whatever ran last, which is one of the
  uses. It is of what the node that takes it is of, which made the tensor (nothing did an input), and of the uses that it adds.
* The ``copy_`` at the end that writes a changed input back: it is of whatever computed the new value.
"""

from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.fx.graph_import import MARK, marks_of

GIVES = "sources of in-place gradients and written-back inputs"
NEEDS = ("torch.fx.traceback:get_current_meta",)
_BACKWARD = "autograd_backward"


def add_missing_marks(graph: Any, is_in_place: Callable[[str], bool]) -> None:
    """Mark nodes of a graph that bear no mark. `is_in_place`: whether a mark is of an operation that writes in place."""
    forward: dict[int, set[str]] = {}
    backward: dict[int, list[Any]] = {}
    is_noted = any(_BACKWARD in node.meta for node in graph.nodes)
    for node in graph.nodes:
        number = node.meta.get("seq_nr")
        if number is None or node.meta.get("is_gradient_acc"):
            continue
        # torch 2.11 does not note it, but when AOTAutograd traced the node
        if node.meta.get(_BACKWARD) if is_noted else node.meta.get("partitioner_tag") == "is_backward":
            backward.setdefault(number, []).append(node)
        else:
            forward.setdefault(number, set()).update(marks_of(node))
    for number, nodes in backward.items():
        marks = forward.get(number + 1, set())
        sole = number not in forward and number + 1 not in backward
        if sole and len(marks) == 1 and all(map(is_in_place, marks)):
            for node in nodes:
                _mark(node, marks)
    for node in graph.nodes:
        if node.target is torch.ops.aten.copy_.default and node.args[0].op == "placeholder":
            _mark(node, set(marks_of(node.args[1])))
    _mark_sums(graph)


def _mark_sums(graph: Any) -> None:
    taken: dict[Any, set[str]] = {}
    """What the tensor was made by whose gradient a sum, or a part of one, is."""
    uses: dict[Any, set[str]] = {}
    for node in reversed(graph.nodes):  # a sum of three is taken by a sum
        if node.meta.get("is_gradient_acc"):
            taken[node] = {mark for user in node.users for mark in taken.get(user, marks_of(user))}
            added = [used for used in node.all_input_nodes if not used.meta.get("is_gradient_acc")]
            uses[node] = {mark for used in added for mark in marks_of(used)}
    for node, marks in taken.items():
        _mark(node, marks | uses[node])


def _mark(node: Any, marks: set[str]) -> None:
    custom = node.meta.get("custom") or {}
    if marks and MARK not in custom:
        node.meta["custom"] = {**custom, MARK: sorted(marks)}
