"""Many nodes at once: selecting nodes that are alike, cutting, copying and pasting parts of graphs."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication

from app.actions.action_row import ActionRow, Context, nobody_types
from app.actions.selection_queries import editable_graph, editable_stage, picked_nodes
from app.session.edit_builders.bulk_edits import (
    Likeness,
    remove_nodes,
    same_call,
    same_module,
    same_operation,
)
from app.session.facade.tried_edit import make_or_report
from app.translation.texts import tr, tr_noop
from compiler.analysis.edits.clipboard import copy_fragment, fragment_from_text, fragment_text
from compiler.analysis.edits.equal_layers import apply_to_equal_layers
from compiler.model.edits.edits import EditError, stages_of
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, place


def _select(likeness: Likeness) -> Callable[[Context], None]:
    def select(context: Context) -> None:
        stage = context.session.stage
        graph = stage.graph if stage is not None else None
        if stage is None or graph is None:
            return
        edited = context.session.stage_with_edits(stage.id).graph or graph
        known = edited.by_id()
        held = [name for name in sorted(context.session.selection.pinned_in(stage.id)) if name in known]
        found = dict.fromkeys(name for node in held for name in likeness(edited, node))
        if found:
            context.session.selection.select(place(stage.id, *found))

    return select


def _has_nodes(context: Context) -> bool:
    stage = context.session.stage
    return (
        stage is not None
        and stage.graph is not None
        and bool(context.session.selection.pinned_in(stage.id))
        and nobody_types(context)
    )


def picked_calls(context: Context) -> tuple[NodeId, ...]:
    """The selected nodes that call something, of the graph that edits go to."""
    graph = editable_graph(context.session)
    nodes = picked_nodes(context.session)
    return tuple(name for name in nodes if graph is not None and graph.node(name).op.startswith("call"))


def _can_cut(context: Context) -> bool:
    return bool(picked_calls(context)) and nobody_types(context)


def _copy(context: Context) -> bool:
    stage = context.session.stage
    graph = context.session.stage_with_edits(stage.id).graph if stage is not None else None
    if stage is None or graph is None:
        return False
    try:
        fragment = copy_fragment(graph, tuple(context.session.selection.pinned_in(stage.id)))
    except EditError as error:
        context.session.report(Problem(str(error), tr("Nothing was copied.")))
        return False
    QGuiApplication.clipboard().setText(fragment_text(fragment))
    return True


def _copy_only(context: Context) -> None:
    _copy(context)


def _cut(context: Context) -> None:
    if _copy(context):
        remove_picked(context)


def remove_picked(context: Context) -> None:
    """Remove every selected node; what cannot be removed becomes a problem."""
    stage, graph = editable_stage(context.session), editable_graph(context.session)
    if stage is None or graph is None:
        return
    remedy = tr("Select other nodes.")
    make_or_report(context.session, lambda: remove_nodes(stage, graph, picked_calls(context)), remedy)


def _can_paste(context: Context) -> bool:
    return editable_graph(context.session) is not None and nobody_types(context)


def _paste(context: Context) -> None:
    try:
        fragment = fragment_from_text(QGuiApplication.clipboard().text())
    except EditError as error:
        context.session.report(Problem(str(error), tr("Copy nodes of a graph first (Ctrl+C).")))
        return
    context.shell.editing.paste(fragment)


def _can_apply_to_layers(context: Context) -> bool:
    stage = editable_stage(context.session)
    return stage is not None and any(stage in stages_of(edit) for edit in context.session.edits)


def _apply_to_layers(context: Context) -> None:
    session = context.session
    stage = editable_stage(session)
    graph = session.states.before_edits(stage) if stage is not None else None
    if stage is None or not isinstance(graph, Graph):
        return
    try:
        made = apply_to_equal_layers(stage, graph, session.edits)
    except EditError as error:
        session.report(Problem(str(error), tr("Nothing was edited.")))
        return
    session.make_edit(made.edit)
    if made.layers.unequal:
        what = tr("Not equal to {name}, and left as they are: {left_out}.").format(
            name=made.layers.name, left_out=made.layers.left_out
        )
        session.report(Problem(what, tr("Edit these by themselves."), severity=Severity.NOTE))


ROWS = (
    ActionRow(
        "edit.cut", tr_noop("Cut"), _cut, "Ctrl+X", tr_noop("Copy the selected nodes and remove them"), _can_cut, menu="Node",
        group="clipboard",
    ),
    ActionRow(
        "edit.copy", tr_noop("Copy"), _copy_only, "Ctrl+C",
        tr_noop("Copy the selected nodes as JSON text, to be pasted into this graph or another"), _has_nodes, menu="Node",
        group="clipboard",
    ),
    ActionRow(
        "edit.paste", tr_noop("Paste…"), _paste, "Ctrl+V", tr_noop("Put copied nodes into the graph in front"), _can_paste, menu="Node",
        group="clipboard",
    ),
    ActionRow(
        "edit.pattern", tr_noop("Pattern from the selection"), lambda c: c.session.asking.pattern_wanted.emit(), "P",
        tr_noop("Look for every place like the selected calls, by torch's own matcher, and replace them"), _has_nodes, menu="Node",
        group="alike",
    ),
    ActionRow(
        "edit.select_same_call", tr_noop("Select every node like this"), _select(same_call), "Ctrl+Shift+A",
        tr_noop("Nodes that call the same with the same constants"), _has_nodes, menu="Node", group="alike",
    ),
    ActionRow(
        "edit.select_same_operation", tr_noop("Select every call of this operation"), _select(same_operation), "Ctrl+Shift+O",
        tr_noop("Nodes that call the same"), _has_nodes, menu="Node", group="alike",
    ),
    ActionRow(
        "edit.select_same_module", tr_noop("Select everything of this module"), _select(same_module), "Ctrl+Shift+M",
        tr_noop("Nodes that were made in the same module"), _has_nodes, menu="Node", group="alike",
    ),
    ActionRow(
        "edit.equal_layers", tr_noop("Apply the last edits to all equal layers"), _apply_to_layers, "",
        tr_noop("What was last edited in one layer of the graph in front, edited in every layer that was equal to it"),
        _can_apply_to_layers, menu="Node", group="alike",
    ),
)  # fmt: skip
