"""Parts of a graph as one node, and back."""

from app.actions.action_row import ActionRow, Context
from app.actions.bulk_actions import picked_calls
from app.actions.selection_queries import editable_graph, editable_stage, picked_call
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr, tr_noop
from compiler.model.edits.subgraphs import inline


def _has_calls(context: Context) -> bool:
    return bool(picked_calls(context))


def _holds_part(context: Context) -> bool:
    node, graph = picked_call(context.session), editable_graph(context.session)
    return node is not None and graph is not None and bool(graph.node(node).body)


def _inline(context: Context) -> None:
    session = context.session
    stage, graph, node = editable_stage(session), editable_graph(session), picked_call(session)
    if stage is None or graph is None or node is None:
        return
    make_or_report(session, lambda: inline(stage, graph, node), tr("Select another node."))


ROWS = (
    ActionRow(
        "edit.extract", tr_noop("Extract to a submodule…"), lambda c: c.shell.editing.make_region(operator=False), "Ctrl+G",
        tr_noop("Make the selected nodes one call of a submodule"), _has_calls, menu="Node", group="region",
    ),
    ActionRow(
        "edit.wrap", tr_noop("Wrap in a custom operator…"), lambda c: c.shell.editing.make_region(operator=True), "Ctrl+Shift+G",
        tr_noop("Make the selected nodes one operator that Inductor cannot look into"), _has_calls, menu="Node", group="region",
    ),
    ActionRow(
        "edit.inline", tr_noop("Inline"), _inline, "Ctrl+U", tr_noop("Put what the selected node holds back in its place"), _holds_part,
        menu="Node", group="region",
    ),
)  # fmt: skip
