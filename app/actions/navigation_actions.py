"""Finding one's way in the graph in front: hiding, ways between nodes, filters, views kept on keys."""

from app.actions.action_row import ActionRow, Context, nobody_types
from app.session.facade.displayed_stage import stage_in_view
from app.translation.texts import tr, tr_noop
from compiler.analysis.text_format.times import time_text
from compiler.model.diagrams.diagrams import Diagram, diagram, is_drawn
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import NodeId, StageId, place


def _shown(context: Context) -> tuple[StageId, Diagram] | None:
    stage = context.session.stage
    shown = diagram(stage_in_view(context.session, stage.id)) if stage is not None else None
    return (stage.id, shown) if stage is not None and shown is not None else None


def _picked(context: Context) -> tuple[NodeId, ...]:
    stage = context.session.stage
    if stage is None or not nobody_types(context):
        return ()
    return tuple(sorted(context.session.passes.pinned_in(stage.id)))


def _some_picked(context: Context) -> bool:
    return bool(_picked(context)) and _is_graph(context)


def _is_graph(context: Context) -> bool:
    stage = context.session.stage
    return stage is not None and is_drawn(stage)


def _hide(context: Context) -> None:
    if (shown := _shown(context)) is not None:
        context.session.views.hide(shown[0], _picked(context))


def _isolate(context: Context) -> None:
    if (shown := _shown(context)) is not None:
        context.session.views.isolate(shown[0], _picked(context), (node.id for node in shown[1].nodes))


def _show_all(context: Context) -> None:
    if context.session.stage is not None:
        context.session.views.show_all(context.session.stage.id)


def _hides(context: Context) -> bool:
    stage = context.session.stage
    return stage is not None and context.session.views.hides_anything(stage.id) and nobody_types(context)


def _select(context: Context, stage: StageId, nodes: tuple[NodeId, ...], nothing: str, remedy: str) -> None:
    if nodes:
        context.session.selection.select(context.session.passes.at(stage, *nodes))
    else:
        context.session.report(Problem(nothing, remedy, severity=Severity.NOTE))


def _between(context: Context) -> None:
    shown, picked = _shown(context), _picked(context)
    if shown is not None and len(picked) == 2:
        from compiler.analysis.diagrams.graph_paths import between  # loads networkx

        nodes = between(shown[1], *picked)
        text = tr("No way leads from {first} to {picked}, nor back.").format(
            first=picked[0], picked=picked[1]
        )
        _select(context, shown[0], nodes, text, tr("Select two nodes of which one uses the other's result."))


def _dominators(context: Context) -> None:
    shown, picked = _shown(context), _picked(context)
    if shown is not None and len(picked) == 1:
        from compiler.analysis.diagrams.graph_paths import dominators

        nodes = dominators(shown[1], picked[0])
        _select(context, shown[0], nodes, tr("Nothing leads there."), tr("Select another node."))


def _critical(context: Context) -> None:
    if (shown := _shown(context)) is None:
        return
    from compiler.analysis.diagrams.graph_paths import longest

    seconds = context.session.views.seconds(shown[0])
    way, total = longest(shown[1], seconds) if seconds else ((), 0.0)
    if way:
        context.session.report(
            Problem(
                tr("The critical path takes {time} of measured kernel time, in {count} nodes.").format(
                    time=time_text(total * 1e9), count=len(way)
                ),
                tr("It is selected. Colour by Measured time to see what it costs where."),
                severity=Severity.NOTE,
                place=place(shown[0], *way),
            )
        )
    _select(context, shown[0], way, tr("Nothing is measured yet."), tr("Start the timings first."))


ROWS = (
    ActionRow(
        "view.hide", tr_noop("Hide selected"), _hide, "S",
        tr_noop("Leave the selected nodes out of the drawing; arrows lead on through them, dashed"), _some_picked, menu="View",
        group="hiding",
    ),
    ActionRow(
        "view.isolate", tr_noop("Hide everything else"), _isolate, "U", tr_noop("Draw the selected nodes only; I and O reveal what is around"),
        _some_picked, menu="View", group="hiding",
    ),
    ActionRow(
        "view.show_all", tr_noop("Show all"), _show_all, "Shift+U", tr_noop("Draw everything again; filters are switched off"), _hides,
        menu="View", group="hiding",
    ),
    ActionRow(
        "view.filters", tr_noop("Filters…"), lambda c: c.session.views.filters_wanted.emit(), "Ctrl+Shift+L",
        tr_noop("An ordered list of queries that hide or show nodes, to be saved under a name"), _is_graph, menu="View", group="hiding",
    ),
    ActionRow(
        "view.between", tr_noop("Way between two nodes"), _between, "J", tr_noop("Select everything on any way between the two selected nodes"),
        lambda c: len(_picked(c)) == 2 and _is_graph(c), menu="View", group="ways",
    ),
    ActionRow(
        "view.dominators", tr_noop("What all leads through"), _dominators, "Shift+J",
        tr_noop("Select the nodes that every way to the selected one passes (its dominators)"),
        lambda c: len(_picked(c)) == 1 and _is_graph(c), menu="View", group="ways",
    ),
    ActionRow(
        "view.slowest_line", tr_noop("Slowest line"), lambda c: c.session.measured.lines.go_to_slowest(), "Ctrl+Shift+J",
        tr_noop("Select the source line with most measured kernel time of its own, once more for the next; times the program first where "
        "it was not timed"),
        lambda c: c.session.measured.lines.can_find, menu="View", group="ways",
    ),
    ActionRow(
        "view.critical", tr_noop("Critical path"), _critical, "Ctrl+J", tr_noop("Select the way with the most measured time"), _is_graph,
        menu="View", group="ways",
    ),
)  # fmt: skip
