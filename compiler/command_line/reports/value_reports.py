"""The values of a step as text: where the first that is no number comes from, and a table."""

from collections.abc import Iterator

from compiler.analysis.text_format.visible_text import visible_line
from compiler.command_line.reports.tables import table
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.experiments.node_values import NodeValue, ValuesMeasured, ValueSummary
from compiler.model.ir.graph import Node

_HEADINGS = (
    "graph",
    "node",
    "line",
    ">least",
    ">most",
    ">mean",
    ">zeros",
    ">NaN",
    ">inf",
    ">subnormal",
    ">> half",
)
HOW = (
    "Run op by op with the inputs that each compiled graph was called with; what compiled code made differently is marked. "
    "A minus infinity in a mask is meant."
)


def values_report(found: ValuesMeasured, capture: Capture, everything: bool) -> str:
    """A sentence for the first NaN and the first infinity, and the rows that are worth a look (or all)."""
    nodes = _nodes(capture)
    rows = [
        row
        for row in found.rows
        if everything or not row.value.finite or row.value.beyond_half or _parts(row)
    ]
    lines = list(_first(found, nodes))
    if rows:
        lines += ["", table(_HEADINGS, (_cells(row, nodes) for row in rows)), "", HOW]
    lines += [f"Not run in this step: {stage}." for stage in found.not_run]
    return "\n".join(lines)


def _first(found: ValuesMeasured, nodes: dict[tuple[str, str], Node]) -> Iterator[str]:
    total = (
        f"{counted(len(found.rows), 'value')} of {counted(len({row.stage for row in found.rows}), 'graph')}"
    )
    for nan, word in ((True, "NaN"), (False, "infinity")):
        row = found.first(nan)
        if row is None:
            continue
        node = nodes.get((row.stage, row.node))
        count = row.value.nans if nan else row.value.infinities
        where = _line(node)
        reads = "nothing that it reads holds one" if nan else "all that it reads is finite"
        yield (
            f"The first {word} comes from {row.node} ({visible_line(node.target) if node else '?'}) in {row.stage}"
            f"{f', {where}' if where else ''}: {count:,} of {row.value.elements:,}; {reads}."
        )
    if all(row.value.finite for row in found.rows):
        yield f"All finite: {total}."
    elif not any(row.made_nan or row.made_infinity for row in found.rows):
        yield "No NaN; infinities come from constants only, as those of masks do."
    beyond = sum(bool(row.value.beyond_half) for row in found.rows)
    if beyond:
        yield f"{beyond:,} of {total} go beyond what float16 can hold (65,504)."


def _parts(row: NodeValue) -> bool:
    """Whether compiled code made something that is no number where the graph did not, or the other way round."""
    return row.compiled is not None and row.compiled.finite != row.value.finite


def _cells(row: NodeValue, nodes: dict[tuple[str, str], Node]) -> tuple[str, ...]:
    value, mark = row.value, " ← from here" if row.made_nan or row.made_infinity else ""
    name = f"{row.node}{mark}{' (compiled: ' + _finite(row.compiled) + ')' if row.compiled and _parts(row) else ''}"
    counts = (value.zeros, value.nans, value.infinities, value.subnormals, value.beyond_half)
    return (
        row.stage.removesuffix(":post_grad"),
        name,
        _line(nodes.get((row.stage, row.node))),
        *(f"{number:.4g}" if number is not None else "–" for number in (value.least, value.most, value.mean)),
        *(f"{count / max(value.elements, 1):.1%}" if count else "" for count in counts),
    )


def _finite(value: ValueSummary) -> str:
    return "finite" if value.finite else f"{value.nans:,} NaN, {value.infinities:,} inf"


def _line(node: Node | None) -> str:
    if node is None or not node.stack:
        return ""
    innermost = node.stack[-1]
    return visible_line(innermost.short)


def _nodes(capture: Capture) -> dict[tuple[str, str], Node]:
    return {
        (stage.id, node.id): node
        for stage in capture.stages
        if stage.graph is not None
        for node in stage.graph.nodes
    }
