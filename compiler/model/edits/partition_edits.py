"""Edits of the partition: which tensors the forward keeps for the backward, and how much memory they may take.

A choice stands on the node it is about (`Node.chosen`), so that it is part of the joint graph: the budget on the output.
"""

from collections.abc import Iterable

import msgspec

from compiler.model.edits.graph_draft import AnyGraph
from compiler.model.edits.validation import EditError, find_node
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, StageId

SAVED, RECOMPUTED, BUDGET = "saved", "recomputed", "budget "


class ChooseSaved(msgspec.Struct, frozen=True, tag="choose_saved"):
    """Let the forward keep a tensor for the backward, let the backward compute it again, or leave it to torch."""

    stage: StageId
    """The joint graph."""
    node: NodeId
    saved: bool | None
    """None: as torch's partitioner decides."""


class ChooseMemoryBudget(msgspec.Struct, frozen=True, tag="choose_memory_budget"):
    """How much of the memory that torch would keep at most may be kept: from 0 (nothing but inputs) to 1."""

    stage: StageId
    budget: float | None
    """None: as torch is set (``torch._functorch.config.activation_memory_budget``)."""


PartitionEdit = ChooseSaved | ChooseMemoryBudget


def choose(graph: AnyGraph, edit: PartitionEdit) -> tuple[AnyGraph, PartitionEdit]:
    """The joint graph with the choice noted, and the choice that was there. Raises EditError."""
    if isinstance(edit, ChooseMemoryBudget):
        if edit.budget is not None and not 0 <= edit.budget <= 1:
            raise EditError(f"A memory budget lies between 0 and 1; {edit.budget:g} does not.")
        node = next((node for node in reversed(graph.nodes) if node.op == "output"), None)
        if node is None:
            raise EditError("This graph returns nothing.")
        text = "" if edit.budget is None else f"{BUDGET}{edit.budget:g}"
        before = float(node.chosen.removeprefix(BUDGET)) if node.chosen else None
        return _noted(graph, node, text), ChooseMemoryBudget(edit.stage, before)
    node = find_node(graph, edit.node)
    if node.op != "call_function":
        raise EditError(f"{node.id} computes nothing; inputs live anyway.")
    if node.id in graph.of_gradients:
        raise EditError(f"{node.id} comes from a gradient, so only the backward can compute it.")
    text = {True: SAVED, False: RECOMPUTED, None: ""}[edit.saved]
    known = {SAVED: True, RECOMPUTED: False}.get(node.chosen)
    return _noted(graph, node, text), ChooseSaved(edit.stage, node.id, known)


def _noted(graph: AnyGraph, node: Node, text: str) -> AnyGraph:
    if node.chosen == text:
        raise EditError("That is chosen already.")
    return graph.with_node(graph.index(node.id), msgspec.structs.replace(node, chosen=text))


def with_choices(graph: Graph, saved: dict[NodeId, bool], budget: float | None) -> Graph:
    """A graph as torch compiled it with the choices noted that it was partitioned by."""
    if not saved and budget is None:
        return graph
    return Graph(tuple(_with_choice(node, saved, budget) for node in graph.nodes))


def _with_choice(node: Node, saved: dict[NodeId, bool], budget: float | None) -> Node:
    if node.op == "output" and budget is not None:
        return msgspec.structs.replace(node, chosen=f"{BUDGET}{budget:g}")
    if node.id in saved:
        return msgspec.structs.replace(node, chosen=SAVED if saved[node.id] else RECOMPUTED)
    return node


def choices_of(edits: Iterable[PartitionEdit]) -> tuple[dict[NodeId, bool], float | None]:
    """What choices of one joint graph come to, in order: (node → whether saved, the budget)."""
    saved: dict[NodeId, bool] = {}
    budget: float | None = None
    for edit in edits:
        match edit:
            case ChooseMemoryBudget():
                budget = edit.budget
            case ChooseSaved(saved=None):
                saved.pop(edit.node, None)
            case ChooseSaved():
                saved[edit.node] = bool(edit.saved)
    return saved, budget


def describe_choice(edit: PartitionEdit) -> str:
    """One line for the history."""
    match edit:
        case ChooseSaved(saved=None):
            return f"Leave it to torch whether {edit.node} is saved"
        case ChooseSaved():
            return f"{'Save' if edit.saved else 'Recompute'} {edit.node}"
        case ChooseMemoryBudget(budget=None):
            return "Memory budget as torch is set"
        case ChooseMemoryBudget():
            return f"Memory budget {edit.budget:g}"
