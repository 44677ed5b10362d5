"""What the partitioner weighed and decided, read off the network whose minimum cut it took."""

import dataclasses
from collections.abc import Iterable
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.graph_import import tensor_bytes
from compiler.model.ir.stage import TensorDecision

LARGE = 1e6 * 1e6
"""Torch writes "never" as infinity or as a number as large as this."""


_OF_GRADIENTS = "must be computed in backward"


@dataclasses.dataclass
class Weighed:
    """One node in the network: torch's words on what is out of the question, and what saving it counts."""

    weight: float | None = None
    barred: str = ""
    must: str = ""


def read_network(network: Any) -> dict[str, Weighed]:
    """Every node of the joint graph that torch put into the network."""
    found: dict[str, Weighed] = {}
    for start, end, data in network.edges(data=True):
        reason = str(data.get("reason") or "")
        if start == "source":
            found.setdefault(_node(end), Weighed()).barred = reason
        elif end == "sink":
            found.setdefault(_node(start), Weighed()).must = reason
        elif start.endswith("_in") and end.endswith("_out") and _node(start) == _node(end):
            row = found.setdefault(_node(start), Weighed())
            capacity = float(data.get("capacity", 0.0))
            row.weight = capacity if capacity < LARGE else None
            row.barred = row.barred or reason
    return found


def _node(name: str) -> str:
    return name.removesuffix("_in").removesuffix("_out")


def decisions(
    graph: torch.fx.Graph, weighed: dict[str, Weighed], saved: set[str], forward: set[str], backward: set[str]
) -> tuple[TensorDecision, ...]:
    """What became of every result that needs no gradient, in order; `forward` and `backward` are the nodes of the halves,
    `saved` what the backward is handed.
    """
    rows = []
    first: dict[Any, str] = {}
    for node in graph.nodes:
        storage = storage_of(node)
        base = first.setdefault(storage, node.name) if storage is not None else node.name
        facts = weighed.get(node.name, Weighed())
        fate = _fate(node, facts, saved, forward, backward)
        if fate:
            value = node.meta.get("val")
            size = tensor_bytes(value) if isinstance(value, torch.Tensor) else 0
            view_of = "" if base == node.name else base
            rows.append(
                TensorDecision(node.name, fate, size, view_of, facts.must, facts.barred, facts.weight)
            )
    return tuple(rows)


def _fate(node: torch.fx.Node, facts: Weighed, saved: set[str], forward: set[str], backward: set[str]) -> str:
    """Nothing for what is no decision: gradients, and inputs that are not kept."""
    if node.name in saved:
        return "saved"
    if node.op != "call_function":
        return ""
    if node.name in forward:
        return "recomputed" if node.name in backward else "forward"
    return "backward" if node.name in backward and not facts.must.startswith(_OF_GRADIENTS) else ""


def kept_bytes(nodes: Iterable[torch.fx.Node]) -> int | None:
    """Bytes of all storages that these results lie in, each once; those of inputs, which live anyway, are left out, seen
    through a view or not.
    """
    sizes: dict[Any, int | None] = {}
    inputs: set[Any] | None = None
    for node in nodes:
        if inputs is None:
            inputs = {storage_of(given) for given in node.graph.find_nodes(op="placeholder")}
        storage = storage_of(node)
        if storage is not None and storage not in inputs:
            count = node.meta["val"].untyped_storage().nbytes()
            sizes[storage] = count if isinstance(count, int) else None
    known = [size for size in sizes.values() if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def storage_of(node: torch.fx.Node) -> Any:
    """What distinguishes the storage of a node's result from all others; None where it has none."""
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return None
    return value.untyped_storage()._cdata  # noqa: SLF001  what tells one storage from another


def recomputed_nodes(
    graph: torch.fx.Graph, saved: set[str], needed: Iterable[torch.fx.Node]
) -> list[torch.fx.Node]:
    """Forward nodes that the backward has to run again to get at what it needs, if only `saved` is kept."""
    again: set[torch.fx.Node] = set()
    todo = list(needed)
    while todo:
        node = todo.pop()
        if node.name in saved or node in again or node.op != "call_function":
            continue
        again.add(node)
        todo += node.all_input_nodes
    return [node for node in graph.nodes if node in again]
