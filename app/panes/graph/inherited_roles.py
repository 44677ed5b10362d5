"""Which inputs of a later graph are parameters of the model: AOTAutograd renames them all to ``primals_3``, and only
the links back to the Dynamo graph distinguish them.
"""

import msgspec

from app.session.facade.session import Session
from compiler.model.diagrams.diagrams import Diagram, DiagramNode
from compiler.model.ir.ids import NodeId, StageId, place

_KEPT = 6
_made: dict[tuple[int, frozenset[NodeId]], tuple[Diagram, Diagram]] = {}
"""What was made last: the same diagram has the same answer, and what was asked about that is known still (its layout is)."""


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

    found = frozenset(node.id for node in shown.nodes if node.role == "input" and is_parameter(node))
    if not found:
        return shown
    key = id(shown), found
    if key not in _made:
        nodes = tuple(
            msgspec.structs.replace(node, role="parameter") if node.id in found else node
            for node in shown.nodes
        )
        _made[key] = shown, msgspec.structs.replace(shown, nodes=nodes)
        while len(_made) > _KEPT:
            del _made[next(iter(_made))]
    return _made[key][1]
