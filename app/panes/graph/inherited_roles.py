"""Which inputs of a later graph are parameters of the model: AOTAutograd renames them all to ``primals_3``, and only
the links back to the Dynamo graph tell them apart.
"""

import msgspec

from app.session.facade.session import Session
from compiler.model.diagrams.diagrams import Diagram, DiagramNode
from compiler.model.ir.ids import NodeId, StageId, place


def with_inherited_roles(shown: Diagram, stage_id: StageId, session: Session) -> Diagram:
    """The diagram with inputs that were made from parameters as parameters."""
    if session.capture is None:
        return shown
    parameters: dict[StageId, set[NodeId]] = {}
    for stage in session.capture.stages:
        if stage.graph is not None:
            parameters[stage.id] = {node.id for node in stage.graph.nodes if node.role == "parameter"}

    def is_parameter(node: DiagramNode) -> bool:
        made_from = session.provenance.ancestors(place(stage_id, node.id))
        return any(nodes & parameters.get(stage, set()) for stage, nodes in made_from.items())

    nodes = tuple(
        msgspec.structs.replace(node, role="parameter")
        if node.role == "input" and is_parameter(node)
        else node
        for node in shown.nodes
    )
    return msgspec.structs.replace(shown, nodes=nodes)
