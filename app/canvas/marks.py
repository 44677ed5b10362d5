"""What is marked on the canvas: selected, hovered, edited, found, in error. Immutable; the painter compares nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from app.canvas.box_colors import Painting
from app.graph_layout.geometry import BoxId, Layout
from compiler.model.ir.ids import NodeId


@dataclass(frozen=True)
class Marks:
    """Marks by node; `boxes_of` says which boxes that means in a layout."""

    pinned: frozenset[NodeId] = frozenset()
    hovered: frozenset[NodeId] = frozenset()
    edited: frozenset[NodeId] = frozenset()
    found: frozenset[NodeId] = frozenset()
    problems: Mapping[NodeId, str] = field(default_factory=dict)
    """The worst message of each node that has one."""
    tints: Mapping[NodeId, int] = field(default_factory=dict)
    """Index into the palette that a source line and all made from it share."""
    made: frozenset[NodeId] = frozenset()
    """Nodes that the pass on show made."""
    changed: frozenset[NodeId] = frozenset()
    """Nodes that it changed."""
    painting: Painting | None = None
    """Other colours than the source lines' tints."""


@dataclass(frozen=True)
class BoxMarks:
    """The same by box of one layout, with the nodes kept for chips."""

    nodes: Marks = field(default_factory=Marks)
    pinned: frozenset[BoxId] = frozenset()
    hovered: frozenset[BoxId] = frozenset()
    edited: frozenset[BoxId] = frozenset()
    found: frozenset[BoxId] = frozenset()
    problems: Mapping[BoxId, str] = field(default_factory=dict)
    made: frozenset[BoxId] = frozenset()
    changed: frozenset[BoxId] = frozenset()
    fills: Mapping[BoxId, str] = field(default_factory=dict)
    """Colours of the painting, where there is one."""

    def marked(self) -> frozenset[BoxId]:
        """Boxes with any mark."""
        return self.pinned | self.hovered | self.found | frozenset(self.problems) | self.made | self.changed


def boxes_of(marks: Marks, layout: Layout) -> BoxMarks:
    """Translate marks to the boxes that stand for the nodes."""

    def boxes(nodes: Iterable[NodeId]) -> frozenset[BoxId]:
        return frozenset(layout.where[node] for node in nodes if node in layout.where)

    problems = {layout.where[node]: text for node, text in marks.problems.items() if node in layout.where}
    return BoxMarks(
        marks,
        boxes(marks.pinned),
        boxes(marks.hovered),
        boxes(marks.edited),
        boxes(marks.found),
        problems,
        boxes(marks.made),
        boxes(marks.changed),
        _fills(marks.painting, layout),
    )


def _fills(painting: Painting | None, layout: Layout) -> Mapping[BoxId, str]:
    if painting is None:
        return {}
    colors = ((box.id, painting.of(box.members)) for box in layout.boxes)
    return {box: color for box, color in colors if color is not None}
