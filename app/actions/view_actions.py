"""Moving about and the look."""

from app.actions.action_row import ActionRow, Context, nobody_types
from app.actions.workspace_table import WORKSPACES, Workspace
from app.translation.language import LANGUAGES, choose_language, chosen_language
from app.translation.texts import tr_noop


def _has_capture(context: Context) -> bool:
    return context.session.capture is not None


def _has_passes(context: Context) -> bool:
    stage = context.session.stage
    return stage is not None and context.session.passes.replay(stage.id) is not None and nobody_types(context)


def _step_pass(context: Context, direction: int) -> None:
    if context.session.stage is not None:
        context.session.passes.step(context.session.stage.id, direction)


def _workspace(number: int, workspace: Workspace) -> ActionRow:
    name = workspace.id
    return ActionRow(
        f"view.workspace_{name}", tr_noop("Workspace: {name}"), lambda c: c.shell.show_workspace(name), f"Ctrl+{number}",
        tr_noop("Bring the panes of the {name} workspace to the front"), checked=lambda c: c.shell.workspace == name,
        menu="View", group="workspace", name=workspace.title,
    )  # fmt: skip


def _language(code: str, name: str) -> ActionRow:
    return ActionRow(
        f"view.language_{code}", name, lambda _: choose_language(code), "",
        tr_noop("The language of menus, panes and the start page, from the next start on"),
        checked=lambda _: chosen_language() == code, menu="View", group="language",
    )  # fmt: skip


ROWS = (
    ActionRow(
        "view.next_stage", tr_noop("Next stage"), lambda c: c.session.step_stage(1), "N",
        tr_noop("Bring the next stage to the front; the selection follows"), _has_capture, menu="View",
        other_shortcuts=("Ctrl+Right",),
    ),
    ActionRow(
        "view.previous_stage", tr_noop("Previous stage"), lambda c: c.session.step_stage(-1), "B",
        tr_noop("Bring the stage before to the front"), _has_capture, menu="View", other_shortcuts=("Ctrl+Left",),
    ),
    ActionRow(
        "view.back", tr_noop("Back"), lambda c: c.session.selection.go_back(), "Alt+Left", tr_noop("The selection before this one"),
        lambda c: c.session.selection.can_go_back, icon="back", menu="View", group="selection", in_toolbar=True,
    ),
    ActionRow(
        "view.forward", tr_noop("Forward"), lambda c: c.session.selection.go_forward(), "Alt+Right",
        tr_noop("The selection after this one"), lambda c: c.session.selection.can_go_forward, icon="forward", menu="View",
        group="selection", in_toolbar=True,
    ),
    ActionRow(
        "view.pass_back", tr_noop("Pass back"), lambda c: _step_pass(c, -1), "[",
        tr_noop("The graph in front as it was before the pass that is shown"), _has_passes, menu="View", group="passes",
    ),
    ActionRow(
        "view.pass_forward", tr_noop("Pass forward"), lambda c: _step_pass(c, 1), "]",
        tr_noop("The graph in front after the next pass that changed it"), _has_passes, menu="View", group="passes",
    ),
    ActionRow(
        "view.history", tr_noop("History of the node"), lambda c: c.session.passes.ask_history(), "H",
        tr_noop("What every stage and every pass made of the selected node, in the inspector"),
        lambda c: len(c.session.selection.pinned.nodes) == 1 and nobody_types(c), menu="View", group="passes",
    ),
    ActionRow(
        "view.clear_selection", tr_noop("Clear selection"), lambda c: c.session.selection.clear(), "Esc",
        tr_noop("Select nothing; while the engine works, Esc cancels instead"),
        lambda c: bool(c.session.selection.pinned) and not c.session.working and nobody_types(c), menu="View", group="selection",
    ),
    ActionRow(
        "view.light", tr_noop("Light"), lambda c: c.shell.set_look("light"), checked=lambda c: c.shell.look == "light",
        menu="View", group="look",
    ),
    ActionRow(
        "view.dark", tr_noop("Dark"), lambda c: c.shell.set_look("dark"), checked=lambda c: c.shell.look == "dark",
        menu="View", group="look",
    ),
    ActionRow(
        "view.system", tr_noop("As the system"), lambda c: c.shell.set_look("system"),
        checked=lambda c: c.shell.look == "system", menu="View", group="look",
    ),
    *(_language(code, name) for code, name in LANGUAGES.items()),
    ActionRow(
        "view.reset", tr_noop("Reset arrangement"), lambda c: c.shell.reset_arrangement(), "",
        tr_noop("Put the panes of this workspace where they are at first"), menu="View", group="arrangement",
    ),
    ActionRow(
        "view.pane_alone", tr_noop("Pane alone"), lambda c: c.shell.toggle_pane_alone(), "Shift+F11",
        tr_noop("All the room for the pane that has the focus, or everything where it was; a double click on a tab does the same"),
        menu="View", group="arrangement",
    ),
    ActionRow(
        "view.labs", tr_noop("Labs"), lambda c: c.shell.show_labs(), "",
        tr_noop("Front ends, GPU kernels, dispatcher, PrimTorch, TorchScript, options of torch.compile"), menu="View",
        group="arrangement",
    ),
    ActionRow(
        "view.next_pane", tr_noop("Next pane"), lambda c: c.shell.walk_panes(1), "F6",
        tr_noop("The keyboard to the next pane that is seen"), menu="View", group="arrangement",
    ),
    ActionRow(
        "view.previous_pane", tr_noop("Previous pane"), lambda c: c.shell.walk_panes(-1), "Shift+F6",
        tr_noop("The keyboard to the pane before"), menu="View", group="arrangement",
    ),
    ActionRow(
        "view.full_screen", tr_noop("Full screen"), lambda c: c.shell.toggle_full_screen(), "F11",
        tr_noop("The whole screen, or a window again"), menu="View", group="arrangement",
    ),
    ActionRow(
        "view.larger_text", tr_noop("Larger text"), lambda c: c.shell.set_text_size(1), "Ctrl+=",
        tr_noop("All text of this workspace, as for a projector"), menu="View", group="text", other_shortcuts=("Ctrl++",),
    ),
    ActionRow(
        "view.smaller_text", tr_noop("Smaller text"), lambda c: c.shell.set_text_size(-1), "Ctrl+-",
        tr_noop("All text of this workspace"), menu="View", group="text",
    ),
    ActionRow(
        "view.usual_text", tr_noop("Usual text size"), lambda c: c.shell.set_text_size(0), "Ctrl+0",
        tr_noop("The size of the system"), menu="View", group="text",
    ),
    ActionRow(
        "view.presentation", tr_noop("Presentation"), lambda c: c.shell.toggle_presentation(), "Shift+F5",
        tr_noop("For a room: larger text and graphs, more contrast, thicker lines, a ring around the pointer; for this workspace"),
        checked=lambda c: c.shell.presenting, menu="View", group="text",
    ),
    *(_workspace(number, workspace) for number, workspace in enumerate(WORKSPACES, 1)),
)  # fmt: skip
