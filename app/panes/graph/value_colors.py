"""Colours of boxes by the values that they had in one step: NaN, infinities, overflow beyond half precision, share of zeros."""

from collections.abc import Mapping

from app.canvas.box_colors import LegendLine, Painting
from app.theme.colors import Colors
from app.theme.heat import heat_ramp
from app.theme.palette import blend
from compiler.model.experiments.node_values import NodeValue
from compiler.model.ir.ids import NodeId

_ZEROS = ((0.999, "all zeros"), (0.5, "zeros: half or more"), (0.1, "zeros: a tenth or more"))
_REST = "finite, few zeros"


def painted_by_values(rows: Mapping[NodeId, NodeValue], colors: Colors) -> Painting:
    """A legend line for each kind that there is, with how many nodes are of it, the worst first."""
    if not rows:
        return Painting(
            (
                LegendLine(
                    "No values of this graph: Engine → Look at values (post-grad graphs have them)",
                    colors.line,
                ),
            )
        )
    cold, *_, hot = heat_ramp(colors)
    palette = {
        "NaN begins here": blend(colors.node, colors.error, 0.6),
        "NaN": blend(colors.node, colors.error, 0.3),
        "infinity begins here": blend(colors.node, colors.warning, 0.6),
        "infinite": blend(colors.node, colors.warning, 0.3),
        "beyond float16 (65,504)": hot,
        _ZEROS[0][1]: blend(colors.node, colors.dim_text, 0.45),
        _ZEROS[1][1]: blend(colors.node, colors.dim_text, 0.3),
        _ZEROS[2][1]: blend(colors.node, colors.dim_text, 0.15),
        _REST: cold,
    }
    kinds = {node: kind_of(row) for node, row in rows.items()}
    legend = tuple(
        LegendLine(f"{kind} ({count})", color)
        for kind, color in palette.items()
        if (count := sum(found == kind for found in kinds.values()))
    )
    return Painting(legend, {node: palette[kind] for node, kind in kinds.items()})


def kind_of(row: NodeValue) -> str:
    """What one sees of it; what the graph or compiled code made, whichever is worse."""
    values = [row.value, *([row.compiled] if row.compiled is not None else [])]
    if any(value.nans for value in values):
        return "NaN begins here" if row.made_nan else "NaN"
    if any(value.infinities for value in values):
        return "infinity begins here" if row.made_infinity else "infinite"
    if row.value.beyond_half:
        return "beyond float16 (65,504)"
    share = row.value.zeros / max(row.value.elements, 1)
    return next((text for least, text in _ZEROS if share >= least), _REST)
