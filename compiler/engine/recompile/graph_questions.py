"""What somebody who is about to edit a graph asks: what fits here, and what does this take."""

import torch.fx

from compiler.engine.errors import EngineError
from compiler.engine.graph_editing.op_candidates import choices_for
from compiler.engine.graph_editing.op_signatures import signatures_of
from compiler.engine.graph_editing.shape_propagation import propagate_values
from compiler.engine.recompile.edited_graphs import EditedGraphs
from compiler.engine.torch_internals.live.live_graphs import fake_mode_of
from compiler.model.edits.edits import Edit
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import NodeId, StageId
from compiler.model.operators.op_candidates import OpChoices
from compiler.model.operators.op_schemas import NodeSignatures


def op_choices(graphs: EditedGraphs, stage: StageId, node: NodeId, edits: tuple[Edit, ...]) -> OpChoices:
    """What a node could call instead, in the graph with these edits. Raises EngineError."""
    module, _ = graphs.edited_module(stage, edits)
    live = _live_nodes(module, stage, node)
    inputs = graphs.inputs_of(stage, module)
    mode = fake_mode_of(inputs)
    values = propagate_values(module, inputs, mode)
    return choices_for(live[node], lambda item: values.get(item.name), mode)


def signatures(graphs: EditedGraphs, stage: StageId, node: NodeId, edits: tuple[Edit, ...]) -> NodeSignatures:
    """What a node's operation takes, in the graph with these edits. Raises EngineError."""
    module, _ = graphs.edited_module(stage, edits)
    return signatures_of(_live_nodes(module, stage, node)[node])


def _live_nodes(module: torch.fx.GraphModule, stage: StageId, wanted: NodeId) -> dict[str, torch.fx.Node]:
    live = {item.name: item for item in module.graph.nodes}
    if wanted not in live:
        raise EngineError(Problem(f"There is no node {wanted} in {stage}.", "Choose another node."))
    return live
