"""A graph as a small picture inside a notebook: rows from inputs to outputs. For looking around there is the window."""

import html
from collections.abc import Iterator, Mapping
from itertools import islice

import networkx

from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.counted import counted
from compiler.model.ir.graph import Node
from compiler.model.ir.stage import Stage

_MOST = 80
_MOST_LETTERS = 22
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 150, 36, 16, 26, 8
_STYLE = "font: 11px sans-serif; max-width: 100%; height: auto; color-scheme: light dark"
_LINE, _BOX, _TEXT = (
    "light-dark(#98a2b3,#667085)",
    "light-dark(#ffffff,#2a2f38)",
    "light-dark(#1d2129,#e4e7ec)",
)

_Places = Mapping[str, tuple[int, int]]


def inline_graph(stage: Stage) -> str:
    """SVG of a stage with an FX graph, of a large one its beginning; empty for another stage."""
    graph = stage.graph
    if graph is None:
        return ""
    shown = {node.id: node for node in islice(graph.nodes, _MOST)}
    drawn: networkx.DiGraph = networkx.DiGraph()
    drawn.add_nodes_from(shown)
    for name, node in shown.items():
        drawn.add_edges_from((source, name) for source in node.inputs() if source in shown)
    order = {name: index for index, name in enumerate(shown)}
    places = {
        name: (_MARGIN + column * (_WIDTH + _GAP_X), _MARGIN + row * (_HEIGHT + _GAP_Y))
        for row, names in enumerate(networkx.topological_generations(drawn))
        for column, name in enumerate(sorted(names, key=order.__getitem__))
    }
    width = max((x for x, _ in places.values()), default=0) + _WIDTH + _MARGIN
    height = max((y for _, y in places.values()), default=0) + _HEIGHT + _MARGIN
    left = len(graph.nodes) - len(shown)
    note = (
        f"<div>… {counted(left, 'more node')}: torch_loupe.show() opens the window</div>" if left > 0 else ""
    )
    parts = "".join((*_lines(drawn, places), *_boxes(shown, places)))
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" style="{_STYLE}">{parts}</svg>{note}'


def _lines(drawn: "networkx.DiGraph", places: _Places) -> Iterator[str]:
    for source, target in drawn.edges():
        (x1, y1), (x2, y2) = places[source], places[target]
        x1, x2, y1 = x1 + _WIDTH // 2, x2 + _WIDTH // 2, y1 + _HEIGHT
        bend = _GAP_Y // 2
        yield (
            f'<path d="M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}" fill="none" style="stroke:{_LINE}"/>'
        )


def _boxes(shown: Mapping[str, Node], places: _Places) -> Iterator[str]:
    for name, node in shown.items():
        x, y = places[name]
        box = f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" style="fill:{_BOX};stroke:{_LINE}"/>'
        what = (
            node.target.rpartition(".")[2]
            if node.op.startswith("call") and "aten" not in node.target
            else node.target
        )
        words = (
            f'<text x="{x + 8}" y="{y + 15}" style="fill:{_TEXT};font-weight:600">{_escaped(what)}</text>'
            f'<text x="{x + 8}" y="{y + 28}" style="fill:{_TEXT}" opacity="0.7">{_escaped(name)}</text>'
        )
        yield f"<g><title>{html.escape(visible_line(f'{name}: {node.target}'))}</title>{box}{words}</g>"


def _escaped(text: str) -> str:
    shown = visible_line(text)
    return html.escape(shown if len(shown) <= _MOST_LETTERS else f"{shown[: _MOST_LETTERS - 1]}…")
