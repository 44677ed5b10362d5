"""Hook: marks for nodes that AOTAutograd makes without metadata, where it is certain what they are of.

* The gradient of an in-place operation. Torch joins backward to forward by the number of the autograd node, but an in-place
  operation draws several while it is made functional (one before its node is traced, and one after it where it writes to a
  view), and the gradient may bear one that no forward node has: what draws each number is noted.
* The sum of the gradients of a tensor that is used more than once: it bears the number of whatever ran last, which is one of the
  uses. It is of what the node that takes it is of, which made the tensor (nothing did an input), and of the uses that it adds.
* The ``copy_`` at the end that writes a changed input back: it is of whatever computed the new value; that of ``tensor.data = value``
  is of the assignment too.
"""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from compiler.engine.fx.graph_import import MARK, marks_of, own_notes, read_stack
from compiler.engine.records.recorder import DynamoGraphRecord, Recorder
from compiler.engine.torch_internals.dispatcher.dispatcher import next_sequence
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import NodeId
from compiler.model.ir.tensor_types import TupleValue

GIVES = "sources of in-place gradients and written-back inputs"
NEEDS = ("torch.fx.traceback:set_current_meta",)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note which calls of a Dynamo graph draw which numbers of autograd nodes, whenever AOTAutograd runs the graph."""

    @contextlib.contextmanager
    def noting_numbers(node: Any, enter: Callable[[], Any]) -> Iterator[None]:
        dynamo_graph = recorder.dynamo_graph
        marks = marks_of(node) if dynamo_graph is not None else ()
        begin = next_sequence()
        with enter():
            yield
        if dynamo_graph is not None and marks:
            for number in range(begin, next_sequence()):
                # a call inside another, as in the body of an operator, ends first
                dynamo_graph.drawn_by.setdefault(number, marks)

    def running_node(node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        return noting_numbers(node, functools.partial(original, node, *args, **kwargs))

    with around(NEEDS[0], running_node):
        yield


def add_missing_marks(graph: Any, dynamo_graph: DynamoGraphRecord) -> None:
    """Mark nodes of a graph that bear no mark."""
    _mark_written(graph, dynamo_graph)
    for node in graph.nodes:
        if _is_written_back(node):
            _mark(node, set(marks_of(node.args[1])))
        elif str(node.target) == _DATA_SET:
            _mark(node, _setting(dynamo_graph.dynamo, set(marks_of(node.args[1]))))
    _mark_sums(graph, dynamo_graph.dynamo)


_DATA_SET = "aten.shallow_copy_data_.default"
"""What ``tensor.data = value`` is, torch 2.15."""


def _setting(dynamo: Graph, value: set[str]) -> set[str]:
    """Marks of the calls that set a tensor's data to what bears these marks, with them."""
    nodes = dynamo.by_id()
    setting = (node for node in dynamo.nodes if node.operation == "shallow_copy_data_")
    return value.union(
        *(node.origins for node in setting if not value.isdisjoint(nodes[node.inputs()[-1]].origins))
    )


def _mark_written(graph: Any, dynamo_graph: DynamoGraphRecord) -> None:
    known = {node.meta.get("seq_nr") for node in graph.nodes if marks_of(node)}
    for node in graph.nodes:
        number = node.meta.get("seq_nr")
        if number in known or node.meta.get("is_gradient_acc") or _is_written_back(node):
            continue
        marks = set(dynamo_graph.drawn_by.get(number, ()))
        # what draws a number again for a view of something that was written to is not what made the view
        if len(marks) == 1 and all(map(dynamo_graph.is_in_place, marks)):
            _mark(node, marks)


def _is_written_back(node: Any) -> bool:
    return node.target is torch.ops.aten.copy_.default and node.args[0].op == "placeholder"


def _mark_sums(graph: Any, dynamo: Graph) -> None:
    parts = [node for node in graph.nodes if node.meta.get("is_gradient_acc")]
    if not parts:
        return
    uses: dict[Any, set[str]] = {}
    for node in parts:
        uses[node] = {mark for used in node.all_input_nodes for mark in _added(node, used, uses)}
    taken: dict[Any, set[str]] = {}
    """What the tensor was made by whose gradient a sum, or a part of one, is."""
    for node in reversed(parts):  # a sum of three is taken by a sum
        taken[node] = {mark for user in node.users for mark in taken.get(user, marks_of(user))}
    stacks = {mark: node.stack for node in dynamo.nodes for mark in node.origins}
    users: dict[tuple[str, tuple[SourceLine, ...]], set[str]] = {}
    for node in parts:
        stack = read_stack(own_notes(node).stack)
        if all(stacks.get(mark) != stack for mark in uses[node]):
            users = users or _users_by_stack(dynamo)
            for maker in taken[node] or {_INPUT}:
                uses[node] |= users.get((maker, stack), set())
        _mark(node, taken[node] | uses[node])


_INPUT = ""
"""In the place of the mark of what made a tensor that is an input."""


def _users_by_stack(dynamo: Graph) -> dict[tuple[str, tuple[SourceLine, ...]], set[str]]:
    """(Mark of what made a tensor, stack of a use of it) → marks of such uses. A use like ``x + y`` hands its gradient on as it is, so
    that none of the nodes whose gradients are added bears its mark: torch's stack of the sum may be the only trace of it.
    """
    nodes = dynamo.by_id()
    found: dict[tuple[str, tuple[SourceLine, ...]], set[str]] = {}
    for node in dynamo.nodes:
        for name in node.inputs():
            for mark in _makers(nodes[name], nodes):
                found.setdefault((mark, node.stack), set()).update(node.origins)
    return found


def _makers(node: Node, nodes: Mapping[NodeId, Node]) -> tuple[str, ...]:
    """Marks of what made a tensor: one that is taken out of several was made with them."""
    if node.op == "placeholder":
        return (_INPUT,)
    whole = next((nodes[name] for name in node.inputs()), None) if node.operation == "getitem" else None
    return (
        node.origins
        if whole is None or not isinstance(whole.value, TupleValue)
        else (*node.origins, *whole.origins)
    )


def _added(node: Any, used: Any, uses: dict[Any, set[str]]) -> Iterable[str]:
    """Of what use the gradient is that a part of a sum takes. A sum that is added to another is of its own uses; of complex numbers
    gradients are read as real ones before they are added, and the sum is read as complex again: each is of what it reads.
    """
    if used not in uses:
        return marks_of(used)
    reads = len(node.all_input_nodes) == 1 or len(used.all_input_nodes) == 1
    return uses[used] if reads else ()


def _mark(node: Any, marks: set[str]) -> None:
    custom = node.meta.get("custom") or {}
    if marks and MARK not in custom:
        node.meta["custom"] = {**custom, MARK: sorted(marks)}
