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
        self._fixed: dict[StageId, dict[NodeId, int]] | None = None
        self._lines: dict[StageId, dict[NodeId, int]] = {}

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

    def _ranks_of(self, stage: StageId) -> Mapping[NodeId, int]:
        """The ranks of a stage's nodes. Only links on a way to it can say anything about them."""
        assert self._capture is not None
        if self._fixed is None:
            lines = _by_stage({location: rank for rank, location in enumerate(_linked_lines(self._capture))})
            self._lines, self._fixed = lines, _by_innermost_line(self._capture, lines)
        ranks = {where: dict(held) for where, held in (self._lines | self._fixed).items()}
        tables = _leading_to(self._capture, stage)
        again = True
        while again:
            again = self._follow(tables, ranks)
        return ranks.get(stage, {})

    def _follow(self, tables: list[LinkTable], ranks: dict[StageId, dict[NodeId, int]]) -> bool:
        """Once along all links; whether one led to a stage that stands earlier, so that others have to be followed again."""
        assert self._fixed is not None
        left: set[StageId] = set()
        again = False
        for table in tables:
            left.add(table.source)
            above, fixed = ranks.get(table.source, {}), self._fixed.get(table.target, {})
            below = ranks.setdefault(table.target, {})
            for source, target in table.pairs:
                rank = above.get(source)
                if rank is not None and target not in fixed and rank < below.get(target, rank + 1):
                    below[target] = rank
                    again = again or table.target in left
        return again


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
    capture: Capture, lines: dict[StageId, dict[NodeId, int]]
) -> dict[StageId, dict[NodeId, int]]:
    """Nodes that bear a stack have the colour of its innermost line: many share the call that led there."""
    found: dict[StageId, dict[NodeId, int]] = {}
    for stage in (stage for kind in _ON_LINES for stage in capture.of_kind(kind)):
        for node in stage.graph.nodes if stage.graph is not None else ():
            for line in reversed(node.stack):
                rank = lines.get(f"source:{line.path}", {}).get(line_id(line.line))
                if rank is not None:
                    found.setdefault(stage.id, {})[node.id] = rank
                    break
    return found


def _by_stage(ranks: dict[tuple[StageId, NodeId], int]) -> dict[StageId, dict[NodeId, int]]:
    found: dict[StageId, dict[NodeId, int]] = {}
    for (stage, node), rank in ranks.items():
        found.setdefault(stage, {})[node] = rank
    return found


def _linked_lines(capture: Capture) -> Iterator[tuple[StageId, NodeId]]:
    for stage in capture.of_kind(StageKind.SOURCE):
        lines = {source for table in capture.links if table.source == stage.id for source, _ in table.pairs}
        yield from ((stage.id, line) for line in sorted(lines, key=lambda line: line_of(line) or 0))
