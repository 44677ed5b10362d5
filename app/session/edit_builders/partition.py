"""Choosing what the forward keeps: the joint graph that belongs to a stage, and edits out of what a person picks."""

from app.translation.texts import tr
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, EditError, EditGroup
from compiler.model.edits.partition_edits import ChooseMemoryBudget, ChooseSaved
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.stage import Stage, StageKind


def joint_of(capture: Capture, stage: Stage | None) -> Stage | None:
    """The joint graph of the Dynamo graph that a stage belongs to; for stages of none, the first there is."""
    joints = capture.of_kind(StageKind.JOINT_GRAPH)
    own = [joint for joint in joints if stage is not None and joint.compile_id == stage.compile_id]
    if own or (stage is not None and stage.compile_id):
        return own[0] if own else None
    return joints[0] if joints else None


def choosable(graph: Graph, nodes: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    """Those of the nodes that could be kept or computed again."""
    if not nodes:
        return ()
    gradients = graph.of_gradients
    return tuple(
        node
        for node in nodes
        if node not in gradients and graph.holds(node) and graph.node(node).op == "call_function"
    )


def choose_saved(stage: StageId, graph: Graph, nodes: tuple[NodeId, ...], saved: bool | None) -> Edit:
    """Choose for all of the nodes that have another choice now. Raises EditError where there is none."""
    wanted = {True: "saved", False: "recomputed", None: ""}[saved]
    known = graph.by_id()
    rows = tuple(
        ChooseSaved(stage, node, saved) for node in choosable(graph, nodes) if known[node].chosen != wanted
    )
    if not rows:
        raise EditError(
            tr("That is chosen already, or nothing selected is a result that the forward could keep.")
        )
    verb = {True: "Save", False: "Recompute", None: "Leave to torch"}[saved]
    return rows[0] if len(rows) == 1 else EditGroup(f"{verb} {len(rows)} tensors", rows)


def choose_budget(stage: StageId, budget: float | None) -> Edit:
    """Another memory budget for a joint graph."""
    return ChooseMemoryBudget(stage, budget)


def chosen_budget(graph: Graph) -> float | None:
    """The budget that was chosen for a joint graph."""
    output = next((node for node in reversed(graph.nodes) if node.op == "output"), None)
    return float(output.chosen.removeprefix("budget ")) if output is not None and output.chosen else None
