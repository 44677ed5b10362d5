"""A part of a Dynamo graph that was handed to the compiler by itself: its own graph, before anything is made of it."""

from compiler.engine.provenance.link_tables import marked_places, table
from compiler.engine.records.recorder import DynamoGraphRecord
from compiler.engine.stage_ids import body_id, dynamo_graph_id
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import FxStage, Stage, StageKind


def make(part: DynamoGraphRecord, whole: DynamoGraphRecord) -> Stage:
    """The part as the compiler received it."""
    number = next(
        number for number, other in enumerate(whole.parts, 1) if other.compile_id == part.compile_id
    )
    made_by = f"{part.cut_by}: part {number} of {len(whole.parts)} of the graph"
    return Stage(
        dynamo_graph_id(part.compile_id, "dynamo"),
        StageKind.GRAPH_PART,
        f"Part {number} of {len(whole.parts)}",
        FxStage(part.dynamo),
        compile_id=part.compile_id,
        made_by=f"{made_by}; then edited" if part.edited else made_by,
        made_from=(dynamo_graph_id(whole.compile_id, "dynamo"),),
    )


def link(part: DynamoGraphRecord, whole: DynamoGraphRecord) -> tuple[LinkTable, ...]:
    """Node of the graph → node of the part, of bodies too: by the mark that torch copied along with the node. What one part
    hands on to another is an input there that bears the mark of what made it; inputs of the graph keep their names.
    """
    places = marked_places(whole)
    before, after = dynamo_graph_id(whole.compile_id, "dynamo"), dynamo_graph_id(part.compile_id, "dynamo")
    inputs = {node.id for node in whole.dynamo.nodes if node.op == "placeholder"}
    named: list[tuple[NodeId, NodeId]] = []
    marked: dict[tuple[StageId, StageId, str], list[tuple[NodeId, NodeId]]] = {}
    graphs = {after: part.dynamo, **{body_id(after, name): graph for name, graph in part.bodies.items()}}
    for target, graph in graphs.items():
        for node in graph.nodes:
            if target == after and node.op == "placeholder" and node.id in inputs:
                named.append((node.id, node.id))
                continue
            kind = "passed" if node.op == "placeholder" else "same"
            for mark in node.origins:
                if mark in places:
                    source, origin = places[mark]
                    marked.setdefault((source, target, kind), []).append((origin, node.id))
    return (
        *table(before, after, "passed", "name", named),
        *(row for ends, pairs in marked.items() for row in table(*ends, "tag", pairs)),
    )
