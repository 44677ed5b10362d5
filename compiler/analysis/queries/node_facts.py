"""What a query can ask about a node, gathered for all nodes of a stage at once."""

from collections.abc import Iterable, Mapping

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import Diagram
from compiler.model.ir.ids import NodeId, line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import Stage, StageKind
from compiler.model.ir.tensor_types import TensorValue


class NodeFacts(msgspec.Struct, frozen=True):
    """One node of any stage that is a graph."""

    id: NodeId
    op: str
    name: str
    target: str
    type_text: str
    """As on the canvas: ``f32[32, 128]``."""
    shape: tuple[str, ...] | None
    dtype: str
    device: str
    module: str
    role: str
    lane: str
    bytes: int | None
    inputs: int
    users: int
    lines: frozenset[int] = frozenset()
    kernels: frozenset[str] = frozenset()
    """Names and numbers (from 0, in the order they run) of the kernels that compute it."""
    computed_in: tuple[tuple[str, NodeId], ...] = ()
    """The same as (forward, backward or inference, kernel id)."""
    marks: frozenset[str] = frozenset()
    seconds: float | None = None


def gather(
    stage: Stage,
    shown: Diagram,
    keys: frozenset[str],
    capture: Capture,
    provenance: Provenance,
    marked: Mapping[str, Iterable[NodeId]],
    seconds: Mapping[NodeId, float],
) -> list[NodeFacts]:
    """The facts of every node of a diagram, in its order. Lines and kernels are followed only where `keys` has them.

    `marked` holds the nodes of each mark by its name; `seconds` measured times.
    """
    graph = stage.graph
    producers: dict[NodeId, int] = {}
    users: dict[NodeId, int] = {}
    for edge in shown.edges:
        producers[edge.target] = producers.get(edge.target, 0) + 1
        users[edge.source] = users.get(edge.source, 0) + 1
    lines = _lines(stage, capture, provenance) if "line" in keys else {}
    kernels = _kernels(stage, capture, provenance) if "kernel" in keys else {}
    marks: dict[NodeId, set[str]] = {}
    for mark, names in marked.items():
        for name in names:
            marks.setdefault(name, set()).add(mark)
    facts = []
    for node in shown.nodes:
        fx = graph.node(node.id) if graph is not None and graph.holds(node.id) else None
        value = fx.value if fx is not None and isinstance(fx.value, TensorValue) else None
        own = marks.get(node.id, set())
        if fx is not None and any("recomputed" in note for note in fx.notes):
            own = own | {"recomputed"}
        facts.append(
            NodeFacts(
                node.id,
                node.title,
                node.name,
                fx.target if fx is not None else node.title,
                node.detail,
                value.shape if value is not None else None,
                value.dtype if value is not None else "",
                value.device if value is not None else "",
                ".".join(node.group),
                node.role,
                node.lane,
                node.bytes,
                producers.get(node.id, 0),
                users.get(node.id, 0),
                frozenset(lines.get(node.id, ())),
                frozenset(name for _, names in kernels.get(node.id, ()) for name in names),
                tuple((part, names[0]) for part, names in kernels.get(node.id, ())),
                frozenset(own),
                seconds.get(node.id),
            )
        )
    return facts


def _lines(stage: Stage, capture: Capture, provenance: Provenance) -> dict[NodeId, set[int]]:
    """Source lines of nodes: those they were traced on, and those that links lead to."""
    lines: dict[NodeId, set[int]] = {}
    if stage.graph is not None:
        for node in stage.graph.nodes:
            if node.stack:
                lines.setdefault(node.id, set()).add(node.stack[-1].line)
    for source in capture.of_kind(StageKind.SOURCE):
        for location in provenance.linked(source.id):
            line = line_of(location)
            reached = provenance.follow(place(source.id, location)).get(stage.id)
            if line is not None and reached is not None:
                for name in reached.nodes:
                    lines.setdefault(name, set()).add(line)
    return lines


def _kernels(
    stage: Stage, capture: Capture, provenance: Provenance
) -> dict[NodeId, list[tuple[str, tuple[str, ...]]]]:
    """The kernels that nodes are computed in: the part, and each one's id, name and number."""
    kernels: dict[NodeId, list[tuple[str, tuple[str, ...]]]] = {}
    for held in capture.of_kind(StageKind.KERNELS):
        for number, kernel in enumerate(held.kernels):
            reached = provenance.follow(place(held.id, kernel.id)).get(stage.id)
            for name in reached.nodes if reached is not None else ():
                kernels.setdefault(name, []).append((held.part, (kernel.id, kernel.name, str(number))))
    return kernels
