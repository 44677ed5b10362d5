"""Editing the graph in front, undoing, and compiling again."""

from collections.abc import Callable

from app.actions.action_row import ActionRow, Context, nobody_types
from app.actions.bulk_actions import picked_calls, remove_picked
from app.actions.selection_queries import (
    editable_graph,
    editable_stage,
    editable_wrapper,
    picked_alike,
    picked_call,
    picked_nodes,
    picked_source,
)
from app.session.edit_builders.from_selection import relu_to_gelu
from app.session.facade.tried_edit import make_or_report
from app.session.selection.selected_line import selected_line
from app.translation.texts import tr, tr_noop
from compiler.analysis.transforms.activations import dropouts, relus, relus_to_gelus, remove_dropouts
from compiler.model.edits.editable_stages import edits_text
from compiler.model.edits.edits import Edit
from compiler.model.ir.graph import Graph, SourceLine
from compiler.model.ir.ids import NodeId, StageId


def _make(context: Context, make: Callable[[StageId, Graph], Edit]) -> None:
    """Make an edit of the graph in front; one that cannot be made becomes a problem."""
    stage_id, graph = editable_stage(context.session), editable_graph(context.session)
    if stage_id is not None and graph is not None:
        make_or_report(context.session, lambda: make(stage_id, graph), tr("Select another node."))


def _any_of(find: Callable[[Graph], tuple[NodeId, ...]]) -> Callable[[Context], bool]:
    def found(context: Context) -> bool:
        graph = editable_graph(context.session)
        return graph is not None and bool(find(graph))

    return found


def _picked_relu(context: Context) -> NodeId | None:
    node, graph = picked_call(context.session), editable_graph(context.session)
    return node if node is not None and graph is not None and node in relus(graph) else None


def _relu_to_gelu(context: Context) -> None:
    node = _picked_relu(context)
    if node is not None:
        _make(context, lambda stage, graph: relu_to_gelu(stage, graph, node))


def _toggle_auto(context: Context) -> None:
    context.session.auto_recompile = not context.session.auto_recompile


def _line(context: Context) -> SourceLine | None:
    session = context.session
    return selected_line(session.capture, session.selection.pinned, session.provenance)


def _open_line(context: Context) -> None:
    line = _line(context)
    if line is not None:
        context.session.editor.open(line.path, line.line)


def _has_call(context: Context) -> bool:
    return picked_call(context.session) is not None


def _has_calls_alike(context: Context) -> bool:
    return bool(picked_alike(context.session))


def _has_inputs(context: Context) -> bool:
    nodes, graph = picked_nodes(context.session), editable_graph(context.session)
    return len(nodes) == 1 and graph is not None and bool(graph.node(nodes[0]).inputs())


def _has_text(context: Context) -> bool:
    session = context.session
    return editable_graph(session) is not None or editable_wrapper(session) or edits_text(session.stage)


