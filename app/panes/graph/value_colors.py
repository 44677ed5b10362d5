"""Colours of boxes by the values that they had in one step: NaN, infinities, overflow beyond half precision, share of zeros."""

from collections.abc import Mapping

from app.canvas.box_colors import LegendLine, Painting
from app.theme.colors import Colors
from app.theme.heat import heat_ramp
from app.theme.palette import blend
from app.translation.texts import tr, tr_noop
from compiler.model.experiments.node_values import NodeValue
from compiler.model.ir.ids import NodeId

_NAN_BEGINS, _NAN = tr_noop("NaN begins here"), "NaN"
_INFINITY_BEGINS, _INFINITE = tr_noop("infinity begins here"), tr_noop("infinite")
_BEYOND_HALF = tr_noop("beyond float16 (65,504)")
_ZEROS = (
    (0.999, tr_noop("all zeros")),
    (0.5, tr_noop("zeros: half or more")),
    (0.1, tr_noop("zeros: a tenth or more")),
)
_REST = tr_noop("finite, few zeros")


def painted_by_values(rows: Mapping[NodeId, NodeValue], colors: Colors) -> Painting:
    """A legend line for each kind that there is, with how many nodes are of it, the worst first."""
    if not rows:
        return Painting(
            (
                LegendLine(
                    tr("No values of this graph: Engine → Look at values (post-grad graphs have them)"),
                    colors.line,
                ),
            )
        )
    cold, *_, hot = heat_ramp(colors)
    palette = {
        _NAN_BEGINS: blend(colors.node, colors.error, 0.6),
        _NAN: blend(colors.node, colors.error, 0.3),
        _INFINITY_BEGINS: blend(colors.node, colors.warning, 0.6),
        _INFINITE: blend(colors.node, colors.warning, 0.3),
        _BEYOND_HALF: hot,
        _ZEROS[0][1]: blend(colors.node, colors.dim_text, 0.45),
        _ZEROS[1][1]: blend(colors.node, colors.dim_text, 0.3),
        _ZEROS[2][1]: blend(colors.node, colors.dim_text, 0.15),
        _REST: cold,
    }
    kinds = {node: kind_of(row) for node, row in rows.items()}
    legend = tuple(
        LegendLine(f"{tr(kind)} ({count})", color)
        for kind, color in palette.items()
        if (count := sum(found == kind for found in kinds.values()))
    )
    return Painting(legend, {node: palette[kind] for node, kind in kinds.items()})


def kind_of(row: NodeValue) -> str:
    """What one sees of it, before it is translated; what the graph or compiled code made, whichever is worse."""
    values = [row.value, *([row.compiled] if row.compiled is not None else [])]
    if any(value.nans for value in values):
        return _NAN_BEGINS if row.made_nan else _NAN
    if any(value.infinities for value in values):
        return _INFINITY_BEGINS if row.made_infinity else _INFINITE
    if row.value.beyond_half:
        return _BEYOND_HALF
    share = row.value.zeros / max(row.value.elements, 1)
    return next((text for least, text in _ZEROS if share >= least), _REST)
