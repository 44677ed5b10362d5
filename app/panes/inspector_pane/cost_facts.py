"""What a line costs and by which kernels, and what a kernel computes where: of what was timed."""

from app.panes.inspector_pane.collective_facts import Link, Rows
from app.session.timing.line_costs import LineCosts
from app.translation.texts import tr
from app.widgets.labels.link_label import RichText
from compiler.analysis.line_times.format_times import HOW_DIVIDED, bounds, format_unlinked, spent_text
from compiler.analysis.line_times.line_times import LineTime
from compiler.analysis.text_format.times import summary_text
from compiler.model.ir.ids import NodeId, line_of, place
from compiler.model.ir.stage import KernelStage, SourceStage, Stage

_MOST = 10


def cost_rows(costs: LineCosts, stage: Stage, node: NodeId, link: Link) -> tuple[Rows, tuple[str, ...]]:
    """Rows and notes about a line of the program or a kernel; none where nothing was timed of it."""
    match stage.content:
        case SourceStage():
            times = costs.times()
            row = times.at(stage.content.file.path, line_of(node) or 0) if times is not None else None
            if times is None or row is None:
                return [], ()
            divided = row.own.divided or row.total.divided
            notes = (HOW_DIVIDED if divided else "", format_unlinked(times), costs.when)
            return _of_line(costs, row, times.measured, link), tuple(filter(None, notes))
        case KernelStage():
            kernel = node.rpartition(":")[0] if line_of(node) and ":" in node else node
            name = costs.names().get(place(stage.id, kernel))
            return ([(tr("Computes"), RichText().text(name))], ()) if name and name != kernel else ([], ())
    return [], ()


def _of_line(costs: LineCosts, row: LineTime, measured: float, link: Link) -> Rows:
    rows: Rows = []
    if row.own.median:
        share = tr("  {value:.1%} of kernel time{bounds}").format(
            value=row.own.median / measured, bounds=bounds(row.own)
        )
        rows.append((tr("Own time"), RichText().text(spent_text(row.own), "bold").text(share, "dim")))
    if row.total != row.own:
        share = tr("  {value:.1%} of kernel time{bounds}").format(
            value=row.total.median / measured, bounds=bounds(row.total)
        )
        rows.append((tr("With callees"), RichText().text(spent_text(row.total), "bold").text(share, "dim")))
    names = costs.names()
    rows.append(
        (
            tr("Kernels"),
            RichText().text(tr("%n kernel(s), the largest part first", None, len(row.parts))),
        )
    )
    for part in row.parts[:_MOST]:
        reported = (
            tr("{share:.0%} of {time}  ").format(share=part.share, time=summary_text(part.summary))
            if part.share < 1
            else ""
        )
        reported = reported or f"{summary_text(part.summary)}  "
        name = names.get(part.kernel, ", ".join(part.kernel.nodes))
        rows.append(("", RichText().text(reported).append(link(name, part.kernel))))
    if len(row.parts) > _MOST:
        rows.append(
            (
                "",
                RichText().text(tr("and %n more kernel(s)", None, len(row.parts) - _MOST), "dim"),
            )
        )
    return rows
