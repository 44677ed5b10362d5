"""The result of a layout, as immutable values in scene units (y grows downwards).

What there are tens of thousands of is a `msgspec.Struct`: made in a ninth of the time of a frozen dataclass, and out of the
cycle collector's sight.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.ir.ids import NodeId

BoxId = str
"""A node's id, or a module's id for a collapsed module."""


class LayoutCancelledError(Exception):
    """A newer request made this layout unnecessary."""


class Rect(msgspec.Struct, frozen=True, gc=False):
    """A rectangle by its top left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.height

    @property
    def center(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, dx: float, dy: float) -> "Rect":
        """The same rectangle elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


class Chip(msgspec.Struct, frozen=True, gc=False):
    """A node that is drawn as a small port in the box of its neighbour."""

    node: NodeId
    label: str
    kind: str
    """``parameter`` or ``saved`` (goes in) or ``getitem`` (comes out)."""
    home: bool = True
    """Whether this is the node's one place; a parameter with several uses repeats in the other boxes."""


class Measured(msgspec.Struct, frozen=True, gc=False):
    """Size of a box and where its chips sit, relative to its top left corner."""

    width: float
    height: float
    chips: tuple[Rect, ...] = ()


class Box(msgspec.Struct, frozen=True, gc=False):
    """One thing drawn: a node with its chips, or a collapsed module."""

    id: BoxId
    rect: Rect
    title: str
    node: DiagramNode | None
    """None for a collapsed module."""
    lane: str = ""
    members: tuple[NodeId, ...] = ()
    """Every node that stands here: the node and its chips, or all of a collapsed module."""
    chips: tuple[tuple[Chip, Rect], ...] = ()
    path: tuple[str, ...] = ()
    repeats: int = 1
    """How many equal modules it stands for."""
    opens: str = ""
    """The module that opening it opens: itself, or the first of those it stands for; empty for a node."""


class Edge(msgspec.Struct, frozen=True, gc=False):
    """One arrow."""

    source: BoxId
    target: BoxId
    nodes: tuple[tuple[NodeId, NodeId], ...]
    """The diagram's edges that it stands for."""
    way: "array[float]"
    """Its points as numbers, x and y in turn: a large graph has hundreds of thousands."""
    indirect: bool = False
    """Whether it leads through nodes that are hidden."""
    flight: bool = False
    """From a collective to its wait: the data travels meanwhile."""

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """They alternate between the ends of vertical runs, so curves between them stay in the gaps."""
        numbers = iter(self.way)
        return tuple(zip(numbers, numbers, strict=True))


class StubEnd(msgspec.Struct, frozen=True, gc=False):
    """The far end of an arrow that is not drawn in full."""

    box: BoxId
    source: NodeId
    target: NodeId
    label: str
    saved: bool


class Stub(msgspec.Struct, frozen=True, gc=False):
    """All cut arrows that leave (or reach) a box, as one short arrow at its right (left) side."""

    box: BoxId
    outgoing: bool
    rect: Rect
    ends: tuple[StubEnd, ...]


class Frame(msgspec.Struct, frozen=True, gc=False):
    """The outline of an expanded module."""

    id: str
    title: str
    rect: Rect
    depth: int
    path: tuple[str, ...]
    lane: str = ""


class LaneBand(msgspec.Struct, frozen=True, gc=False):
    """The column of the forward or the backward half."""

    lane: str
    rect: Rect


_EMPTY = Rect(0, 0, 0, 0)


@dataclass(frozen=True)
class Layout:
    """Everything the canvas draws."""

    boxes: tuple[Box, ...] = ()
    edges: tuple[Edge, ...] = ()
    stubs: tuple[Stub, ...] = ()
    frames: tuple[Frame, ...] = ()
    lanes: tuple[LaneBand, ...] = ()
    bounds: Rect = _EMPTY
    where: Mapping[NodeId, BoxId] = field(default_factory=dict)
    """The box in which each node of the diagram stands."""
