"""Probes: operations that give what they are given, and let one see it while the program runs."""

from collections.abc import Callable

from compiler.analysis.transforms.edit_building import EditBuilder
from compiler.model.edits.edits import EditGroup
from compiler.model.effects.memory import memory_of
from compiler.model.ir.arguments import ConstantArgument
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.tensor_types import TensorValue

PROBE = "loupe.probe.default"


def probing(kind: str, label: str) -> Callable[[StageId, Graph, tuple[NodeId, ...]], EditGroup]:
    """Put a probe of a kind (``print``, ``histogram`` or ``nan``) behind every call that gives a tensor."""

    def make(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
        builder, memory = EditBuilder(stage, graph), memory_of(graph)
        for node in graph.nodes:
            wanted = node.id in chosen if chosen else node.op.startswith("call")
            uses = builder.uses_of(node.id)
            if not wanted or not uses or node.target == PROBE or not isinstance(node.value, TensorValue):
                continue
            if memory.is_written_after(
                node.id
            ):  # the copy that a probe gives would be written to, or go without it
                continue
            label_text = ConstantArgument("str", repr(f"{stage} {node.id}"))
            kind_text = ConstantArgument("str", repr(kind))
            builder.call(
                f"probe_{node.id}", PROBE, node.id, label_text, kind_text,
                after=node.id, uses=uses, like=node, value=node.value,
            )  # fmt: skip
        return builder.group(
            label,
            "There is no call whose tensor somebody uses, and which nothing writes to in place afterwards.",
        )

    return make


def remove_probes(stage: StageId, graph: Graph, chosen: tuple[NodeId, ...]) -> EditGroup:
    """Take every probe out again. Raises EditError where there is none."""
    builder = EditBuilder(stage, graph)
    for node in graph.nodes:
        if node.target == PROBE and (not chosen or node.id in chosen):
            builder.bypass(node.id, builder.node(node.id).inputs()[0])
    return builder.group("Remove every probe", "There is no probe in this graph.")