UNDO_ROWS = (
    ActionRow(
        "edit.undo", tr_noop("Undo"), lambda c: c.session.undo(), "Ctrl+Z", tr_noop("Take the last edit back"),
        lambda c: c.session.undo_stack.canUndo(), icon="undo", menu="Edit", in_toolbar=True,
    ),
    ActionRow(
        "edit.redo", tr_noop("Redo"), lambda c: c.session.redo(), "Ctrl+Shift+Z", tr_noop("Make the edit again"),
        lambda c: c.session.undo_stack.canRedo(), icon="redo", menu="Edit", in_toolbar=True,
        other_shortcuts=("Ctrl+Y",),
    ),
    ActionRow(
        "edit.recover", tr_noop("Recover edits"), lambda c: c.shell.recover_edits(), "",
        tr_noop("Make the edits of a session that ended unexpectedly again"),
        lambda c: bool(c.session.recovery.offered), menu="Edit",
    ),
)  # fmt: skip
ROWS = (
    ActionRow(
        "edit.this_relu_to_gelu", tr_noop("Replace relu by gelu"), _relu_to_gelu, "G", tr_noop("Let the selected relu call gelu"),
        lambda c: _picked_relu(c) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.replace_target", tr_noop("Replace target…"), lambda c: c.shell.editing.choose_operation(every=False), "R",
        tr_noop("Let the selected node, or several that call the same, call another operation"), _has_calls_alike, menu="Node", group="node",
    ),
    ActionRow(
        "edit.replace_every", tr_noop("Replace every node like this…"), lambda c: c.shell.editing.choose_operation(every=True),
        "Shift+R", tr_noop("Let every node that calls the same call another operation"), _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.insert", tr_noop("Insert op on edge…"), lambda c: c.shell.editing.choose_insertion(before=False), "Ctrl+I",
        tr_noop("Put an operation behind the selected node; select a node and its user for one edge only"),
        lambda c: picked_source(c.session) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.insert_before", tr_noop("Insert op before…"), lambda c: c.shell.editing.choose_insertion(before=True), "Ctrl+Shift+I",
        tr_noop("Put an operation on an input of the selected node"), _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.arguments", tr_noop("Arguments…"), lambda c: c.shell.editing.edit_arguments(), "A",
        tr_noop("Change the arguments of the selected node, or of several that call the same, in a form"), _has_calls_alike, menu="Node", group="node",
    ),
    ActionRow(
        "edit.set_constant", tr_noop("Set to a constant…"), lambda c: c.shell.editing.choose_constant(), "K",
        tr_noop("Let the selected node give a constant"), _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.rewire", tr_noop("Use another input…"), lambda c: c.shell.editing.choose_input(), "L",
        tr_noop("Let the selected node use another node; on the canvas, drag the end of an arrow"), _has_inputs, menu="Node",
        group="node",
    ),
    ActionRow(
        "edit.duplicate", tr_noop("Duplicate node…"), lambda c: c.shell.editing.duplicate(), "Ctrl+D",
        tr_noop("Make a second node like the selected one and choose who uses it"), _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.remove", tr_noop("Remove"), remove_picked, "Del", tr_noop("Remove the selected nodes; what they use takes their place"),
        lambda c: bool(picked_calls(c)), menu="Node", group="node",
    ),
    ActionRow(
        "edit.as_text", tr_noop("Edit as text"), lambda c: c.session.asking.text_wanted.emit(), "T",
        tr_noop("Change the program of the graph, the wrapper or the text in front; what is typed becomes edits"),
        lambda c: _has_text(c) and nobody_types(c), menu="Node", group="node",
    ),
    ActionRow(
        "edit.open_line", tr_noop("Open line in editor"), _open_line, "Ctrl+E",
        tr_noop("Open the selected line, or the line that the selection was made on, in your own editor"),
        lambda c: _line(c) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.relu_to_gelu", tr_noop("Replace every relu by gelu"), lambda c: _make(c, relus_to_gelus), "",
        tr_noop("In the graph in front"), _any_of(relus), menu="Node", group="bulk",
    ),
    ActionRow(
        "edit.remove_dropouts", tr_noop("Remove every dropout"), lambda c: _make(c, remove_dropouts), "",
        tr_noop("In the graph in front"), _any_of(dropouts), menu="Node", group="bulk",
    ),
    ActionRow(
        "edit.recompile", tr_noop("Recompile"), lambda c: c.session.recompile(), "Ctrl+R",
        tr_noop("Compile the edits, check the results and time them"),
        lambda c: c.session.has_uncompiled_edits and c.session.engine_state != "stopped",
        icon="recompile", menu="Edit", group="compile", in_toolbar=True,
    ),
    ActionRow(
        "edit.auto_recompile", tr_noop("Recompile by itself"), _toggle_auto, "Ctrl+Shift+R",
        tr_noop("Compile a moment after the last edit"),
        checked=lambda c: c.session.auto_recompile, menu="Edit", group="compile",
    ),
    ActionRow(
        "edit.editor_command", tr_noop("Editor command…"), lambda c: c.shell.choose_editor(), "",
        tr_noop("Set how lines are opened in your own editor"), menu="Edit", group="settings",
    ),
)  # fmt: skip
