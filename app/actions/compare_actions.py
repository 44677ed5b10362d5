"""Laying two stages beside each other."""

from app.actions.action_row import ActionRow, Context
from app.translation.texts import tr_noop


def _has_stage(context: Context) -> bool:
    return context.session.stage is not None


def _has_passes(context: Context) -> bool:
    stage = context.session.stage
    return stage is not None and context.session.passes.replay(stage.id) is not None


def _has_before(context: Context) -> bool:
    return _has_stage(context) and context.session.changes.before is not None


def _compare(context: Context) -> None:
    if context.session.stage is not None:
        context.session.comparison.show_stage(context.session.stage.id)


def _compare_passes(context: Context) -> None:
    session = context.session
    if session.stage is not None:
        session.comparison.show_passes(session.stage.id, session.passes.position(session.stage.id))


def _compare_before(context: Context) -> None:
    if context.session.stage is not None:
        context.session.comparison.show_before(context.session.stage.id)


ROWS = (
    ActionRow(
        "view.compare", tr_noop("Compare…"), _compare, "Ctrl+Shift+D",
        tr_noop("Lay the stage in front beside any other stage, pass, capture or file"), _has_stage, menu="View", group="compare",
    ),
    ActionRow(
        "view.compare_passes", tr_noop("Compare with the pass before"), _compare_passes, "",
        tr_noop("What the pass on show did to the graph; without one, what all passes did"), _has_passes, menu="View", group="compare",
    ),
    ActionRow(
        "view.compare_before", tr_noop("Compare with the capture before"), _compare_before, "",
        tr_noop("The stage in front beside the same one of the capture before"), _has_before, menu="View", group="compare",
    ),
)  # fmt: skip
