"""Which colour a source line, its nodes, its kernel and its kernel lines share."""

from collections.abc import Iterator

from app.theme.colors import LIGHT
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, StageId, line_id, line_of
from compiler.model.ir.stage import StageKind

_PALETTE = len(LIGHT.links)


class ColorLinks:
    """The colour of every linked node of one capture, found in one pass over the links when first asked.

    Linked source lines are numbered in order, so that neighbours differ; a node has the colour of the innermost line of
    its stack, what bears none that of the first line it was made from.
    """

    def __init__(self, capture: Capture | None) -> None:
        self._capture = capture
        self._ranks: dict[tuple[StageId, NodeId], int] | None = None

    def index(self, stage: StageId, node: NodeId) -> int | None:
        """Index into `Colors.links`, or None for a node that comes from no line."""
        if self._ranks is None:
            self._ranks = _ranks(self._capture) if self._capture else {}
        rank = self._ranks.get((stage, node))
        return None if rank is None else rank % _PALETTE


def _ranks(capture: Capture) -> dict[tuple[StageId, NodeId], int]:
    ranks = {location: rank for rank, location in enumerate(_linked_lines(capture))}
    order = {stage.id: index for index, stage in enumerate(capture.stages)}
    tables = sorted(capture.links, key=lambda table: order.get(table.target, 0))
    fixed = _by_innermost_line(capture, ranks)
    ranks |= fixed
    changed = True
    while changed:  # a second pass is needed only where a link leads to a stage that stands earlier
        changed = False
        for table in tables:
            for source, target in table.pairs:
                rank = ranks.get((table.source, source))
                location = table.target, target
                if rank is not None and location not in fixed and rank < ranks.get(location, rank + 1):
                    ranks[location] = rank
                    changed = True
    return ranks


_ON_LINES = (StageKind.DYNAMO_GRAPH, StageKind.FRONT_END_GRAPH)


def _by_innermost_line(
    capture: Capture, lines: dict[tuple[StageId, NodeId], int]
) -> dict[tuple[StageId, NodeId], int]:
    """Nodes that bear a stack have the colour of its innermost line: many share the call that led there."""
    found = {}
    for stage in (stage for kind in _ON_LINES for stage in capture.of_kind(kind)):
        for node in stage.graph.nodes if stage.graph is not None else ():
            for line in reversed(node.stack):
                rank = lines.get((f"source:{line.path}", line_id(line.line)))
                if rank is not None:
                    found[stage.id, node.id] = rank
                    break
    return found


def _linked_lines(capture: Capture) -> Iterator[tuple[StageId, NodeId]]:
    for stage in capture.of_kind(StageKind.SOURCE):
        lines = {source for table in capture.links if table.source == stage.id for source, _ in table.pairs}
        yield from ((stage.id, line) for line in sorted(lines, key=lambda line: line_of(line) or 0))
