"""Which colour a source line, its nodes, its kernel and its kernel lines share."""

from collections.abc import Iterator, Mapping

from app.theme.colors import LIGHT
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, StageId, line_id, line_of
from compiler.model.ir.links import LinkTable
from compiler.model.ir.stage import StageKind

_PALETTE = len(LIGHT.links)


class ColorLinks:
    """The colour of every linked node of one capture, found for a stage when it is first asked about.

    Linked source lines are numbered in order, so that neighbours differ; a node has the colour of the innermost line of
    its stack, what bears none that of the first line it was made from.
    """

    def __init__(self, capture: Capture | None) -> None:
        self._capture = capture
        self._indices: dict[StageId, Mapping[NodeId, int]] = {}
        self._fixed: dict[tuple[StageId, NodeId], int] | None = None
        self._lines: dict[tuple[StageId, NodeId], int] = {}

    def index(self, stage: StageId, node: NodeId) -> int | None:
        """Index into `Colors.links`, or None for a node that comes from no line."""
        return self.indices(stage).get(node)

    def indices(self, stage: StageId) -> Mapping[NodeId, int]:
        """The same of all nodes of a stage that come from a line."""
        known = self._indices.get(stage)
        if known is None:
            ranks = self._ranks_of(stage) if self._capture else {}
            known = self._indices[stage] = {node: rank % _PALETTE for node, rank in ranks.items()}
        return known

    def _ranks_of(self, stage: StageId) -> dict[NodeId, int]:
        """The ranks of a stage's nodes. Only links on a way to it can say anything about them."""
        assert self._capture is not None
        if self._fixed is None:
            self._lines = {location: rank for rank, location in enumerate(_linked_lines(self._capture))}
            self._fixed = _by_innermost_line(self._capture, self._lines)
        ranks, fixed = self._lines | self._fixed, self._fixed
        tables = _leading_to(self._capture, stage)
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
        return {node: rank for (where, node), rank in ranks.items() if where == stage}


def _leading_to(capture: Capture, stage: StageId) -> list[LinkTable]:
    """The tables from which a stage can be reached, in the order of what they lead to."""
    above: dict[StageId, list[LinkTable]] = {}
    for table in capture.links:
        above.setdefault(table.target, []).append(table)
    waiting, found = [stage], dict[StageId, list[LinkTable]]()
    while waiting:
        target = waiting.pop()
        if target not in found:
            found[target] = above.get(target, [])
            waiting += [table.source for table in found[target]]
    order = {other.id: index for index, other in enumerate(capture.stages)}
    tables = [table for rows in found.values() for table in rows]
    return sorted(tables, key=lambda table: order.get(table.target, 0))


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
