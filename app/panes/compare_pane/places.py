"""Where the two sides of a comparison differ, and what nodes are called on either side."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.session.comparison.compare_job import Compared
from compiler.analysis.diff.graph_matching import KEPT
from compiler.analysis.diff.text_alignment import TextRow
from compiler.model.ir.ids import NodeId


@dataclass(frozen=True)
class DifferingPlace:
    """Neighbouring lines that differ."""

    first: int
    """The first row of the comparison."""
    nodes: frozenset[NodeId]
    """Names in the merged drawing."""


class Places:
    """An index over one comparison."""

    def __init__(self, compared: Compared | None) -> None:
        self._compared = compared
        merged = compared.merged.nodes if compared is not None and compared.merged is not None else ()
        self._names = {node.id: node for node in merged}
        self.from_before: Mapping[NodeId, NodeId] = {node.before: node.id for node in merged if node.before}
        """Names before → names in the merged drawing."""
        self.from_after: Mapping[NodeId, NodeId] = {node.after: node.id for node in merged if node.after}
        self._rows: dict[NodeId, int] = {}
        for number, row in enumerate(compared.rows if compared is not None else ()):
            for node in self._nodes(row):
                if node not in self._rows or row.after:
                    self._rows[node] = number
        runs = tuple(self._runs())
        self.differing = tuple(run for run in runs if run.nodes) if merged else runs
        """Every place, in the order of the programs; of graphs, those with nodes."""

    def names(self, nodes: Iterable[NodeId]) -> tuple[tuple[NodeId, ...], tuple[NodeId, ...]]:
        """What nodes of the merged drawing are called before, and after."""
        found = [self._names[node] for node in sorted(nodes) if node in self._names]
        before = tuple(node.before for node in found if node.before)
        return before, tuple(node.after for node in found if node.after)

    def row_of(self, nodes: Iterable[NodeId]) -> int | None:
        """The first row of any of these nodes."""
        return min((self._rows[node] for node in nodes if node in self._rows), default=None)

    def _runs(self) -> Iterator[DifferingPlace]:
        first, nodes = -1, set[NodeId]()
        for number, row in enumerate(self._compared.rows if self._compared is not None else ()):
            if row.state != KEPT:
                first = number if first < 0 else first
                nodes.update(self._nodes(row))
            elif first >= 0:
                yield DifferingPlace(first, frozenset(nodes))
                first, nodes = -1, set()
        if first >= 0:
            yield DifferingPlace(first, frozenset(nodes))

    def _nodes(self, row: TextRow) -> Iterator[NodeId]:
        if self._compared is None:
            return
        before, after = self._compared.texts
        if row.after:
            names = (self.from_after.get(node) for node in after.line_nodes[row.after - 1])
        else:
            names = (self.from_before.get(node) for node in before.line_nodes[row.before - 1])
        yield from (name for name in names if name is not None)
