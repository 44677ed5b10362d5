"""Moving about and the look."""

from app.actions.row import ActionRow, Context, nobody_types


def _has_capture(context: Context) -> bool:
    return context.session.capture is not None


ROWS = (
    ActionRow(
        "view.next_stage", "Next stage", lambda c: c.session.step_stage(1), "N",
        "Bring the next stage to the front; the selection follows", _has_capture, menu="View",
        other_shortcuts=("Ctrl+Right",),
    ),
    ActionRow(
        "view.previous_stage", "Previous stage", lambda c: c.session.step_stage(-1), "B",
        "Bring the stage before to the front", _has_capture, menu="View", other_shortcuts=("Ctrl+Left",),
    ),
    ActionRow(
        "view.back", "Back", lambda c: c.session.selection.go_back(), "Alt+Left", "The selection before this one",
        lambda c: c.session.selection.can_go_back, icon="back", menu="View", group="selection", in_toolbar=True,
    ),
    ActionRow(
        "view.forward", "Forward", lambda c: c.session.selection.go_forward(), "Alt+Right",
        "The selection after this one", lambda c: c.session.selection.can_go_forward, icon="forward", menu="View",
        group="selection", in_toolbar=True,
    ),
    ActionRow(
        "view.clear_selection", "Clear selection", lambda c: c.session.selection.clear(), "Esc",
        "Select nothing; while the engine works, Esc cancels instead",
        lambda c: bool(c.session.selection.pinned) and not c.session.working and nobody_types(c), menu="View", group="selection",
    ),
    ActionRow(
        "view.light", "Light", lambda c: c.shell.set_look("light"), checked=lambda c: c.shell.look == "light",
        menu="View", group="look",
    ),
    ActionRow(
        "view.dark", "Dark", lambda c: c.shell.set_look("dark"), checked=lambda c: c.shell.look == "dark",
        menu="View", group="look",
    ),
    ActionRow(
        "view.system", "As the system", lambda c: c.shell.set_look("system"),
        checked=lambda c: c.shell.look == "system", menu="View", group="look",
    ),
    ActionRow(
        "view.reset", "Reset arrangement", lambda c: c.shell.reset_arrangement(), "",
        "Put all panes where they are at first", menu="View", group="arrangement",
    ),
)  # fmt: skip
