"""What somebody who edits a graph asks: what fits here, what does this take, what came of it; answered for every front end."""

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.graph_editing.op_candidates import choices_behind, choices_for
from compiler.engine.graph_editing.op_signatures import signatures_of
from compiler.engine.recompile.asks_edited import AsksEdited
from compiler.engine.recompile.pattern_search import find_matches
from compiler.model.edits.edits import Edit
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures
from compiler.model.protocol.front_end_requests import EditAnswer, EditQuestion
from compiler.model.protocol.messages import (
    EditedGraphs,
    FindMatches,
    ListEditedGraphs,
    ListOps,
    ListSignatures,
    Preview,
    PreviewEdits,
)


def answer_about(program: AsksEdited, question: EditQuestion) -> EditAnswer:
    """What is asked about the graphs of a program with edits. Raises EngineError."""
    match question:
        case PreviewEdits(edits=edits):
            return Preview(*program.preview(edits))
        case ListOps(stage=stage, node=node, edits=edits, behind=behind):
            return op_choices(program, stage, node, edits, behind)
        case ListSignatures(stage=stage, node=node, edits=edits):
            return signatures(program, stage, node, edits)
        case FindMatches(stage=stage, pattern=pattern, edits=edits):
            return find_matches(program, stage, pattern, edits)
        case ListEditedGraphs(edits=edits):
            return EditedGraphs(*program.exported(edits))


def op_choices(
    program: AsksEdited, stage: StageId, node: NodeId, edits: tuple[Edit, ...], behind: bool = False
) -> OpChoices:
    """What a node could call instead, or could stand behind it, in the graph with these edits. Raises EngineError."""
    module, values, mode = program.node_values(stage, edits)
    choices = choices_behind if behind else choices_for
    return choices(_live(module, stage, node), lambda item: values.get(item.name), mode)


def signatures(program: AsksEdited, stage: StageId, node: NodeId, edits: tuple[Edit, ...]) -> NodeSignatures:
    """What a node's operation takes, in the graph with these edits. Raises EngineError."""
    module, _ = program.edited_module(stage, edits)
    return signatures_of(_live(module, stage, node))


def _live(module: torch.fx.GraphModule, stage: StageId, wanted: NodeId) -> torch.fx.Node:
    for node in module.graph.nodes:
        if node.name == wanted:
            found: torch.fx.Node = node
            return found
    raise EngineError(f"There is no node {wanted} in {stage}.", "Choose another node.")
