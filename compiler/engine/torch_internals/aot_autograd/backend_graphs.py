"""Hook: the graphs between Dynamo and Inductor: pre-grad, joint, the partition's choice, forward and backward."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from compiler.engine.fx.graph_import import read_bodies, read_graph, tensor_bytes
from compiler.engine.fx.merged_calls import merged_calls
from compiler.engine.records.partitioner_state import decisions, kept_bytes, read_network
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import DynamoGraphRecord, PartitionRecord, Recorder
from compiler.engine.torch_internals.aot_autograd.minimum_cut import MINIMUM_CUT
from compiler.engine.torch_internals.aot_autograd.missing_marks import add_missing_marks
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.protocol.progress import Phase

GIVES = "pre-grad graph, joint graph, partition"
NEEDS = (
    "torch._inductor.compile_fx:run_pre_grad_passes",
    "torch._inductor.compile_fx:partition_fn",
    "torch._functorch.partitioners:choose_saved_values_set",
    MINIMUM_CUT,
    "torch._functorch.partitioners:fx_graph_cse",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each graph when the step that makes it is done."""
    cut: dict[str, Any] = {}

    def pre_grad(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        result = original(module, *args, **kwargs)
        dynamo_graph = recorder.dynamo_graph
        if dynamo_graph is not None and hasattr(result, "graph"):
            dynamo_graph.seconds["pre_grad"] = time.perf_counter() - started
            dynamo_graph.pre_grad = read_graph(result.graph)
            recorder.report_progress(
                f"AOTAutograd traces graph {dynamo_graph.compile_id}", Phase.AOT_AUTOGRAD
            )
            if recorder.live is None or recorder.live.start not in ("pre_grad", "joint"):
                recorder.made()
        return result

    def choose_saved(graph: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        cut.clear()
        chosen = original(graph, *args, **kwargs)
        if recorder.dynamo_graph is not None:
            recorder.dynamo_graph.partition = PartitionRecord(
                saved=tuple((node.name, _bytes(node)) for node in chosen),
                saved_reasons=dict(cut.get("reasons", {})),
                cut_value=cut.get("value"),
                weighed=cut.get("weighed", {}),
                chosen=tuple(chosen),
            )
        return chosen

    def minimum_cut(network: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        value, sides = original(network, *args, **kwargs)
        cut["value"] = float(value)
        cut["reasons"] = _reasons(network, sides)
        with recorder.reading("the partitioner's network"):
            cut["weighed"] = read_network(network)
        return value, sides

    def merge(graph: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        result = original(graph, *args, **kwargs)
        if recorder.dynamo_graph is not None:
            with recorder.reading("equal calls made one"):
                recorder.dynamo_graph.merged = merged_calls(graph, result)
        return result

    with (
        around(NEEDS[0], pre_grad),
        around(NEEDS[1], partitioning(recorder)),
        around(NEEDS[2], choose_saved),
        around(NEEDS[3], minimum_cut),
        around(NEEDS[4], merge),
    ):
        yield


def partitioning(recorder: Recorder) -> Callable[..., Any]:
    """A partitioner of AOTAutograd's that also records the joint graph and what ``original`` chose."""

    def partition(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        dynamo_graph = recorder.dynamo_graph
        if dynamo_graph is None:
            return original(module, *args, **kwargs)
        with recorder.reading("gradients of in-place operations"):
            add_missing_marks(module.graph, dynamo_graph)
        joint = read_graph(module.graph, joint_role)
        again = recorder.live is not None and recorder.live.start == "joint"
        timeline = dynamo_graph.joint_passes if again else PassTimeline(joint, joint_role)
        timeline = dynamo_graph.joint_passes = timeline or PassTimeline(joint, joint_role)
        dynamo_graph.joint_after_passes, dynamo_graph.joint_bodies = None, read_bodies(module)
        dynamo_graph.inputs = input_indices(module.graph)
        recorder.report_progress(
            f"Partitioning the joint graph of {dynamo_graph.compile_id}", Phase.AOT_AUTOGRAD
        )
        dynamo_graph.joint = dynamo_graph.joint or joint  # as traced, until it is known what becomes of it
        if not again:
            recorder.made()
        started = time.perf_counter()
        forward, backward = original(module, *args, **kwargs)
        joint = _after_passes(dynamo_graph, joint)
        dynamo_graph.seconds["partition"] = time.perf_counter() - started
        forward_names = {node.name for node in forward.graph.nodes if node.op != "output"}
        backward_names = {node.name for node in backward.graph.nodes if node.op == "call_function"}
        dynamo_graph.joint = in_lanes(joint, forward_names, {*backward_names, *tangents_of(joint)})
        began = timeline.began
        timeline.began = in_lanes(began, forward_names, {*backward_names, *tangents_of(began)})
        if dynamo_graph.partition is not None:
            both = tuple(node.id for node in joint.nodes if node.op == "call_function")
            dynamo_graph.partition.recomputed = tuple(
                name for name in both if name in forward_names and name in backward_names
            )
            with recorder.reading("the partitioner's reasons"):
                _decide(dynamo_graph.partition, forward_names, backward)
        recorder.made()
        return forward, backward

    return partition


def _decide(partition: PartitionRecord, forward: set[str], backward: Any) -> None:
    """Turn what the partitioner weighed into what it decided; the live nodes are let go. What it chose to save and the
    backward does not need after all is dropped by torch.
    """
    chosen, partition.chosen = partition.chosen, ()
    if chosen:
        handed = {node.name for node in backward.graph.nodes if node.op == "placeholder"}
        names = {node.name for node in backward.graph.nodes} - handed
        kept = [node for node in chosen if node.name in handed]
        partition.saved_bytes = kept_bytes(kept)
        saved = {node.name for node in kept}
        partition.decisions = decisions(chosen[0].graph, partition.weighed, saved, forward, names)
        partition.weighed = {}


def _after_passes(dynamo_graph: DynamoGraphRecord, traced: Graph) -> Graph:
    """The joint graph that was partitioned; as AOTAutograd traced it where the passes could not be followed."""
    return traced if dynamo_graph.joint_after_passes is None else dynamo_graph.joint_after_passes


def tangents_of(graph: Graph) -> set[str]:
    """The placeholders of gradients."""
    return {node.id for node in graph.nodes if node.role == "tangent"}


def input_indices(graph: Any) -> dict[NodeId, int]:
    """Which input a placeholder of AOTAutograd's is, or is made of (a part of a subclass, the base of views), by the descriptor torch
    puts on it. Parameters of the module itself are none.
    """
    found = {}
    for node in graph.find_nodes(op="placeholder"):
        reported = node.meta.get("desc")
        while (inner := getattr(reported, "base", None) or getattr(reported, "base_of", None)) is not None:
            reported = inner
        if type(reported).__name__ == "PlainAOTInput":
            found[node.name] = reported.idx
    return found


def joint_role(node: Any) -> str:
    """What a placeholder of AOTAutograd's is, by the descriptor torch puts on it, else by torch's naming."""
    if node.op != "placeholder":
        return ""
    kind = type(node.meta.get("desc")).__name__
    if "Tangent" in kind or node.name.startswith("tangents"):
        return "tangent"
    if "Param" in kind or "Buffer" in kind:
        return "parameter"
    return "input" if node.name.startswith("primals") or kind != "NoneType" else "saved"


def in_lanes(graph: Graph, forward: set[str], backward: set[str]) -> Graph:
    """A node is forward if the partitioner put it into the forward graph, backward if only into the backward.

    A node that the joint passes replaced before the partition is backward if it needs, or only serves, what is. The
    output is of both.
    """
    late: set[str] = set()
    for node in graph.nodes:
        if node.id not in forward and (node.id in backward or not late.isdisjoint(node.inputs())):
            late.add(node.id)
    users = graph.users()
    for node in reversed(graph.nodes):
        if node.id not in forward and users[node.id] and late.issuperset(users[node.id]):
            late.add(node.id)
    return Graph(
        tuple(
            node
            if node.op == "output"
            else msgspec.structs.replace(node, lane="backward" if node.id in late else "forward")
            for node in graph.nodes
        )
    )


def _bytes(node: Any) -> int | None:
    value = node.meta.get("val")
    return tensor_bytes(value) if hasattr(value, "element_size") else 0


def _reasons(network: Any, sides: Any) -> dict[str, str]:
    """Torch's own words on the edges that the minimum cut cut."""
    reachable, rest = sides
    reasons = {}
    for first in reachable:
        for second, data in network[first].items():
            if second in rest and data.get("reason"):
                name = str(first).removesuffix("_in").removesuffix("_out")
                reasons[name] = str(data["reason"])
    return reasons
