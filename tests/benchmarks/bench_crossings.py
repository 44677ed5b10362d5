"""Crossings and length of arrows beside Graphviz ``dot``: ``python -m tests.benchmarks.bench_crossings``.

Both lay out the same boxes (ours, with parameters as ports) and the same arrows (those that we draw; what we cut into
stubs is left out for both and counted). Straight lines from box to box are compared, so that only the places count.
Needs ``dot`` (Debian: graphviz); without it only our figures are printed.
"""

import shutil
import subprocess
import time

import msgspec
import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication

from app.canvas.painting.box_measure import BoxMeasure
from app.graph_layout.arrange import arrange, prepare
from app.graph_layout.geometry import Layout
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode, diagram
from tests.helpers.finished_process import ran
from tests.helpers.transformer_graph import joint_stage

_DOT_LIMIT_S = 90
_POINTS = 72.0

Lines = NDArray[np.float64]
"""Rows of (x0, y0, x1, y1)."""


def branching(blocks: int) -> Diagram:
    """Blocks of four branches of different lengths that are put together, as in an inception net."""
    nodes = [DiagramNode("x", "x", "x", "f32[8, 64]", "input")]
    edges: list[DiagramEdge] = []

    def call(title: str, path: tuple[str, ...], *inputs: str) -> str:
        name = f"{title}_{len(nodes)}"
        nodes.append(DiagramNode(name, title, name, "f32[8, 64]", group=path))
        edges.extend(DiagramEdge(source, name) for source in inputs)
        return name

    last = "x"
    for block in range(blocks):
        ends = []
        for branch, length in enumerate((1, 2, 3, 2)):
            at = last
            path = ("blocks", str(block), f"branch{branch}")
            for _ in range(length):
                at = call("relu", path, call("batch_norm", path, call("conv2d", path, at)))
            ends.append(at)
        last = call("cat", ("blocks", str(block)), *ends)
    return Diagram(tuple(nodes), tuple(edges))


def flat(shown: Diagram) -> Diagram:
    """The same without modules, since dot knows none."""
    nodes = tuple(msgspec.structs.replace(node, group=()) for node in shown.nodes)
    return Diagram(nodes, shown.edges)


def crossings(lines: Lines, ends: list[tuple[str, str]]) -> int:
    """Pairs of straight arrows that cross and share no box."""
    names = {name: number for number, name in enumerate({end for pair in ends for end in pair})}
    sources = np.array([names[source] for source, _ in ends])
    targets = np.array([names[target] for _, target in ends])
    total = 0
    for number in range(len(lines)):
        rest = lines[number + 1 :]
        first = lines[number]
        apart = (sources[number + 1 :] != sources[number]) & (targets[number + 1 :] != targets[number])
        apart &= (sources[number + 1 :] != targets[number]) & (targets[number + 1 :] != sources[number])
        one, other = _side(first, rest[:, :2]), _side(first, rest[:, 2:])
        back, forth = _sides(rest, first[:2]), _sides(rest, first[2:])
        total += int(((one * other < 0) & (back * forth < 0) & apart).sum())
    return total


def _side(line: Lines, points: Lines) -> Lines:
    return (line[2] - line[0]) * (points[:, 1] - line[1]) - (line[3] - line[1]) * (points[:, 0] - line[0])


def _sides(lines: Lines, point: Lines) -> Lines:
    return (lines[:, 2] - lines[:, 0]) * (point[1] - lines[:, 1]) - (lines[:, 3] - lines[:, 1]) * (
        point[0] - lines[:, 0]
    )


def _ours(layout: Layout) -> tuple[Lines, list[tuple[str, str]]]:
    places = {box.id: box.rect for box in layout.boxes}
    ends = [(edge.source, edge.target) for edge in layout.edges]
    lines = [(*places[source].center, *places[target].center) for source, target in ends]
    return np.array(lines, dtype=np.float64).reshape(-1, 4), ends


def _dot(layout: Layout, ends: list[tuple[str, str]]) -> tuple[Lines, float] | None:
    """Where dot puts the same boxes, and its seconds; None where it does not finish."""
    rows = ["digraph {", 'rankdir=TB; ranksep=0.42; nodesep=0.3; node [shape=box, fixedsize=true, label=""];']
    names = {box.id: f"n{number}" for number, box in enumerate(layout.boxes)}
    for box in layout.boxes:
        width, height = box.rect.width / _POINTS, box.rect.height / _POINTS
        rows.append(f"{names[box.id]} [width={width:.3f}, height={height:.3f}];")
    rows += [f"{names[source]} -> {names[target]};" for source, target in ends]
    started = time.perf_counter()
    try:
        done = ran(["dot", "-Tplain"], given="\n".join([*rows, "}"]), timeout=_DOT_LIMIT_S, check=True)
    except subprocess.TimeoutExpired:
        return None
    seconds = time.perf_counter() - started
    places = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] == "node":
            places[words[1]] = (float(words[2]) * _POINTS, -float(words[3]) * _POINTS)
    lines = [(*places[names[source]], *places[names[target]]) for source, target in ends]
    return np.array(lines, dtype=np.float64).reshape(-1, 4), seconds


def _length(lines: Lines) -> float:
    return float(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]).sum())


def main() -> None:
    """Print a line a graph."""
    QApplication([])
    measure = BoxMeasure()
    has_dot = shutil.which("dot") is not None
    print(
        "Arrows beside dot: same boxes, same arrows, straight lines"
        + ("" if has_dot else " (dot is not installed)")
    )
    graphs = [(f"branching net, {blocks} blocks", branching(blocks)) for blocks in (3, 10, 30)]
    graphs += [(f"joint transformer, {size}", diagram(joint_stage(size))) for size in (280, 717, 1950)]
    for name, shown in graphs:
        if shown is None:
            continue
        for kind, drawn in (("modules open", shown), ("no modules", flat(shown))):
            started = time.perf_counter()
            layout = arrange(prepare(drawn), measure)
            seconds = time.perf_counter() - started
            lines, ends = _ours(layout)
            count = crossings(lines, ends)
            text = f"  {name + ', ' + kind:<42}{len(layout.boxes):>5} boxes {len(ends):>5} arrows, {len(layout.stubs):>4} stubs: ours {count:>5} crossings, {seconds * 1e3:6.0f} ms"
            theirs = _dot(layout, ends) if has_dot else None
            if theirs is not None:
                far, took = theirs
                text += f"; dot {crossings(far, ends):>5}, {took * 1e3:6.0f} ms; length ours ÷ dot {_length(lines) / _length(far):.2f}"
            elif has_dot:
                text += f"; dot not done in {_DOT_LIMIT_S} s"
            print(text, flush=True)


if __name__ == "__main__":
    main()
