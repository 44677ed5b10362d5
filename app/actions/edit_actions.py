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
from app.session.selection.selected_line import selected_line
from compiler.analysis.transforms.activations import dropouts, relus, relus_to_gelus, remove_dropouts
from compiler.model.edits.editable_stages import edits_text
from compiler.model.edits.edits import Edit, EditError
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph, SourceLine
from compiler.model.ir.ids import NodeId, StageId


def _make(context: Context, make: Callable[[StageId, Graph], Edit]) -> None:
    """Make an edit of the graph in front; one that cannot be made becomes a problem."""
    stage_id, graph = editable_stage(context.session), editable_graph(context.session)
    if stage_id is None or graph is None:
        return
    try:
        edit = make(stage_id, graph)
    except EditError as error:
        context.session.report(Problem(str(error), "Select another node."))
        return
    context.session.make_edit(edit)


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
        "edit.undo", "Undo", lambda c: c.session.undo(), "Ctrl+Z", "Take the last edit back",
        lambda c: c.session.undo_stack.canUndo(), icon="undo", menu="Edit", in_toolbar=True,
    ),
    ActionRow(
        "edit.redo", "Redo", lambda c: c.session.redo(), "Ctrl+Shift+Z", "Make the edit again",
        lambda c: c.session.undo_stack.canRedo(), icon="redo", menu="Edit", in_toolbar=True,
        other_shortcuts=("Ctrl+Y",),
    ),
    ActionRow(
        "edit.recover", "Recover edits", lambda c: c.shell.recover_edits(), "",
        "Make the edits of a session that ended unexpectedly again",
        lambda c: bool(c.session.recovery.offered), menu="Edit",
    ),
)  # fmt: skip
ROWS = (
    ActionRow(
        "edit.this_relu_to_gelu", "Replace relu by gelu", _relu_to_gelu, "G", "Let the selected relu call gelu",
        lambda c: _picked_relu(c) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.replace_target", "Replace target…", lambda c: c.shell.editing.choose_operation(every=False), "R",
        "Let the selected node, or several that call the same, call another operation", _has_calls_alike, menu="Node", group="node",
    ),
    ActionRow(
        "edit.replace_every", "Replace every node like this…", lambda c: c.shell.editing.choose_operation(every=True),
        "Shift+R", "Let every node that calls the same call another operation", _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.insert", "Insert op on edge…", lambda c: c.shell.editing.choose_insertion(before=False), "Ctrl+I",
        "Put an operation behind the selected node; select a node and its user for one edge only",
        lambda c: picked_source(c.session) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.insert_before", "Insert op before…", lambda c: c.shell.editing.choose_insertion(before=True), "Ctrl+Shift+I",
        "Put an operation on an input of the selected node", _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.arguments", "Arguments…", lambda c: c.shell.editing.edit_arguments(), "A",
        "Change the arguments of the selected node, or of several that call the same, in a form", _has_calls_alike, menu="Node", group="node",
    ),
    ActionRow(
        "edit.set_constant", "Set to a constant…", lambda c: c.shell.editing.choose_constant(), "K",
        "Let the selected node give a constant", _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.rewire", "Use another input…", lambda c: c.shell.editing.choose_input(), "L",
        "Let the selected node use another node; on the canvas, drag the end of an arrow", _has_inputs, menu="Node",
        group="node",
    ),
    ActionRow(
        "edit.duplicate", "Duplicate node…", lambda c: c.shell.editing.duplicate(), "Ctrl+D",
        "Make a second node like the selected one and choose who uses it", _has_call, menu="Node", group="node",
    ),
    ActionRow(
        "edit.remove", "Remove", remove_picked, "Del", "Remove the selected nodes; what they use takes their place",
        lambda c: bool(picked_calls(c)), menu="Node", group="node",
    ),
    ActionRow(
        "edit.as_text", "Edit as text", lambda c: c.session.asking.text_wanted.emit(), "T",
        "Change the program of the graph, the wrapper or the text in front; what is typed becomes edits",
        lambda c: _has_text(c) and nobody_types(c), menu="Node", group="node",
    ),
    ActionRow(
        "edit.open_line", "Open line in editor", _open_line, "Ctrl+E",
        "Open the selected line, or the line that the selection was made on, in your own editor",
        lambda c: _line(c) is not None, menu="Node", group="node",
    ),
    ActionRow(
        "edit.relu_to_gelu", "Replace every relu by gelu", lambda c: _make(c, relus_to_gelus), "",
        "In the graph in front", _any_of(relus), menu="Node", group="bulk",
    ),
    ActionRow(
        "edit.remove_dropouts", "Remove every dropout", lambda c: _make(c, remove_dropouts), "",
        "In the graph in front", _any_of(dropouts), menu="Node", group="bulk",
    ),
    ActionRow(
        "edit.recompile", "Recompile", lambda c: c.session.recompile(), "Ctrl+R",
        "Compile the edits, check the results and time them",
        lambda c: c.session.has_uncompiled_edits and c.session.engine_state != "stopped",
        icon="recompile", menu="Edit", group="compile", in_toolbar=True,
    ),
    ActionRow(
        "edit.auto_recompile", "Recompile by itself", _toggle_auto, "Ctrl+Shift+R",
        "Compile a moment after the last edit",
        checked=lambda c: c.session.auto_recompile, menu="Edit", group="compile",
    ),
    ActionRow(
        "edit.editor_command", "Editor command…", lambda c: c.shell.choose_editor(), "",
        "Set how lines are opened in your own editor", menu="Edit", group="settings",
    ),
)  # fmt: skip
