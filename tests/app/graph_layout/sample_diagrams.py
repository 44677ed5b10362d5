"""Diagrams made to measure, shared by the tests of layout and canvas and by the benchmark."""

from app.graph_layout.geometry import Chip, Measured, Rect
from app.graph_layout.module_tree import Module
from compiler.model.diagrams.diagrams import Diagram, DiagramEdge, DiagramNode


class FixedSizes:
    """Boxes of one size, with chips in a line inside."""

    def __init__(self, width: float = 120.0, height: float = 44.0) -> None:
        self._size = (width, height)

    def node(self, node: DiagramNode, chips: tuple[Chip, ...]) -> Measured:
        width, height = self._size
        rects = tuple(Rect(8 + 24 * index, height, 20, 14) for index in range(len(chips)))
        return Measured(max(width, 16 + 24 * len(chips)), height + (18 if chips else 0), rects)

    def module(self, module: Module, title: str) -> Measured:
        return Measured(*self._size)


def chain(count: int) -> Diagram:
    """A deep inference graph: each step uses the last, with a parameter here and a residual there."""
    nodes = [DiagramNode("x", "x", "x", "f32[8, 64]", "input")]
    edges = []
    last = "x"
    while len(nodes) < count:
        index = len(nodes)
        path = ("layers", str(index // 24), ("attention", "mlp")[index // 12 % 2])
        if index % 4 == 1:
            nodes.append(
                DiagramNode(f"p{index}", f"weight_{index}", f"weight_{index}", "f32[64]", "parameter")
            )
            continue
        node = f"op_{index}"
        nodes.append(
            DiagramNode(node, ("linear", "add", "relu", "view")[index % 4], node, "f32[8, 64]", group=path)
        )
        edges.append(DiagramEdge(last, node))
        if index % 4 == 2:
            edges.append(DiagramEdge(f"p{index - 1}", node))
        if index % 12 == 11:
            edges.append(DiagramEdge(f"op_{index - 4}", node))
        last = node
    nodes.append(DiagramNode("output", "output", "output", "", "output"))
    edges.append(DiagramEdge(last, "output"))
    return Diagram(tuple(nodes), tuple(edges))


def joint(count: int) -> Diagram:
    """A training graph: a forward chain, a backward chain of the same length, a saved tensor on every second step."""
    half = (count - 3) // 2
    nodes = [DiagramNode("x", "x", "x", "f32[8, 64]", "input", "forward")]
    edges = []
    for index in range(half):
        path = ("layers", str(index // 20), ("attention", "mlp")[index // 10 % 2])
        node = DiagramNode(
            f"f{index}",
            ("mm", "add", "relu")[index % 3],
            f"f{index}",
            "f32[8, 64]",
            "operation",
            "forward",
            path,
            2048,
        )
        nodes.append(node)
        edges.append(DiagramEdge(f"f{index - 1}" if index else "x", node.id))
    nodes.append(DiagramNode("tangents_1", "tangents_1", "tangents_1", "f32[8, 64]", "tangent", "backward"))
    last = "tangents_1"
    for index in reversed(range(half)):
        path = ("layers", str(index // 20), ("attention", "mlp")[index // 10 % 2])
        node = DiagramNode(f"b{index}", "mul", f"b{index}", "f32[8, 64]", "operation", "backward", path)
        nodes.append(node)
        edges.append(DiagramEdge(last, node.id))
        if index % 2 == 0:
            edges.append(DiagramEdge(f"f{index}", node.id, "2.0 KiB", saved=True))
        last = node.id
    nodes.append(DiagramNode("output", "output", "output", "", "output", "backward"))
    edges.append(DiagramEdge(f"f{half - 1}", "output", "2.0 KiB", saved=True))
    edges.append(DiagramEdge(last, "output"))
    return Diagram(tuple(nodes), tuple(edges))
