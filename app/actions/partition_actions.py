"""Choosing what of a joint graph the forward keeps for the backward."""

from app.actions.action_row import ActionRow, Context
from app.actions.selection_queries import editable_graph, editable_stage, picked_nodes
from app.session.edit_builders.partition import choosable, choose_saved
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr, tr_noop
from compiler.model.edits.editable_stages import chooses_partition


def _choose(context: Context, saved: bool | None) -> None:
    session = context.session
    stage, graph = editable_stage(session), editable_graph(session)
    if stage is None or graph is None:
        return
    nodes, remedy = picked_nodes(session), tr("Select other nodes.")
    make_or_report(session, lambda: choose_saved(stage, graph, nodes, saved), remedy)


def _choosable(context: Context) -> bool:
    session = context.session
    graph = editable_graph(session)
    return (
        chooses_partition(session.stage)
        and graph is not None
        and bool(choosable(graph, picked_nodes(session)))
    )


def _chosen(context: Context) -> bool:
    graph = editable_graph(context.session)
    return graph is not None and any(graph.node(node).chosen for node in picked_nodes(context.session))


ROWS = (
    ActionRow(
        "partition.save", tr_noop("Save for the backward"), lambda c: _choose(c, True), "M",
        tr_noop("Let the forward keep the selected results of the joint graph for the backward"),
        _choosable, menu="Node", group="partition",
    ),
    ActionRow(
        "partition.recompute", tr_noop("Recompute in the backward"), lambda c: _choose(c, False), "Shift+M",
        tr_noop("Let the backward compute the selected results of the joint graph again"),
        _choosable, menu="Node", group="partition",
    ),
    ActionRow(
        "partition.leave", tr_noop("Leave it to the partitioner"), lambda c: _choose(c, None), "",
        tr_noop("Take back what was chosen of the selected results"), _chosen, menu="Node", group="partition",
    ),
)  # fmt: skip
